internal import CZlib

/// One chunk of a PNG (PNG specification, third edition, section 5.3), by its place: length, type, data, CRC.
struct PNGChunk {
    /// Four letters.
    let type: UInt32
    /// Where the length stands.
    let offset: Int64
    /// Of the data, as the chunk claims it: nothing says that they are there.
    let length: Int

    /// Where the data stand.
    var start: Int64 { offset + 8 }
    /// Behind the CRC.
    var end: Int64 { start + Int64(length) + 4 }
    /// Bit 5 of the first letter: a small letter, a chunk that a reader need not know.
    var isAncillary: Bool { type & 0x2000_0000 != 0 }

    /// Nil where the type is not of letters.
    var name: String? {
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: type >> (24 - 8 * $0)) }
        guard letters.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { return nil }
        return String(decoding: letters, as: UTF8.self)
    }

    static func code(_ type: StaticString) -> UInt32 { ISOBox.code(type) }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}

/// Walks the chunks of a PNG one after another, by what each claims to take: twelve bytes at least. What is behind the end of
/// the source, a wrong CRC, or a chunk behind IEND is the client's to judge.
struct PNGWalker {
    /// Where the next chunk begins.
    private(set) var at: Int64

    /// - Parameter start: where a chunk begins; the first stands behind the signature.
    init(from start: Int64 = 8) { at = start }

    /// Nil where less than length and type are left.
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

/// The compressed text of PNG: a zlib stream (RFC 1950).
enum Inflate {
    /// Nil for damaged data, and for what grows past `limit` bytes.
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
