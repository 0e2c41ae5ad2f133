internal import CPlatform
internal import Glibc

/// The error that a write would cause, found without writing; for dry runs.
extension FileSystem {
    /// The error that creating and opening `path` would cause, or nil if none is known. Includes the folders above it;
    /// never follows a link.
    static func obstacleToMaking(_ path: FilePath) -> POSIXError? {
        do throws(POSIXError) {
            let status = try FileStatus.of(path)
            switch status.kind {
            case .regular: break
            case .symbolicLink: throw POSIXError(code: ELOOP, operation: "open", path: path)
            case .directory: throw POSIXError(code: EISDIR, operation: "open", path: path)
            case .other: throw POSIXError(code: EINVAL, operation: "open", path: path)
            }
            try path.reached { (folder, path) throws(POSIXError) in
                _ = try systemCall("faccessat", path) {
                    path.withCString { faccessat(folder, $0, R_OK | W_OK, AT_EACCESS) }
                }
            }
            return nil
        } catch {
            if error.isMissing { return obstacleToMakingAnew(path) }
            let isFolderThere = (try? FileStatus.of(path.directory, followLinks: true))?.kind == .directory
            return POSIXError(
                code: error.code, operation: error.operation, path: isFolderThere ? path : path.directory)
        }
    }

    /// Same, for a file that does not exist or that a rename will replace. Checks the nearest existing folder; the
    /// error has the path of what would be created in it.
    /// - Parameter renames: the file is written under another name, then renamed, which an append-only folder does not
    ///   allow.
    static func obstacleToMakingAnew(_ path: FilePath, renames: Bool = false) -> POSIXError? {
        var missing = path
        while true {
            let folder = missing.directory
            do throws(POSIXError) {
                guard try FileStatus.of(folder, followLinks: true).kind == .directory else {
                    // mkdir fails with EEXIST for the place itself, and with ENOTDIR for one below it.
                    let isTaken = folder == path.directory
                    return POSIXError(
                        code: isTaken ? EEXIST : ENOTDIR, operation: "mkdir", path: isTaken ? folder : path.directory)
                }
            } catch {
                guard error.code == ENOENT, folder != missing else {
                    return POSIXError(code: error.code, operation: error.operation, path: path.directory)
                }
                if isLink(folder) { return .danglingLink(folder) }
                missing = folder
                continue
            }
            let isEnd = folder == path.directory
            return obstacleToNewName(in: folder, renames: renames && isEnd).map {
                POSIXError(code: $0.code, operation: $0.operation, path: missing)
            } ?? tooLongName(of: path, below: folder)
        }
    }

    private static func obstacleToNewName(in folder: FilePath, renames: Bool) -> POSIXError? {
        let refusal = folder.withCString { platform_refusal_of_new_names($0) }
        if refusal != 0 { return POSIXError(code: refusal, operation: "mkdir") }
        if let obstacle = obstacleToChanging(folder: folder) { return obstacle }
        guard renames, let traits = try? FileTraits.of(folder.resolved()), traits.isAppendOnly else { return nil }
        return POSIXError(code: EPERM, operation: "renameat2")
    }

    /// ENAMETOOLONG if one of the folders that would be created below `folder` has a name that is too long for every
    /// filesystem.
    private static func tooLongName(of path: FilePath, below folder: FilePath) -> POSIXError? {
        var made = path.directory
        var tooLong: FilePath?
        while made.bytes.count > folder.bytes.count, made != made.directory {
            if made.lastComponent.count > Int(NAME_MAX) { tooLong = made }
            made = made.directory
        }
        return tooLong.map { POSIXError(code: ENAMETOOLONG, operation: "mkdir", path: $0) }
    }

    static func isLink(_ path: FilePath) -> Bool { (try? FileStatus.of(path))?.kind == .symbolicLink }

    /// ENOSPC if the filesystem of `path`, which need not exist, has no room for `bytes` more, or for one more file
    /// (`statvfs`); otherwise nil. The reserve of the superuser counts only for the superuser. Quotas are ignored.
    static func obstacleOfSpace(for bytes: Int64 = 1, at path: FilePath) -> POSIXError? {
        var folder = path
        while (try? FileStatus.of(folder, followLinks: true)) == nil, folder.directory != folder {
            folder = folder.directory
        }
        var room = statvfs()
        // Unknown for paths longer than PATH_MAX.
        guard folder.withCString({ statvfs($0, &room) }) == 0 else { return nil }
        let isSuperuser = effectiveUser == 0
        let blocks = UInt64(isSuperuser ? room.f_bfree : room.f_bavail)
        let files = UInt64(isSuperuser ? room.f_ffree : room.f_favail)
        let free = blocks.multipliedReportingOverflow(by: UInt64(room.f_frsize))
        let lacksBytes = room.f_blocks > 0 && !free.overflow && free.partialValue < UInt64(max(0, bytes))
        // Filesystems that do not count inodes return 0 for both.
        let lacksFiles = room.f_files > 0 && files == 0
        return lacksBytes || lacksFiles ? POSIXError(code: ENOSPC, operation: lacksFiles ? "openat" : "write") : nil
    }

    /// Same as `obstacleToChanging(folder:)`, for an open folder.
    static func obstacleToChanging(_ folder: borrowing FileDescriptor) -> POSIXError? {
        let descriptor = folder.rawValue
        do throws(POSIXError) {
            _ = try systemCall("faccessat") {
                FilePath.current.withCString { faccessat(descriptor, $0, W_OK | X_OK, AT_EACCESS) }
            }
            return nil
        } catch { return error }
    }

    /// Why the folder at `path` cannot be read; nil if it can, or if it does not exist yet.
    static func obstacleToReading(folder path: FilePath) -> POSIXError? {
        do throws(POSIXError) {
            try path.reached { (folder, path) throws(POSIXError) in
                _ = try systemCall("faccessat", path) {
                    path.withCString { faccessat(folder, $0, R_OK, AT_EACCESS) }
                }
            }
            return nil
        } catch { return error.code == ENOENT ? nil : error }
    }

    /// Why no name can be added to or removed from the folder at `path`, such as EACCES, EROFS or ENOENT; nil if it can
    /// (`faccessat` with the effective user).
    package static func obstacleToChanging(folder path: FilePath) -> POSIXError? {
        do throws(POSIXError) {
            try path.reached { (folder, path) throws(POSIXError) in
                _ = try systemCall("faccessat", path) {
                    path.withCString { faccessat(folder, $0, W_OK | X_OK, AT_EACCESS) }
                }
            }
            return nil
        } catch { return error }
    }
}
