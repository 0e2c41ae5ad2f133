internal import CPlatform
internal import Glibc

/// An advisory lock (`fcntl(F_OFD_SETLK)`) on a file. Held until the value goes out of scope or the process ends.
package struct FileLock: ~Copyable {
    private let file: FileDescriptor

    // Unlocks explicitly, because closing is not enough: a child process between fork and exec has a copy of the
    // descriptor and would keep the lock.
    deinit { _ = platform_unlock(file.rawValue) }

    /// Waits for the lock. Creates `path` if it is missing. Throws EINTR once `Interrupt.isRequested`.
    package init(_ path: FilePath) throws(POSIXError) {
        let file = try Self.open(path)
        let descriptor = file.rawValue
        // Not F_OFD_SETLKW: a signal that arrives in another thread, or right before the call, would not interrupt it.
        while true {
            do {
                _ = try systemCall("fcntl", path) { platform_lock(descriptor) }
                break
            } catch {
                guard error.code == EWOULDBLOCK || error.code == EACCES else { throw error }
                try Interrupt.pause(milliseconds: 20)
            }
        }
        self.init(file: file)
    }

    /// Takes the lock; nil if another process holds it.
    package static func ifFree(_ path: FilePath) throws(POSIXError) -> FileLock? {
        let file = try open(path)
        let descriptor = file.rawValue
        do { _ = try systemCall("fcntl", path) { platform_lock(descriptor) } } catch {
            if error.code == EWOULDBLOCK { return nil }
            throw error
        }
        return FileLock(file: file)
    }

    /// Opens for appending, so that an append-only file (`chattr +a`) can be locked too. Nothing is written.
    private static func open(_ path: FilePath) throws(POSIXError) -> FileDescriptor {
        try FileDescriptor.open(
            path, [.readWrite, .append, .create, .noFollow, .nonBlocking], permissions: 0o600)
    }

    private init(file: consuming FileDescriptor) { self.file = file }
}

extension FileLock {
    /// Releases the lock before the value goes out of scope.
    package consuming func release() {}

    /// True if another process holds the lock at this moment; false if the file cannot be opened. Takes no lock itself
    /// (`F_OFD_GETLK`), so it never blocks another process.
    package static func isTaken(_ path: FilePath) throws(POSIXError) -> Bool {
        guard let file = try? FileDescriptor.open(path, [.read, .noFollow, .nonBlocking]) else { return false }
        let descriptor = file.rawValue
        return try systemCall("fcntl", path) { platform_is_locked(descriptor) } == 1
    }
}
