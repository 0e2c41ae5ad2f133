/// Folders that are open, so that each is opened once for all its files.
struct OpenFolders {
    private var open: [FilePath: OpenFolder] = [:]
    private static let most = 200

    /// Takes a folder that is open already.
    mutating func add(_ folder: OpenFolder) {
        if open.count >= Self.most { open.removeAll(keepingCapacity: true) }
        open[folder.path] = folder
    }

    /// - Parameter path: absolute, every link resolved when the plan was made. Throws ELOOP or ENOTDIR where a link has
    ///   taken the place of one of its folders since.
    mutating func folder(_ path: FilePath) throws(POSIXError) -> OpenFolder {
        if let folder = open[path] { return folder }
        let folder = try OpenFolder(path)
        add(folder)
        return folder
    }
}
