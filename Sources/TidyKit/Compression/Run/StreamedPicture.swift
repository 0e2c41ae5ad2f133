internal import Glibc

/// A picture that came through a pipe, kept as a file in memory.
public final class StreamedPicture: Sendable {
    /// `-`, as the operand is written.
    public static let path = FilePath("-")

    let file: FileDescriptor
    public let byteCount: Int64

    public enum Failure: Error {
        case interrupted
        /// There is more than the memory that the run may use.
        case tooLong(limit: Int64)
        case file(POSIXError)
    }

    /// Reads standard input to its end; a signal ends the wait.
    /// - Parameter limit: in bytes.
    public init(limit: Int64) throws(Failure) {
        do throws(POSIXError) {
            let input = try FileDescriptor.standardInput()
            let file = try FileDescriptor.inMemory()
            var count: Int64 = 0
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                try Interrupt.waitForInput(input.rawValue)
                let got = try input.read(into: buffer)
                if got == 0 { break }
                count += Int64(got)
                if count > limit { throw POSIXError(code: EFBIG, operation: "read") }
                try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            }
            self.file = file
            byteCount = count
        } catch {
            switch error.code {
            case EINTR: throw .interrupted
            case EFBIG: throw .tooLong(limit: limit)
            default: throw .file(error)
            }
        }
    }
}
