internal import Glibc

/// Descriptors 0, 1 and 2 as the rest of the program may rely on them.
enum StandardStreams {
    static func prepare() {
        // A closed pipe is an error of `write` (EPIPE), not the end of the process in the middle of a move.
        signal(SIGPIPE, SIG_IGN)
        // With `>&-` the next file that is opened would become standard output, and results would be written into it.
        // Opened for reading only, so that writing fails instead of vanishing.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Writes all of `bytes`; returns `errno` where that fails, 0 where it does not.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                // Somebody else made the pipe non-blocking: wait until it takes more.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
