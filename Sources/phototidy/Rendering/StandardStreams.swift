internal import Glibc
internal import TidyKit

/// Puts descriptors 0, 1 and 2 into a state on which the rest of the program can rely.
enum StandardStreams {
    static func prepare() {
        // A closed pipe must be an error of `write` (EPIPE), and not end the process in the middle of a move.
        signal(SIGPIPE, SIG_IGN)
        // Likewise a file that exceeds `ulimit -f`: the error (EFBIG) is treated as a full disk.
        signal(SIGXFSZ, SIG_IGN)
        // After `>&-`, the next file to be opened would become standard output, and results would be written into it.
        // The replacement is opened for reading only, so that writing fails instead of disappearing.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// After Ctrl-C, how long a reader may take to accept output, in milliseconds.
    private static let patience: Int32 = 1000
    /// The number of bytes that a pipe accepts completely or not at all (`PIPE_BUF`).
    private static let piece = 4096

    /// Writes all of `bytes`.
    /// - Returns: `errno` after a failure, otherwise 0; EINTR if nobody reads and a signal requested the end.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            var length = bytes.count - written
            if Interrupt.isRequested {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if poll(&waiting, 1, patience) == 0 { return EINTR }
                length = min(length, piece)
            }
            let (count, code) = bytes.withUnsafeBytes { bytes in
                valueOrErrno(retryOnInterrupt: false) {
                    Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, length)
                }
            }
            if count >= 0 {
                written += count
            } else if code == EAGAIN {
                // Another process made the pipe non-blocking: wait until it accepts more.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, patience)
            } else if code != EINTR {
                return code
            }
        }
        return 0
    }
}
