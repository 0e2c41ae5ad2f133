internal import Glibc

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

    /// `fstatat` of an absolute path of any length; no link on the way is followed.
    mutating func status(of path: FilePath) throws(POSIXError) -> FileStatus {
        try folder(path.directory).descriptor.status(of: FilePath(path.lastComponent))
    }

    /// The open folder, made where it is missing, part by part; no link on the way is followed.
    mutating func makeFolder(_ path: FilePath) throws(POSIXError) -> OpenFolder {
        do { return try folder(path) } catch {
            guard error.code == ENOENT, path != .root else { throw error }
        }
        // What a disk says may be a path of thousands of folders.
        try Interrupt.check("mkdir")
        let above = try makeFolder(path.directory)
        let name = FilePath(path.lastComponent)
        do throws(POSIXError) {
            try FileSystem.createFolder(name, in: above.descriptor, permissions: 0o777)
        } catch { if !error.isOccupied { throw error } }
        let made = OpenFolder(path, try above.descriptor.open(name, [.pathOnly, .directory, .noFollow]))
        add(made)
        return made
    }
}
