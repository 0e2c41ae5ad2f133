internal import CZlib

/// The position of one PNG chunk (PNG specification, third edition, section 5.3): length, type, data, CRC.
struct PNGChunk {
    /// Four letters.
    let type: UInt32
    /// The offset of the length field.
    let offset: Int64
    /// The length of the data as claimed; the data may extend past the end of the source.
    let length: Int

    /// The offset of the data.
    var start: Int64 { offset + 8 }
    /// The offset after the CRC.
    var end: Int64 { start + Int64(length) + 4 }
    /// Bit 5 of the first letter, which makes it lowercase: a reader may ignore the chunk.
    var isAncillary: Bool { type & 0x2000_0000 != 0 }

    /// Nil if the type does not consist of letters.
    var name: String? {
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: type >> (24 - 8 * $0)) }
        guard letters.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { return nil }
        return String(decoding: letters, as: UTF8.self)
    }

    static func code(_ type: StaticString) -> UInt32 { ISOBox.code(type) }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}

/// Walks the chunks of a PNG by the lengths that they claim, each at least twelve bytes. The client decides what a
/// truncated chunk, a wrong CRC, or a chunk after IEND means.
struct PNGWalker {
    private(set) var at: Int64

    /// - Parameter start: the offset of a chunk; the first follows the signature.
    init(from start: Int64 = 8) { at = start }

    /// Nil if fewer bytes are left than a length and a type take.
    mutating func next<Source: ByteSource & ~Copyable>(
        in source: inout Source
    ) throws(Source.Failure) -> PNGChunk? {
        let header = try source.view(at: at, 16)
        guard let length = header.int32(0), let type = header.u32(4) else { return nil }
        let chunk = PNGChunk(type: type, offset: at, length: length)
        at = chunk.end
        return chunk
    }
}

/// The compressed text of a PNG: a zlib stream (RFC 1950).
enum Inflate {
    /// Nil for damaged data, and for output of more than `limit` bytes.
    static func zlib(_ input: ByteView, limit: Int = 1 << 20) -> [UInt8]? {
        var capacity = min(limit, max(4096, input.count * 4))
        while true {
            var length = uLongf(capacity)
            var status = Z_OK
            let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                status = uncompress(
                    buffer.baseAddress, &length, input.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    uLong(input.count))
                count = status == Z_OK ? min(Int(length), buffer.count) : 0
            }
            if status == Z_OK { return output }
            guard status == Z_BUF_ERROR, capacity < limit else { return nil }
            capacity = min(limit, capacity * 4)
        }
    }
}
