/// Which copies of a group are clones of what stays: they share all their blocks with it, so that deleting them frees
/// nothing.
package enum CloneSearch {
    /// - Parameter photos: whole groups. Only their files are opened.
    package static func clones(among photos: [Photo]) -> Set<FilePath> {
        var kept: [FilePath: Photo] = [:]
        for photo in photos where photo.group?.kind == .duplicate && photo.group?.keep == photo.path {
            kept[photo.path] = photo
        }
        var clones: Set<FilePath> = []
        for photo in photos where photo.group?.kind == .duplicate && photo.group?.role == .redundant {
            guard !Interrupt.isRequested, let other = photo.group.flatMap({ kept[$0.keep] }) else { continue }
            if ComparedFile(photo).isClone(of: ComparedFile(other)) { clones.insert(photo.path) }
        }
        return clones
    }

    /// - Parameters:
    ///   - copies: those of groups that could go.
    ///   - kept: what stays for each of them, by its path.
    static func count(among copies: [Photo], beside kept: [FilePath: KeptCopy]) -> Int {
        copies.count { copy in
            guard !Interrupt.isRequested, let other = kept[copy.path] else { return false }
            return ComparedFile(copy).isClone(of: ComparedFile(path: other.path, identity: other.identity))
        }
    }
}

extension ComparedFile {
    /// False where one of them cannot be read, or has changed.
    func isClone(of other: ComparedFile) -> Bool {
        guard identity.device == other.identity.device, identity.bytes == other.identity.bytes,
            identity.id != other.identity.id, let own = try? open(), let others = try? other.open()
        else { return false }
        return own.descriptor.isClone(of: others.descriptor)
    }
}
