internal import Glibc

extension FileDescriptor {
    /// Opens a folder by its absolute path, following no symbolic link in any component: ELOOP or ENOTDIR where one
    /// has taken the place of a folder. A component needs no more than permission to pass through it.
    public static func openFolderFollowingNoLink(_ path: FilePath) throws(POSIXError) -> FileDescriptor {
        var folder = try open(.root, [.pathOnly, .directory])
        for part in path.bytes.split(separator: FilePath.slash) {
            do { folder = try folder.open(FilePath(part), [.pathOnly, .directory, .noFollow]) } catch {
                throw POSIXError(code: error.code, operation: error.operation, path: path)
            }
        }
        return folder
    }

    /// The longest name that this folder can hold, in bytes (`fpathconf(_PC_NAME_MAX)`).
    public borrowing func nameLimit() -> Int {
        let limit = fpathconf(rawValue, Int32(_PC_NAME_MAX))
        return limit > 0 ? Int(limit) : 255
    }

    /// `fchown`; what the system does not allow is left as it is.
    public borrowing func giveTo(owner: UInt32, group: UInt32) { _ = fchown(rawValue, owner, group) }
}

extension FileSystem {
    /// Why no name can be made in or taken out of the folder at `path` (`faccessat` with the effective user): EACCES,
    /// EROFS, ENOENT …; nil where it can.
    public static func obstacleToChanging(folder path: FilePath) -> POSIXError? {
        do throws(POSIXError) {
            _ = try systemCall("faccessat", path) {
                path.withCString { faccessat(AT_FDCWD, $0, W_OK | X_OK, AT_EACCESS) }
            }
            return nil
        } catch { return error }
    }
}
