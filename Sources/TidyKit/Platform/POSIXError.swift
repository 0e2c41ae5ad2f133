internal import CPlatform
internal import Glibc

/// A failed system call: its `errno`, its name, and the file it was about.
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

    /// The system's text for `code`, in English in every locale, such as "No space left on device". A dangling link in
    /// place of a folder has a more precise text than "No such file or directory".
    package var reason: String {
        isDanglingLink
            ? "a symbolic link that leads nowhere"
            : isStale ? "changed while it was read" : String(cString: platform_error_text(code))
    }

    /// `path` is a symbolic link whose target does not exist.
    static func danglingLink(_ path: FilePath) -> POSIXError {
        POSIXError(code: ENOENT, operation: "readlink", path: path)
    }
    private var isDanglingLink: Bool { code == ENOENT && operation == "readlink" }

    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    /// The name leads to another file, or the file has changed, since it was found.
    package var isStale: Bool { code == ESTALE }
    package var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
    package var isReadOnly: Bool { code == EROFS }
    /// There is no space: on the disk, in the user's quota, or in one file (`ulimit -f`).
    package var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG && operation != "read" }
    /// An interrupting signal ended a wait.
    package var isInterruption: Bool { code == EINTR }
    package var isOccupied: Bool { code == EEXIST || code == ENOTEMPTY }
    package var isOtherFileSystem: Bool { code == EXDEV }
    /// The filesystem does not support hard links, or not for this file.
    var hasNoLinks: Bool { code == EPERM || code == EMLINK || isUnsupported }
    /// A link was found in place of a folder while links were not to be followed.
    var isLinkOnTheWay: Bool { (code == ELOOP || code == ENOTDIR) && operation != "realpath" }
    /// `reason`, with a text of its own if a link has replaced a folder.
    var reasonOnTheWay: String { isLinkOnTheWay ? "a folder in its path has become a symbolic link" : reason }
    /// The kernel or the filesystem does not support the call, such as `renameat2` with flags on NFS.
    package var isUnsupported: Bool { code == EINVAL || code == ENOSYS || code == EOPNOTSUPP || code == ENOTTY }
}

/// Makes a system call that returns -1 on failure, and repeats it while signals interrupt it. Throws its `errno` with
/// `operation`, the name of the C function, and `path`.
/// - Parameter retryOnInterrupt: evaluated after each EINTR; `!Interrupt.isRequested` for calls that may wait for ever.
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

/// Same as `systemCall`, for a call that returns NULL on failure. It has its own name, since the compiler would
/// otherwise accept a number as a pointer. `Fault` does not affect these calls.
func systemPointer<Pointer>(
    _ operation: String, _ path: @autoclosure () -> FilePath? = nil, _ call: () -> Pointer?
) throws(POSIXError) -> Pointer {
    let (pointer, code) = valueOrErrno(isFailure: { $0 == nil }, call)
    guard let pointer else { throw POSIXError(code: code, operation: operation, path: path()) }
    return pointer
}

/// For a call that returns -1 on failure, if the failure is not an error to throw.
/// - Returns: what the call returned, and its `errno`; 0 if it did not fail.
package func valueOrErrno<Value: SignedInteger>(
    retryOnInterrupt: @autoclosure () -> Bool = true, _ call: () -> Value
) -> (value: Value, code: Int32) {
    valueOrErrno(retryOnInterrupt: retryOnInterrupt(), isFailure: { $0 == -1 }, call)
}

/// The only place that reads `errno`. Sets it to 0 before the call, because `readdir` reports its end only by leaving
/// it 0.
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
