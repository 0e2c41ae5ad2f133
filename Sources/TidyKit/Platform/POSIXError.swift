internal import CPlatform
internal import Glibc

/// A call to the system that failed: its `errno`, the call, and the file it was about.
package struct POSIXError: Error, Equatable, Sendable {
    /// The `errno` value, such as `ENOSPC`.
    package let code: Int32
    /// The name of the C function, such as `renameat2`.
    package let operation: String
    package let path: FilePath?

    package init(code: Int32, operation: String, path: FilePath? = nil) {
        self.code = code
        self.operation = operation
        self.path = path
    }

    /// The system's words for `code`, in English whatever the locale: "No space left on device". A dangling link in
    /// place of a folder gets more than "No such file or directory".
    package var reason: String {
        isDanglingLink ? "a symbolic link that leads nowhere" : String(cString: platform_error_text(code))
    }

    /// `path` is a symbolic link, and what it points to is not there.
    static func danglingLink(_ path: FilePath) -> POSIXError {
        POSIXError(code: ENOENT, operation: "readlink", path: path)
    }
    private var isDanglingLink: Bool { code == ENOENT && operation == "readlink" }

    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    package var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
    package var isReadOnly: Bool { code == EROFS }
    /// No room for what is written: on the disk, in the user's share of it, or in one file (`ulimit -f`).
    package var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG && operation != "read" }
    /// A signal that asked for the end put an end to a wait.
    package var isInterruption: Bool { code == EINTR }
    package var isOccupied: Bool { code == EEXIST || code == ENOTEMPTY }
    package var isOtherFileSystem: Bool { code == EXDEV }
    /// The filesystem has no hard links, or not for this file.
    var hasNoLinks: Bool { code == EPERM || code == EMLINK || isUnsupported }
    /// No link was to be followed, and there is one in place of a folder.
    var isLinkOnTheWay: Bool { (code == ELOOP || code == ENOTDIR) && operation != "realpath" }
    /// `reason`, in words that say what happened where a link has taken the place of a folder.
    var reasonOnTheWay: String { isLinkOnTheWay ? "a folder in its path has become a symbolic link" : reason }
    /// The kernel or the filesystem does not know the call: `renameat2` with flags on NFS, say.
    package var isUnsupported: Bool { code == EINVAL || code == ENOSYS || code == EOPNOTSUPP || code == ENOTTY }
}

/// Makes a call to the system that returns -1 where it fails, again as long as a signal interrupts it. Throws its `errno`
/// with `operation`, the name of the C function, and `path`.
/// - Parameter retryOnInterrupt: asked after each EINTR; `!Interrupt.isRequested` for what may wait for others without end.
func systemCall<Value: SignedInteger>(
    _ operation: String, _ path: @autoclosure () -> FilePath? = nil,
    retryOnInterrupt: @autoclosure () -> Bool = true, _ call: () -> Value
) throws(POSIXError) -> Value {
    #if DEBUG
        if let code = Fault.code(for: operation) {
            throw POSIXError(code: code, operation: operation, path: path())
        }
    #endif
    let (value, code) = valueOrErrno(retryOnInterrupt: retryOnInterrupt(), call)
    guard value != -1 else { throw POSIXError(code: code, operation: operation, path: path()) }
    return value
}

/// As `systemCall`, for a call that returns NULL where it fails; with a name of its own, since a number would pass for a
/// pointer that is there. `Fault` does not know of these.
func systemPointer<Pointer>(
    _ operation: String, _ path: @autoclosure () -> FilePath? = nil, _ call: () -> Pointer?
) throws(POSIXError) -> Pointer {
    let (pointer, code) = valueOrErrno(isFailure: { $0 == nil }, call)
    guard let pointer else { throw POSIXError(code: code, operation: operation, path: path()) }
    return pointer
}

/// For a call that returns -1 where it fails, and whose failure is not an error to be thrown.
/// - Returns: what the call returned, and its `errno`; 0 where it did not fail.
package func valueOrErrno<Value: SignedInteger>(
    retryOnInterrupt: @autoclosure () -> Bool = true, _ call: () -> Value
) -> (value: Value, code: Int32) {
    valueOrErrno(retryOnInterrupt: retryOnInterrupt(), isFailure: { $0 == -1 }, call)
}

/// The one place that reads `errno`. It is 0 before the call: `readdir` says only so that it came to the end.
func valueOrErrno<Value>(
    retryOnInterrupt: @autoclosure () -> Bool = true, isFailure: (Value) -> Bool, _ call: () -> Value
) -> (value: Value, code: Int32) {
    while true {
        errno = 0
        let value = call()
        guard isFailure(value) else { return (value, 0) }
        let code = errno
        if code == EINTR, retryOnInterrupt() { continue }
        return (value, code)
    }
}
