internal import Glibc

/// An advisory lock (`flock`) on a file of its own, held until it goes out of scope or the process ends.
public struct FileLock: ~Copyable {
    private let file: FileDescriptor

    // Not left to the closing of the file: a process that is being started at this moment has a copy of the descriptor
    // until it runs its program, and would hold the lock on.
    deinit { _ = flock(file.rawValue, LOCK_UN) }

    /// Waits for the lock; `path` is made where it is missing.
    public init(_ path: FilePath) throws(POSIXError) {
        let file = try FileDescriptor.open(path, [.readWrite, .create], permissions: 0o600)
        let descriptor = file.rawValue
        _ = try systemCall("flock", path) { flock(descriptor, LOCK_EX) }
        self.init(file: file)
    }

    /// Nil where another process holds the lock.
    public static func ifFree(_ path: FilePath) throws(POSIXError) -> FileLock? {
        let file = try FileDescriptor.open(path, [.readWrite, .create], permissions: 0o600)
        let descriptor = file.rawValue
        do { _ = try systemCall("flock", path) { flock(descriptor, LOCK_EX | LOCK_NB) } } catch {
            if error.code == EWOULDBLOCK { return nil }
            throw error
        }
        return FileLock(file: file)
    }

    private init(file: consuming FileDescriptor) { self.file = file }
}

extension FileLock {
    /// Gives the lock up. Without this call it is held until the value goes out of scope.
    public consuming func release() {}

    /// Whether another process holds the lock at this moment; false where the file cannot be opened.
    public static func isTaken(_ path: FilePath) throws(POSIXError) -> Bool {
        guard let file = try? FileDescriptor.open(path, .read) else { return false }
        let descriptor = file.rawValue
        do { _ = try systemCall("flock", path) { flock(descriptor, LOCK_SH | LOCK_NB) } } catch {
            if error.code == EWOULDBLOCK { return true }
            throw error
        }
        _ = flock(descriptor, LOCK_UN)
        return false
    }
}
