internal import Glibc
internal import TidyKit

/// Descriptors 0, 1 and 2 as the rest of the program may rely on them.
enum StandardStreams {
    static func prepare() {
        // A closed pipe is an error of `write` (EPIPE), not the end of the process in the middle of a move.
        signal(SIGPIPE, SIG_IGN)
        // Likewise a file that grows past `ulimit -f`: an error (EFBIG) that is treated as a full disk.
        signal(SIGXFSZ, SIG_IGN)
        // With `>&-` the next file that is opened would become standard output, and results would be written into it.
        // Opened for reading only, so that writing fails instead of vanishing.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// How long a reader may take for what is written after Ctrl-C, in milliseconds.
    private static let patience: Int32 = 1000
    /// A pipe takes so many bytes at once, or none (`PIPE_BUF`).
    private static let piece = 4096

    /// Writes all of `bytes`; returns `errno` where that fails, 0 where it does not. EINTR where nobody reads, and a signal
    /// asked for the end.
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
                // Somebody else made the pipe non-blocking: wait until it takes more.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, patience)
            } else if code != EINTR {
                return code
            }
        }
        return 0
    }
}
