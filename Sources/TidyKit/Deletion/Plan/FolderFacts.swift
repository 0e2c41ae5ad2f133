/// What the planner finds out once about a folder, for all files in it. Nothing is changed, and no file is opened.
struct FolderFacts {
    /// Absolute, every link resolved.
    let path: FilePath
    let status: FileStatus
    let mountID: UInt64
    /// Why nothing can be taken out of it; nil where it can.
    let obstacle: String?
    /// Sticky: only the owner of a file, or of the folder, may take it out.
    let isSticky: Bool
    /// The folder itself and its ancestors.
    let ancestors: Set<FileID>

    var mount: TrashLocator.Mount { TrashLocator.Mount(device: status.id.device, id: mountID) }

    /// - Parameter needsAncestors: false leaves the folder alone in `ancestors`.
    init(_ folder: OpenFolder, needsAncestors: Bool = true) throws(POSIXError) {
        path = folder.path
        status = try folder.descriptor.status()
        let traits = try folder.descriptor.traits()
        mountID = traits.mountID
        isSticky = status.permissions & 0o1000 != 0
        if let error = FileSystem.obstacleToChanging(folder.descriptor) {
            obstacle = error.isReadOnly ? "on a read-only filesystem" : "its folder cannot be changed: \(error.reason)"
        } else if traits.isImmutable {
            obstacle = "its folder is immutable"
        } else {
            obstacle = nil
        }
        ancestors = needsAncestors ? Self.ancestors(of: folder, status) : [status.id]
    }

    private static func ancestors(of folder: OpenFolder, _ status: FileStatus) -> Set<FileID> {
        var ancestors: Set<FileID> = [status.id]
        var above = folder.path
        while above != .root {
            above = above.directory
            if let status = try? FileStatus.of(above) { ancestors.insert(status.id) }
        }
        return ancestors
    }

    /// Why this file of the folder cannot be taken out of it; nil where it can.
    /// - Parameter folder: this folder, open.
    func obstacle(to file: FileStatus, named name: FilePath, in folder: OpenFolder) -> String? {
        if let obstacle { return obstacle }
        if isSticky, isClosed(to: FileSystem.effectiveUser, file) {
            return "it belongs to somebody else and its folder is sticky"
        }
        guard let traits = try? folder.descriptor.traits(of: name) else { return nil }
        if traits.isMountPoint { return "a filesystem is mounted there" }
        return traits.isImmutable ? "it is immutable" : nil
    }

    private func isClosed(to user: UInt32, _ file: FileStatus) -> Bool {
        user != 0 && file.owner != user && status.owner != user
    }
}
