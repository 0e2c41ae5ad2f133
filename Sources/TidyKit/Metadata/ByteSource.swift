/// Where a reader gets bytes by their offset: a file, or a block that is in memory already.
protocol ByteSource: ~Copyable {
    var byteCount: Int64 { get }
    /// The bytes from `offset` on: `length` of them, or as many as there are. Good until the next call.
    mutating func view(at offset: Int64, _ length: Int) throws(POSIXError) -> ByteView
}

extension FileWindow: ByteSource {}

/// A block in memory; its first byte has offset 0.
struct MemorySource: ByteSource {
    let bytes: ByteView

    var byteCount: Int64 { Int64(bytes.count) }

    func view(at offset: Int64, _ length: Int) -> ByteView {
        guard offset >= 0, offset < byteCount else { return .empty }
        return bytes.from(Int(offset)).prefix(length)
    }
}
