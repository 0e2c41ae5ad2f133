/// Where a walker gets bytes by their offset: a file, or a block that is in memory already.
protocol ByteSource: ~Copyable {
    /// What reading can fail with: `Never` for memory.
    associatedtype Failure: Error

    var byteCount: Int64 { get }
    /// The bytes from `offset` on: `length` of them, or as many as there are. Good until the next call.
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
