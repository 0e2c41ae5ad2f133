internal import Glibc

/// A source from which a walker reads bytes by offset: a file, or a block in memory.
protocol ByteSource: ~Copyable {
    /// The error of a failed read: `Never` for memory.
    associatedtype Failure: Error

    var byteCount: Int64 { get }
    /// `length` bytes from `offset` on, or as many as there are. The view is valid until the next call.
    mutating func view(at offset: Int64, _ length: Int) throws(Failure) -> ByteView
}

extension FileWindow: ByteSource {
    typealias Failure = POSIXError
}

/// A block in memory; its first byte has offset 0.
struct MemorySource: ByteSource {
    typealias Failure = Never

    let bytes: ByteView

    var byteCount: Int64 { Int64(bytes.count) }

    func view(at offset: Int64, _ length: Int) -> ByteView {
        guard offset >= 0, offset < byteCount else { return .empty }
        return bytes.from(Int(offset)).prefix(length)
    }
}
