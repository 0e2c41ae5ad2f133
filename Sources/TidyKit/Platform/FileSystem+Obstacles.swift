internal import CPlatform
internal import Glibc

/// What a write would fail with, found without writing: for dry runs.
extension FileSystem {
    /// What `createFolders` of the folder of `path`, and opening `path` for reading and writing, made where it is missing and
    /// never through a link, would fail with: EACCES, EROFS, ENOTDIR, ELOOP …; nil where nothing is known to be in the way.
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

    /// As above for a file that is not there, or that a rename will replace. The nearest folder that is there decides; the error
    /// names what would be made in it.
    /// - Parameter renames: it is made under another name, and renamed: more than an append-only folder allows.
    static func obstacleToMakingAnew(_ path: FilePath, renames: Bool = false) -> POSIXError? {
        var missing = path
        while true {
            let folder = missing.directory
            do throws(POSIXError) {
                guard try FileStatus.of(folder, followLinks: true).kind == .directory else {
                    // mkdir says EEXIST of the place itself, and ENOTDIR of one below it.
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

    /// Of the folders that would be created below `folder`: one whose name is too long for every file system.
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

    /// ENOSPC where the filesystem of `path`, which may not be there yet, has no room for `bytes` more or for one file more
    /// (`statvfs`). What the superuser may use beyond that counts for the superuser. Quotas are not considered.
    static func obstacleOfSpace(for bytes: Int64 = 1, at path: FilePath) -> POSIXError? {
        var folder = path
        while (try? FileStatus.of(folder, followLinks: true)) == nil, folder.directory != folder {
            folder = folder.directory
        }
        var room = statvfs()
        // Beyond PATH_MAX nothing is known.
        guard folder.withCString({ statvfs($0, &room) }) == 0 else { return nil }
        let isSuperuser = effectiveUser == 0
        let blocks = UInt64(isSuperuser ? room.f_bfree : room.f_bavail)
        let files = UInt64(isSuperuser ? room.f_ffree : room.f_favail)
        let free = blocks.multipliedReportingOverflow(by: UInt64(room.f_frsize))
        let lacksBytes = room.f_blocks > 0 && !free.overflow && free.partialValue < UInt64(max(0, bytes))
        // Where inodes are not counted, there are 0 of 0.
        let lacksFiles = room.f_files > 0 && files == 0
        return lacksBytes || lacksFiles ? POSIXError(code: ENOSPC, operation: lacksFiles ? "openat" : "write") : nil
    }

    /// As `obstacleToChanging(folder:)`, for an open folder.
    static func obstacleToChanging(_ folder: borrowing FileDescriptor) -> POSIXError? {
        let descriptor = folder.rawValue
        do throws(POSIXError) {
            _ = try systemCall("faccessat") {
                FilePath.current.withCString { faccessat(descriptor, $0, W_OK | X_OK, AT_EACCESS) }
            }
            return nil
        } catch { return error }
    }

    /// Why the folder at `path` cannot be read; nil where it can, and where it is still to be made.
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

    /// Why no name can be made in or taken out of the folder at `path` (`faccessat` with the effective user): EACCES,
    /// EROFS, ENOENT …; nil where it can.
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
