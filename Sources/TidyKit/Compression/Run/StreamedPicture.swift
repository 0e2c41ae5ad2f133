internal import Glibc

/// A picture from standard input, in an anonymous file in memory.
package final class StreamedPicture: Sendable {
    /// `-`, the operand on the command line.
    package static let path = FilePath("-")

    let file: FileDescriptor
    package let byteCount: Int64

    /// Why standard input gave no picture.
    package enum Failure: Error {
        case interrupted
        /// It is longer than the memory that the run may use.
        case tooLong(limit: Int64)
        case file(POSIXError)
    }

    /// Reads standard input to its end; a signal interrupts it.
    /// - Parameter limit: in bytes.
    package init(limit: Int64) throws(Failure) {
        do throws(POSIXError) {
            let input = try FileDescriptor.standardInput()
            let file = try FileDescriptor.inMemory()
            var count: Int64 = 0
            try input.readToEnd(limit: Int(limit), pieceLength: 1 << 18) { (piece) throws(POSIXError) in
                try file.write(piece)
                count += Int64(piece.count)
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
