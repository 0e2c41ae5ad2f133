internal import CPlatform
internal import Glibc

/// The calls that change names in folders. Every one of them is a syscall and nothing more: what may be replaced or
/// removed is decided in the rooms above.
public enum FileSystem {
    /// `renameat2(RENAME_NOREPLACE)`; throws EEXIST where `to` is taken, EXDEV across filesystems. Where the filesystem
    /// does not know the flag, a link and an unlink do the same for regular files: `link` never replaces either.
    public static func moveWithoutReplacing(_ from: FilePath, to: FilePath) throws(POSIXError) {
        do {
            _ = try systemCall("renameat2", from) {
                from.withCString { from in to.withCString { platform_rename_noreplace(AT_FDCWD, from, AT_FDCWD, $0) } }
            }
        } catch {
            guard error.isUnsupported else { throw error }
            _ = try systemCall("link", to) { from.withCString { from in to.withCString { Glibc.link(from, $0) } } }
            try remove(from)
        }
    }

    /// As above, with both names relative to open folders.
    public static func moveWithoutReplacing(
        _ name: FilePath, in folder: borrowing FileDescriptor, to newName: FilePath,
        in newFolder: borrowing FileDescriptor
    ) throws(POSIXError) {
        let (from, to) = (folder.rawValue, newFolder.rawValue)
        do {
            _ = try systemCall("renameat2", name) {
                name.withCString { name in newName.withCString { platform_rename_noreplace(from, name, to, $0) } }
            }
        } catch {
            guard error.isUnsupported else { throw error }
            _ = try systemCall("linkat", newName) {
                name.withCString { name in newName.withCString { linkat(from, name, to, $0, 0) } }
            }
            _ = try systemCall("unlinkat", name) { name.withCString { unlinkat(from, $0, 0) } }
        }
    }

    /// `rename`: replaces `to`.
    public static func replace(_ to: FilePath, with from: FilePath) throws(POSIXError) {
        _ = try systemCall("rename", to) { from.withCString { from in to.withCString { rename(from, $0) } } }
    }

    /// `unlink`: a file or a link, never a folder.
    public static func remove(_ path: FilePath) throws(POSIXError) {
        _ = try systemCall("unlink", path) { path.withCString { unlink($0) } }
    }

    public static func remove(_ name: FilePath, in folder: borrowing FileDescriptor) throws(POSIXError) {
        let descriptor = folder.rawValue
        _ = try systemCall("unlinkat", name) { name.withCString { unlinkat(descriptor, $0, 0) } }
    }

    /// `rmdir`: an empty folder.
    public static func removeFolder(_ path: FilePath) throws(POSIXError) {
        _ = try systemCall("rmdir", path) { path.withCString { rmdir($0) } }
    }

    /// `mkdir`; throws EEXIST where the name is taken.
    public static func createFolder(_ path: FilePath, permissions: UInt32 = 0o777) throws(POSIXError) {
        _ = try systemCall("mkdir", path) { path.withCString { mkdir($0, permissions) } }
    }

    /// `mkdir -p`; folders that exist are left as they are. Returns those that it made, outermost first.
    @discardableResult
    public static func createFolders(_ path: FilePath, permissions: UInt32 = 0o777) throws(POSIXError) -> [FilePath] {
        do {
            try createFolder(path, permissions: permissions)
            return [path]
        } catch {
            if error.code == EEXIST {
                guard try FileStatus.of(path, followLinks: true).kind == .directory else { throw error }
                return []
            }
            guard error.code == ENOENT, path.directory != path, !path.bytes.isEmpty else { throw error }
            let made = try createFolders(path.directory, permissions: permissions)
            do { try createFolder(path, permissions: permissions) } catch  where error.code == EEXIST { return made }
            return made + [path]
        }
    }

    /// `fsync` of a folder, so that names made or moved in it survive a power cut.
    public static func synchronizeFolder(_ path: FilePath) throws(POSIXError) {
        try FileDescriptor.open(path, [.read, .directory]).synchronize()
    }

    /// `utimensat` of the modification time alone, never following a link.
    public static func setModified(_ path: FilePath, ns: some BinaryInteger) throws(POSIXError) {
        let time = timespec(ns: Int128(clamping: ns))
        _ = try systemCall("utimensat", path) { path.withCString { platform_set_modified(AT_FDCWD, $0, time) } }
    }

    /// `access`, with the effective user: whether a name in this folder could be made or removed.
    public static func isWritable(_ path: FilePath) -> Bool {
        path.withCString { faccessat(AT_FDCWD, $0, W_OK, AT_EACCESS) } == 0
    }

    public static var effectiveUser: UInt32 { geteuid() }
    public static var realUser: UInt32 { getuid() }

    /// The whole content of a file. Throws EFBIG past `limit` bytes.
    public static func contents(of path: FilePath, limit: Int = .max) throws(POSIXError) -> [UInt8] {
        do { return try FileDescriptor.open(path, .read).readToEnd(limit: limit) } catch {
            throw POSIXError(code: error.code, operation: error.operation, path: path)
        }
    }
}
