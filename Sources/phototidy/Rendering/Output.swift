internal import Glibc
internal import TidyKit

/// Writing to standard output failed.
enum OutputError: Error, Equatable {
    /// EPIPE: the reader has closed the pipe.
    case closedPipe
    case failed(POSIXError)
}

/// Standard output, buffered. A failed write is never ignored.
final class Output {
    let isTerminal: Bool
    private let diagnostics: Diagnostics
    private var buffer: [UInt8] = []
    private var isFinished = false
    private static let capacity = 1 << 16

    init(diagnostics: Diagnostics) {
        self.diagnostics = diagnostics
        isTerminal = isatty(STDOUT_FILENO) == 1
    }

    func write(_ bytes: some Collection<UInt8>) throws(OutputError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.capacity { try flush() }
    }

    func write(_ text: String) throws(OutputError) { try write(text.utf8) }

    func write(_ json: JSONWriter) throws(OutputError) { try write(json.bytes) }

    func flush() throws(OutputError) {
        guard !buffer.isEmpty else { return }
        if isTerminal { diagnostics.clearProgress() }
        let code = StandardStreams.write(buffer, to: STDOUT_FILENO)
        buffer.removeAll(keepingCapacity: true)
        try Self.check(code, "write")
    }

    /// Flushes and closes, because some filesystems report a full disk only then. Nothing can be written afterwards.
    func finish() throws(OutputError) {
        try flush()
        guard !isFinished else { return }
        isFinished = true
        // Closes a copy, because the number of the descriptor must not be reused for another file.
        let copy = dup(STDOUT_FILENO)
        if copy >= 0 { try Self.check(valueOrErrno(retryOnInterrupt: false) { close(copy) }.code, "close") }
    }

    private static func check(_ code: Int32, _ operation: String) throws(OutputError) {
        switch code {
        case 0: return
        case EPIPE: throw .closedPipe
        default: throw .failed(POSIXError(code: code, operation: operation))
        }
    }
}
