/// An open folder, for calls relative to it.
final class OpenFolder {
    let path: FilePath
    let descriptor: FileDescriptor

    /// Follows no symbolic link on the way.
    init(_ path: FilePath) throws(POSIXError) {
        self.path = path
        descriptor = try FileDescriptor.openFolderFollowingNoLink(path)
    }
}

/// Folders that are open, so that each is opened once for all its files.
struct OpenFolders {
    private var open: [FilePath: OpenFolder] = [:]
    private static let most = 200

    /// - Parameter path: absolute, every link resolved when the plan was made. Throws ELOOP or ENOTDIR where a link has
    ///   taken the place of one of its folders since.
    mutating func folder(_ path: FilePath) throws(POSIXError) -> OpenFolder {
        if let folder = open[path] { return folder }
        if open.count >= Self.most { open.removeAll(keepingCapacity: true) }
        let folder = try OpenFolder(path)
        open[path] = folder
        return folder
    }
}
