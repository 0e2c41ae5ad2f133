internal import CPlatform
internal import Glibc

/// An open file or folder. Closed when the value goes out of scope.
package struct FileDescriptor: ~Copyable, Sendable {
    let rawValue: Int32

    deinit { close(rawValue) }

    /// The flags of `open(2)` that this program uses; `O_CLOEXEC` is always set.
    package struct Options: OptionSet, Sendable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
        package static let read = Options(rawValue: PLATFORM_O_RDONLY)
        package static let write = Options(rawValue: PLATFORM_O_WRONLY)
        package static let readWrite = Options(rawValue: PLATFORM_O_RDWR)
        package static let create = Options(rawValue: PLATFORM_O_CREAT)
        /// With `create`: fails with EEXIST if the name is taken.
        package static let exclusive = Options(rawValue: PLATFORM_O_EXCL)
        package static let append = Options(rawValue: PLATFORM_O_APPEND)
        package static let directory = Options(rawValue: PLATFORM_O_DIRECTORY)
        /// Fails with ELOOP if the last component is a symbolic link.
        package static let noFollow = Options(rawValue: PLATFORM_O_NOFOLLOW)
        /// Leaves the access time alone; EPERM for a file of another user.
        package static let keepAccessTime = Options(rawValue: PLATFORM_O_NOATIME)
        /// A handle for `fstat` and `*at` calls that needs no permission to read.
        package static let pathOnly = Options(rawValue: PLATFORM_O_PATH)
        package static let nonBlocking = Options(rawValue: PLATFORM_O_NONBLOCK)
    }

    /// `open(2)`. `permissions` apply only if the file is created; the umask is removed from them.
    package static func open(
        _ path: FilePath, _ options: Options, permissions: UInt32 = 0o666
    ) throws(POSIXError) -> FileDescriptor {
        FileDescriptor(
            rawValue: try path.reached { (folder, path) throws(POSIXError) in
                try systemCall("open", path) {
                    path.withCString { platform_openat(folder, $0, options.rawValue, permissions) }
                }
            })
    }

    /// `openat(2)`: `name` relative to this folder.
    package borrowing func open(
        _ name: FilePath, _ options: Options, permissions: UInt32 = 0o666
    ) throws(POSIXError) -> FileDescriptor {
        let folder = rawValue
        return FileDescriptor(
            rawValue: try systemCall("openat", name) {
                name.withCString { platform_openat(folder, $0, options.rawValue, permissions) }
            })
    }

    /// Opens a regular file for reading. Follows no link and does not block on a pipe that took the name. Leaves the
    /// access time alone if the system allows that: a dry run must leave no trace.
    package static func openForReading(_ path: FilePath) throws(POSIXError) -> FileDescriptor {
        do { return try open(path, [.read, .noFollow, .nonBlocking, .keepAccessTime]) } catch {
            guard error.code == EPERM else { throw error }
            return try open(path, [.read, .noFollow, .nonBlocking])
        }
    }

    /// Same, for `name` in this folder.
    package borrowing func openForReading(_ name: FilePath) throws(POSIXError) -> FileDescriptor {
        do { return try open(name, [.read, .noFollow, .nonBlocking, .keepAccessTime]) } catch {
            guard error.code == EPERM else { throw error }
            return try open(name, [.read, .noFollow, .nonBlocking])
        }
    }

    /// Same as `open(path, .read)`, for paths that the user names. A pipe (FIFO) waits for its writer, until
    /// `Interrupt.isRequested`.
    static func openForInput(_ path: FilePath) throws(POSIXError) -> FileDescriptor {
        FileDescriptor(
            rawValue: try systemCall("open", path, retryOnInterrupt: !Interrupt.isRequested) {
                path.withCString { platform_openat(AT_FDCWD, $0, PLATFORM_O_RDONLY, 0) }
            })
    }

    /// A copy of standard input (`dup`), which is closed separately.
    package static func standardInput() throws(POSIXError) -> FileDescriptor {
        FileDescriptor(rawValue: try systemCall("dup") { fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) })
    }

    /// A file without a name, in memory (`memfd_create`).
    static func inMemory() throws(POSIXError) -> FileDescriptor {
        FileDescriptor(rawValue: try systemCall("memfd_create") { platform_memory_file() })
    }

    /// `fstat`.
    package borrowing func status() throws(POSIXError) -> FileStatus {
        var result = stat()
        let descriptor = rawValue
        _ = try systemCall("fstat") { fstat(descriptor, &result) }
        return FileStatus(result)
    }

    /// `fstatat` of `name` in this folder, never following a link.
    package borrowing func status(of name: FilePath) throws(POSIXError) -> FileStatus {
        try FileStatus.of(name, in: rawValue)
    }

    /// One `pread`: as many bytes as the system gives, 0 at the end of the file.
    package borrowing func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(POSIXError) -> Int {
        let descriptor = rawValue
        return try systemCall("pread") { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// One `read` from the current place: for pipes.
    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(POSIXError) -> Int {
        let descriptor = rawValue
        return try systemCall("read") { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Reads from `offset` until `buffer` is full or the file ends, with as many calls of `pread` as that takes.
    /// - Returns: the number of bytes read.
    package borrowing func readFully(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64 = 0
    ) throws(POSIXError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let more = try read(into: rest, at: offset + Int64(count))
            if more == 0 { break }
            count += more
        }
        return count
    }

    /// The first `length` bytes, or fewer if the file is shorter, in one allocation. Throws ENOMEM if that much memory
    /// is not available.
    package borrowing func readFully(_ length: Int) throws(POSIXError) -> [UInt8] {
        // Swift ends the program if it cannot allocate an array.
        if length > 1 << 30 {
            guard let block = malloc(length) else { throw POSIXError(code: ENOMEM, operation: "malloc") }
            free(block)
        }
        var failure: POSIXError?
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            do throws(POSIXError) { count = try readFully(into: UnsafeMutableRawBufferPointer(buffer)) } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads from the current place to the end; waits for the writer of a pipe. Throws EFBIG past `limit` bytes, and
    /// EINTR once `Interrupt.isRequested`.
    package borrowing func readToEnd(limit: Int = .max) throws(POSIXError) -> [UInt8] {
        var content: [UInt8] = []
        try readToEnd(limit: limit) { (piece) throws(POSIXError) in content.append(contentsOf: piece) }
        return content
    }

    /// Same, without keeping the content in memory: `body` gets pieces of at most `pieceLength` bytes.
    borrowing func readToEnd(
        limit: Int, pieceLength: Int = 1 << 16, _ body: (UnsafeRawBufferPointer) throws(POSIXError) -> Void
    ) throws(POSIXError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceLength, alignment: 16)
        defer { buffer.deallocate() }
        var total = 0
        while true {
            try Interrupt.waitForInput(rawValue)
            let count = try read(into: buffer)
            if count == 0 { return }
            total += count
            if total > limit { throw POSIXError(code: EFBIG, operation: "read") }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Writes all of `bytes`, in as many calls as the system needs.
    package borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(POSIXError) {
        let descriptor = rawValue
        var rest = bytes
        while !rest.isEmpty {
            let count = try systemCall("write") { Glibc.write(descriptor, rest.baseAddress, rest.count) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Writes all of `bytes`, in as many calls as the system needs.
    package borrowing func write(_ bytes: [UInt8]) throws(POSIXError) {
        var failure: POSIXError?
        bytes.withUnsafeBytes { bytes in
            do throws(POSIXError) { try write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// `fsync`: data and status are on the disk when this returns.
    package borrowing func synchronize() throws(POSIXError) {
        let descriptor = rawValue
        _ = try systemCall("fsync") { fsync(descriptor) }
    }

    /// `fdatasync`: the data and the length are on the disk when this returns.
    package borrowing func synchronizeData() throws(POSIXError) {
        let descriptor = rawValue
        _ = try systemCall("fdatasync") { fdatasync(descriptor) }
    }

    /// `fchmod`; the umask does not apply.
    package borrowing func setPermissions(_ permissions: UInt32) throws(POSIXError) {
        let descriptor = rawValue
        _ = try systemCall("fchmod") { fchmod(descriptor, permissions) }
    }

    /// `futimens`; both times are in nanoseconds since 1970 (UTC).
    package borrowing func setTimes(accessedNs: Int128, modifiedNs: Int128) throws(POSIXError) {
        let descriptor = rawValue
        _ = try systemCall("futimens") {
            platform_set_times(descriptor, timespec(ns: accessedNs), timespec(ns: modifiedNs))
        }
    }

    /// Copies the extended attributes. Throws if one of the user's own (`user.*`, a POSIX ACL) cannot be copied.
    /// Attributes of the system, such as SELinux labels, may fail.
    /// - Parameter withoutOrigin: omits those that say where the file came from (`user.xdg.*`, quarantine, zones).
    package borrowing func copyExtendedAttributes(
        to other: borrowing FileDescriptor, withoutOrigin: Bool = false
    ) throws(POSIXError) {
        let from = rawValue
        let to = other.rawValue
        _ = try systemCall("fsetxattr") { platform_copy_xattrs(from, to, withoutOrigin) }
    }

    /// `syncfs`: the whole filesystem that holds this file, names included.
    borrowing func synchronizeFileSystem() throws(POSIXError) {
        let descriptor = rawValue
        _ = try systemCall("syncfs") { platform_sync_file_system(descriptor) }
    }
}
