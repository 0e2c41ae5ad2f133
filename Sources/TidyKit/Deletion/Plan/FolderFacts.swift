/// What the planner determines once about a folder, for all files in it. Changes nothing and opens no file.
struct FolderFacts {
    /// Absolute, every link resolved.
    let path: FilePath
    let status: FileStatus
    let mountID: UInt64
    /// Why no file can be removed from it; nil if it can.
    let obstacle: String?
    /// Why no name can be added to it; nil if it can, even if it cannot be removed again (`chattr +a`).
    let obstacleToAdding: String?
    /// Sticky bit: only the owner of a file, or of the folder, may remove the file.
    let isSticky: Bool
    /// The folder itself and its ancestors.
    let ancestors: Set<FileID>

    var mount: TrashLocator.Mount { TrashLocator.Mount(device: status.id.device, id: mountID) }

    /// - Parameter needsAncestors: if false, `ancestors` has only the folder itself.
    init(_ folder: OpenFolder, needsAncestors: Bool = true) throws(POSIXError) {
        try self.init(folder.descriptor, at: folder.path, needsAncestors: needsAncestors)
    }

    /// Same, for a folder that is already open; `path` is its absolute path.
    init(_ folder: borrowing FileDescriptor, at path: FilePath, needsAncestors: Bool = false) throws(POSIXError) {
        self.path = path
        status = try folder.status()
        let traits = try folder.traits()
        mountID = traits.mountID
        isSticky = status.permissions & 0o1000 != 0
        if traits.isImmutable {
            obstacleToAdding = "its folder is immutable"
        } else if let error = FileSystem.obstacleToChanging(folder) {
            obstacleToAdding =
                error.isReadOnly ? "on a read-only filesystem" : "its folder cannot be changed: \(error.reason)"
        } else {
            obstacleToAdding = nil
        }
        obstacle = obstacleToAdding ?? traits.fixedness.map { "its folder is \($0)" }
        ancestors = needsAncestors ? Self.ancestors(of: path, status) : [status.id]
    }

    private static func ancestors(of path: FilePath, _ status: FileStatus) -> Set<FileID> {
        var ancestors: Set<FileID> = [status.id]
        var above = path
        while above != .root {
            above = above.directory
            if let status = try? FileStatus.of(above) { ancestors.insert(status.id) }
        }
        return ancestors
    }

    /// Why this file cannot be removed from the folder; nil if it can.
    /// - Parameter folder: this folder, open.
    func obstacle(to file: FileStatus, named name: FilePath, in folder: borrowing FileDescriptor) -> String? {
        if let obstacle { return obstacle }
        if isSticky, isClosed(to: FileSystem.effectiveUser, file) {
            return "it belongs to somebody else and its folder is sticky"
        }
        guard let traits = try? folder.traits(of: name) else { return nil }
        if traits.isMountPoint { return "a filesystem is mounted there" }
        return traits.fixedness.map { "it is \($0)" }
    }

    private func isClosed(to user: UInt32, _ file: FileStatus) -> Bool {
        user != 0 && file.owner != user && status.owner != user
    }
}
