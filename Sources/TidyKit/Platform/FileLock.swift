internal import CPlatform
internal import Glibc

/// An advisory lock (`fcntl(F_OFD_SETLK)`) on a file, held until it goes out of scope or the process ends.
package struct FileLock: ~Copyable {
    private let file: FileDescriptor

    // Not left to the closing of the file: a process that is being started at this moment has a copy of the descriptor
    // until it runs its program, and would hold the lock on.
    deinit { _ = platform_unlock(file.rawValue) }

    /// Waits for the lock; `path` is made where it is missing. Throws EINTR once `Interrupt.isRequested`.
    package init(_ path: FilePath) throws(POSIXError) {
        let file = try Self.open(path)
        let descriptor = file.rawValue
        // Not F_OFD_SETLKW: a signal that comes to another thread, or right before the call, would not end it.
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

    /// Nil where another process holds the lock.
    package static func ifFree(_ path: FilePath) throws(POSIXError) -> FileLock? {
        let file = try open(path)
        let descriptor = file.rawValue
        do { _ = try systemCall("fcntl", path) { platform_lock(descriptor) } } catch {
            if error.code == EWOULDBLOCK { return nil }
            throw error
        }
        return FileLock(file: file)
    }

    /// To append: so that a file which can only be appended to (`chattr +a`) can be locked. Nothing is written.
    private static func open(_ path: FilePath) throws(POSIXError) -> FileDescriptor {
        try FileDescriptor.open(
            path, [.readWrite, .append, .create, .noFollow, .nonBlocking], permissions: 0o600)
    }

    private init(file: consuming FileDescriptor) { self.file = file }
}

extension FileLock {
    /// Gives the lock up. Without this call it is held until the value goes out of scope.
    package consuming func release() {}

    /// Whether another process holds the lock at this moment; false where the file cannot be opened. Takes no lock
    /// itself (`F_OFD_GETLK`), so that it is never in another process's way.
    package static func isTaken(_ path: FilePath) throws(POSIXError) -> Bool {
        guard let file = try? FileDescriptor.open(path, [.read, .noFollow, .nonBlocking]) else { return false }
        let descriptor = file.rawValue
        return try systemCall("fcntl", path) { platform_is_locked(descriptor) } == 1
    }
}
