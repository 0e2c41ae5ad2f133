/// Decides which of several photos with the same content stays.
package enum Duplicates {
    /// The index of the photo that stays: the one with the most companions, then without the name of a copy, then the
    /// oldest modification, then the first path.
    package static func keeper(of photos: [Photo]) -> Int? {
        photos.indices.min { left, right in
            let (left, right) = (photos[left], photos[right])
            if left.companions.count != right.companions.count {
                return left.companions.count > right.companions.count
            }
            let (leftIsCopy, rightIsCopy) = (isNamedCopy(left.path), isNamedCopy(right.path))
            if leftIsCopy != rightIsCopy { return rightIsCopy }
            if left.identity.modifiedNs != right.identity.modifiedNs {
                return left.identity.modifiedNs < right.identity.modifiedNs
            }
            return left.path < right.path
        }
    }

    static func isNamedCopy(_ path: FilePath) -> Bool {
        CopyName.matches(stem: String(decoding: path.stem, as: UTF8.self))
    }

    /// The sizes that more than one file has. Hard links to one inode count once.
    package static func sharedSizes(_ files: some Sequence<FileIdentity>) -> Set<Int64> {
        var first: [Int64: FileID] = [:]
        var shared: Set<Int64> = []
        for file in files where file.bytes > 0 {
            if let other = first[file.bytes] {
                if other != file.id { shared.insert(file.bytes) }
            } else {
                first[file.bytes] = file.id
            }
        }
        return shared
    }
}
