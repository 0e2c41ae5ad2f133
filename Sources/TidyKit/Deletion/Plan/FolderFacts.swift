/// What the planner finds out once about a folder, for all files in it. Nothing is changed, and no file is opened.
struct FolderFacts {
    /// Absolute, every link resolved.
    let path: FilePath
    let status: FileStatus
    let mountID: UInt64
    /// Why nothing can be taken out of it; nil where it can.
    let obstacle: String?
    /// Why no name can be made in it; nil where one can, if only to stay there (`chattr +a`).
    let obstacleToAdding: String?
    /// Sticky: only the owner of a file, or of the folder, may take it out.
    let isSticky: Bool
    /// The folder itself and its ancestors.
    let ancestors: Set<FileID>

    var mount: TrashLocator.Mount { TrashLocator.Mount(device: status.id.device, id: mountID) }

    /// - Parameter needsAncestors: false leaves the folder alone in `ancestors`.
    init(_ folder: OpenFolder, needsAncestors: Bool = true) throws(POSIXError) {
        try self.init(folder.descriptor, at: folder.path, needsAncestors: needsAncestors)
    }

    /// As above, for a folder that is open at `path`.
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

    /// Why this file of the folder cannot be taken out of it; nil where it can.
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
