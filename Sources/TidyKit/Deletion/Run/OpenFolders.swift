internal import Glibc

/// Open folders, so that each is opened once for all its files.
struct OpenFolders {
    private var open: [FilePath: OpenFolder] = [:]
    private static let most = 200

    /// Adds a folder that is already open.
    mutating func add(_ folder: OpenFolder) {
        if open.count >= Self.most { open.removeAll(keepingCapacity: true) }
        open[folder.path] = folder
    }

    /// - Parameter path: absolute; its links were resolved when the plan was made. Throws ELOOP or ENOTDIR if a link
    ///   has replaced one of its folders since.
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

    /// Opens the folder and creates what is missing on the way. No link is followed.
    mutating func makeFolder(_ path: FilePath) throws(POSIXError) -> OpenFolder {
        do { return try folder(path) } catch { guard error.code == ENOENT, path != .root else { throw error } }
        var (nearest, missing) = try Self.nearest(to: path)
        for part in missing {
            // A path from a `.trashinfo` may have thousands of folders.
            try Interrupt.check("mkdir")
            let name = FilePath(part)
            do throws(POSIXError) {
                try FileSystem.createFolder(name, in: nearest.descriptor, permissions: 0o777)
            } catch { if !error.isOccupied { throw error } }
            nearest = OpenFolder(
                FilePath(path.bytes[..<part.endIndex]),
                try nearest.descriptor.open(name, [.pathOnly, .directory, .noFollow]))
        }
        add(nearest)
        return nearest
    }

    /// The folder at `path`, or its nearest ancestor that exists. No link is followed.
    mutating func nearestFolder(to path: FilePath) throws(POSIXError) -> OpenFolder {
        do { return try folder(path) } catch { guard error.code == ENOENT, path != .root else { throw error } }
        return try Self.nearest(to: path).folder
    }

    /// The nearest ancestor that exists, and the names that are missing below it. Goes down from the root, one call for
    /// each name, so that the cost of a very long path is linear.
    private static func nearest(
        to path: FilePath
    ) throws(POSIXError) -> (folder: OpenFolder, missing: ArraySlice<ArraySlice<UInt8>>) {
        var folder = try FileDescriptor.open(.root, [.pathOnly, .directory])
        var missing = path.bytes.split(separator: FilePath.slash)[...]
        var end = 0
        do throws(POSIXError) {
            while let part = missing.first {
                folder = try folder.open(FilePath(part), [.pathOnly, .directory, .noFollow])
                end = part.endIndex
                missing.removeFirst()
            }
        } catch { guard error.code == ENOENT else { throw error } }
        return (OpenFolder(end == 0 ? .root : FilePath(path.bytes[..<end]), folder), missing)
    }
}
