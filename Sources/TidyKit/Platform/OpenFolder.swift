internal import CPlatform
internal import Glibc

/// An open folder, for calls relative to it.
final class OpenFolder: Sendable {
    let path: FilePath
    let descriptor: FileDescriptor

    /// - Parameter path: absolute. Follows no symbolic link on the way.
    init(_ path: FilePath) throws(POSIXError) {
        self.path = path
        descriptor = try FileDescriptor.openFolderFollowingNoLink(path)
    }

    /// - Parameter path: the folder of `descriptor`: absolute, without links.
    init(_ path: FilePath, _ descriptor: consuming FileDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }
}

extension FileDescriptor {
    /// Opens `path` below this folder without following a symbolic link in any component. Throws ELOOP or ENOTDIR if a
    /// link has replaced a folder, EXDEV for `..`. Folders on the way need only search permission, and the path may be
    /// longer than PATH_MAX. Uses `openat2(2)` if the kernel allows it, otherwise one `openat(2)` with O_NOFOLLOW for
    /// each component.
    package borrowing func openBeneath(
        _ path: FilePath, _ options: Options, permissions: UInt32 = 0o666
    ) throws(POSIXError) -> FileDescriptor {
        if path.bytes.isEmpty { return try open(.current, options) }
        do throws(POSIXError) {
            if Beneath.isSupported, path.bytes.count <= FilePath.lengthLimit {
                return try openInOneCall(path, options.union(.noFollow), permissions: permissions)
            }
            return try walk(path, options.union(.noFollow), permissions: permissions)
        } catch { throw POSIXError(code: error.code, operation: error.operation, path: path) }
    }

    /// `openat2` with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS.
    private borrowing func openInOneCall(
        _ path: FilePath, _ options: Options, permissions: UInt32
    ) throws(POSIXError) -> FileDescriptor {
        let folder = rawValue
        return FileDescriptor(
            rawValue: try systemCall("openat2", path) {
                path.withCString { platform_openat_beneath(folder, $0, options.rawValue, permissions) }
            })
    }

    /// Component by component.
    private borrowing func walk(
        _ path: FilePath, _ options: Options, permissions: UInt32
    ) throws(POSIXError) -> FileDescriptor {
        let parts = path.bytes.split(separator: FilePath.slash).filter { !$0.elementsEqual(".".utf8) }
        guard !path.isAbsolute, !parts.contains(where: { $0.elementsEqual("..".utf8) }) else {
            throw POSIXError(code: EXDEV, operation: "openat", path: path)
        }
        guard let last = parts.last else { return try open(.current, options) }
        var folder = try open(.current, [.pathOnly, .directory])
        for part in parts.dropLast() { folder = try folder.open(FilePath(part), [.pathOnly, .directory, .noFollow]) }
        return try folder.open(FilePath(last), options, permissions: permissions)
    }

    /// Opens a folder by its absolute path, following no symbolic link in any component.
    package static func openFolderFollowingNoLink(_ path: FilePath) throws(POSIXError) -> FileDescriptor {
        do throws(POSIXError) {
            let root = try open(.root, [.pathOnly, .directory])
            return try root.openBeneath(
                FilePath(path.bytes.drop { $0 == FilePath.slash }), [.pathOnly, .directory, .noFollow])
        } catch { throw POSIXError(code: error.code, operation: error.operation, path: path) }
    }

    /// The maximum length of a name in this folder, in bytes (`fpathconf(_PC_NAME_MAX)`).
    package borrowing func nameLimit() -> Int {
        let limit = fpathconf(rawValue, Int32(_PC_NAME_MAX))
        return limit > 0 ? Int(limit) : 255
    }

    /// `fchown`; does nothing if the system does not allow it.
    package borrowing func setOwnerIfAllowed(_ owner: UInt32, group: UInt32) { _ = fchown(rawValue, owner, group) }
}

/// Whether `openat2(2)` works: it fails with ENOSYS before Linux 5.6, and some sandboxes refuse it with EPERM.
private enum Beneath {
    static let isSupported: Bool = {
        do throws(POSIXError) {
            let descriptor = try systemCall("openat2") {
                FilePath.current.withCString {
                    platform_openat_beneath(AT_FDCWD, $0, PLATFORM_O_PATH | PLATFORM_O_DIRECTORY, 0)
                }
            }
            close(descriptor)
            return true
        } catch { return error.code != ENOSYS && error.code != EPERM && error.code != EINVAL }
    }()
}
