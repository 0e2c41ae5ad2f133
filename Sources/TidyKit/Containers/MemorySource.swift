/// A block in memory; its first byte has offset 0.
struct MemorySource: ByteSource {
    let bytes: ByteView

    var byteCount: Int64 { Int64(bytes.count) }

    func view(at offset: Int64, _ length: Int) -> ByteView {
        guard offset >= 0, offset < byteCount else { return .empty }
        return bytes.from(Int(offset)).prefix(length)
    }
}
