internal import CPlatform
internal import Glibc

/// A call to the system that failed: its `errno`, the call, and the file it was about.
public struct POSIXError: Error, Equatable, Sendable {
    /// The `errno` value, such as `ENOSPC`.
    public let code: Int32
    /// The name of the C function, such as `renameat2`.
    public let operation: String
    public let path: FilePath?

    public init(code: Int32, operation: String, path: FilePath? = nil) {
        self.code = code
        self.operation = operation
        self.path = path
    }

    /// The system's words for `code`, in English whatever the locale: "No space left on device".
    public var reason: String { String(cString: platform_error_text(code)) }

    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    public var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
    public var isReadOnly: Bool { code == EROFS }
    /// No room for what is written: on the disk, in the user's share of it, or in one file (`ulimit -f`).
    public var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG && operation != "read" }
    /// A signal that asked for the end put an end to a wait.
    public var isInterruption: Bool { code == EINTR }
    public var isOccupied: Bool { code == EEXIST || code == ENOTEMPTY }
    public var isOtherFileSystem: Bool { code == EXDEV }
    /// The filesystem has no hard links, or not for this file.
    var hasNoLinks: Bool { code == EPERM || code == EMLINK || isUnsupported }
    /// No link was to be followed, and there is one in place of a folder.
    var isLinkOnTheWay: Bool { (code == ELOOP || code == ENOTDIR) && operation != "realpath" }
    /// `reason`, in words that say what happened where a link has taken the place of a folder.
    var reasonOnTheWay: String { isLinkOnTheWay ? "a folder in its path has become a symbolic link" : reason }
    /// The kernel or the filesystem does not know the call: `renameat2` with flags on NFS, say.
    public var isUnsupported: Bool { code == EINVAL || code == ENOSYS || code == EOPNOTSUPP || code == ENOTTY }
}

/// The one place that reads `errno`. A call that a signal interrupted is made again.
/// - Parameter waits: the call may wait for others without end; then it is not made again once `Interrupt.isRequested`.
func systemCall<Result: SignedInteger>(
    _ operation: String, _ path: @autoclosure () -> FilePath? = nil, waits: Bool = false, _ call: () -> Result
) throws(POSIXError) -> Result {
    #if DEBUG
        if let code = Fault.strike(operation) { throw POSIXError(code: code, operation: operation, path: path()) }
    #endif
    while true {
        let result = call()
        if result != -1 { return result }
        let code = errno
        if code == EINTR, !(waits && Interrupt.isRequested) { continue }
        throw POSIXError(code: code, operation: operation, path: path())
    }
}
