internal import CPlatform
internal import Glibc

/// The calls that change names in folders. Each is a thin wrapper of a system call; the rooms above decide what may be
/// replaced or removed.
package enum FileSystem {
    /// `renameat2(RENAME_NOREPLACE)`, both names relative to open folders. Throws EEXIST if `newName` is taken, EXDEV
    /// across filesystems. Does not check which file has `name`: for names that nobody else writes to.
    ///
    /// If the filesystem does not know the flag, creates a hard link, which replaces nothing either, and removes the
    /// old name. If it has no hard links, reserves the new name with an empty file and replaces that.
    package static func moveWithoutReplacing(
        _ name: FilePath, in folder: borrowing FileDescriptor, to newName: FilePath,
        in newFolder: borrowing FileDescriptor
    ) throws(POSIXError) {
        do throws(POSIXError) {
            return try renameWithoutReplacing(name, in: folder, to: newName, in: newFolder)
        } catch { guard error.isUnsupported else { throw error } }
        do throws(POSIXError) { try link(name, in: folder, to: newName, in: newFolder) } catch {
            guard error.hasNoLinks else { throw error }
            return try moveOverReservation(name, in: folder, to: newName, in: newFolder)
        }
        do throws(POSIXError) { try remove(name, in: folder) } catch {
            // The old name could not be removed, so the new one is.
            try? remove(newName, in: newFolder)
            throw error
        }
    }

    /// `renameat2(RENAME_NOREPLACE)` without a substitute: throws EINVAL and the like if the filesystem does not know
    /// it.
    static func renameWithoutReplacing(
        _ name: FilePath, in folder: borrowing FileDescriptor, to newName: FilePath,
        in newFolder: borrowing FileDescriptor
    ) throws(POSIXError) {
        let (from, to) = (folder.rawValue, newFolder.rawValue)
        _ = try systemCall("renameat2", name) {
            name.withCString { name in newName.withCString { platform_rename_noreplace(from, name, to, $0) } }
        }
    }

    private static func moveOverReservation(
        _ name: FilePath, in folder: borrowing FileDescriptor, to newName: FilePath,
        in newFolder: borrowing FileDescriptor
    ) throws(POSIXError) {
        // No name is reserved on another filesystem, as the move would fail.
        guard try folder.status().id.device == newFolder.status().id.device else {
            throw POSIXError(code: EXDEV, operation: "renameat", path: name)
        }
        _ = try newFolder.open(
            newName, [.write, .create, .exclusive, .noFollow], permissions: FileStatus.permissionsOfReservation)
        do throws(POSIXError) { try replace(newName, in: newFolder, with: name, in: folder) } catch {
            if (try? newFolder.status(of: newName))?.isReservation == true { try? remove(newName, in: newFolder) }
            throw error
        }
    }

    /// `linkat`: a second name for the file, never replacing one. Throws EPERM or EOPNOTSUPP if the filesystem has no
    /// hard links.
    package static func link(
        _ name: FilePath, in folder: borrowing FileDescriptor, to newName: FilePath,
        in newFolder: borrowing FileDescriptor
    ) throws(POSIXError) {
        let (from, to) = (folder.rawValue, newFolder.rawValue)
        _ = try systemCall("linkat", newName) {
            name.withCString { name in newName.withCString { linkat(from, name, to, $0, 0) } }
        }
    }

    /// `renameat2(RENAME_EXCHANGE)`: swaps two names atomically.
    package static func exchange(
        _ name: FilePath, in folder: borrowing FileDescriptor, with other: FilePath,
        in otherFolder: borrowing FileDescriptor
    ) throws(POSIXError) {
        let (first, second) = (folder.rawValue, otherFolder.rawValue)
        _ = try systemCall("renameat2", name) {
            name.withCString { name in other.withCString { platform_rename_exchange(first, name, second, $0) } }
        }
    }

    /// `renameat`: replaces `newName`.
    package static func replace(
        _ newName: FilePath, in newFolder: borrowing FileDescriptor, with name: FilePath,
        in folder: borrowing FileDescriptor
    ) throws(POSIXError) {
        let (from, to) = (folder.rawValue, newFolder.rawValue)
        _ = try systemCall("renameat", newName) {
            name.withCString { name in newName.withCString { renameat(from, name, to, $0) } }
        }
    }

    /// `mkdirat`; throws EEXIST if the name is taken.
    package static func createFolder(
        _ name: FilePath, in folder: borrowing FileDescriptor, permissions: UInt32 = 0o777
    ) throws(POSIXError) {
        let descriptor = folder.rawValue
        _ = try systemCall("mkdirat", name) { name.withCString { mkdirat(descriptor, $0, permissions) } }
    }

    /// `unlink`: a file or a link, never a folder.
    package static func remove(_ path: FilePath) throws(POSIXError) {
        try path.reached { (folder, path) throws(POSIXError) in
            _ = try systemCall("unlink", path) { path.withCString { unlinkat(folder, $0, 0) } }
        }
    }

    /// `unlinkat` of `name` in `folder`: a file or a link, never a folder.
    package static func remove(_ name: FilePath, in folder: borrowing FileDescriptor) throws(POSIXError) {
        let descriptor = folder.rawValue
        _ = try systemCall("unlinkat", name) { name.withCString { unlinkat(descriptor, $0, 0) } }
    }

    /// `mkdir`; throws EEXIST if the name is taken.
    package static func createFolder(_ path: FilePath, permissions: UInt32 = 0o777) throws(POSIXError) {
        try path.reached { (folder, path) throws(POSIXError) in
            _ = try systemCall("mkdir", path) { path.withCString { mkdirat(folder, $0, permissions) } }
        }
    }

    /// `mkdir -p`; folders that exist are left as they are. Returns those that it made, outermost first.
    @discardableResult
    package static func createFolders(_ path: FilePath, permissions: UInt32 = 0o777) throws(POSIXError) -> [FilePath] {
        do {
            try createFolder(path, permissions: permissions)
            return [path]
        } catch {
            if error.code == EEXIST {
                do { if try FileStatus.of(path, followLinks: true).kind == .directory { return [] } } catch {
                    throw error.code == ENOENT && isLink(path) ? .danglingLink(path) : error
                }
                throw error
            }
            guard error.code == ENOENT, path.directory != path, !path.bytes.isEmpty else { throw error }
            let made = try createFolders(path.directory, permissions: permissions)
            do { try createFolder(path, permissions: permissions) } catch  where error.code == EEXIST { return made }
            return made + [path]
        }
    }

    /// `fsync` of a folder, so that names created or moved in it survive a power cut.
    package static func synchronizeFolder(_ path: FilePath) throws(POSIXError) {
        try FileDescriptor.open(path, [.read, .directory]).synchronize()
    }

    /// The permissions of a new file: 0666 without the umask.
    static var usualPermissions: UInt32 { 0o666 & ~UInt32(platform_umask()) }
    package static var effectiveUser: UInt32 { geteuid() }
    package static var realUser: UInt32 { getuid() }

    /// The whole content of a file or pipe. Throws EFBIG past `limit` bytes, EINTR if a signal ends the wait for a
    /// pipe.
    package static func contents(of path: FilePath, limit: Int = .max) throws(POSIXError) -> [UInt8] {
        do { return try FileDescriptor.openForInput(path).readToEnd(limit: limit) } catch {
            throw POSIXError(code: error.code, operation: error.operation, path: path)
        }
    }

    /// The whole content of a file of our own state, which may be on a disk from elsewhere. Throws for a link (ELOOP),
    /// for a pipe (EINVAL) and for more than `limit` bytes (EFBIG).
    static func stateContents(of path: FilePath, limit: Int) throws(POSIXError) -> [UInt8] {
        do throws(POSIXError) {
            let file = try FileDescriptor.open(path, [.read, .noFollow, .nonBlocking])
            let status = try file.status()
            guard status.kind == .regular else { throw POSIXError(code: EINVAL, operation: "open") }
            guard status.identity.bytes <= limit else { throw POSIXError(code: EFBIG, operation: "open") }
            return try file.readToEnd(limit: limit)
        } catch { throw POSIXError(code: error.code, operation: error.operation, path: path) }
    }
}
