/// The chunks of a PNG (PNG specification, third edition, section 5) in memory, checked for being whole.
struct PNGFile {
    struct Chunk {
        /// Four letters.
        let type: UInt32
        /// Length, type, data and CRC.
        let range: Range<Int>
        var data: Range<Int> { range.lowerBound + 8..<range.upperBound - 4 }
    }

    struct Header {
        let width: Int
        let height: Int
        /// Of a sample, 1…16.
        let depth: UInt8
        let colorType: UInt8
        let isInterlaced: Bool

        /// A gray picture, with alpha or without.
        var isGray: Bool { colorType == 0 || colorType == 4 }
        var hasAlphaChannel: Bool { colorType & 4 != 0 }
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    let header: Header
    private(set) var chunks: [Chunk] = []
    /// What is wrong with the file; the chunks in front of it are there all the same.
    private(set) var damage: String?
    /// An IDAT chunk that is longer by its length than the file.
    private(set) var cutChunk: Range<Int>?

    /// More than any writer makes.
    private static let mostChunks = 1_000_000

    /// Nil where there is no header.
    init?(_ bytes: ByteView) {
        guard let start = bytes.slice(8, 25), start.u32(4) == Self.code("IHDR"), start.u32(0) == 13,
            let width = start.int32(8), let height = start.int32(12), let depth = start[16], let color = start[17],
            let interlace = start[20], width > 0, height > 0
        else { return nil }
        header = Header(width: width, height: height, depth: depth, colorType: color, isInterlaced: interlace != 0)
        walk(bytes)
    }

    private mutating func walk(_ bytes: ByteView) {
        var at = 8
        while chunks.count < Self.mostChunks {
            guard let length = bytes.int32(at), let type = bytes.u32(at + 4) else {
                damage = damage ?? "the PNG ends before its IEND chunk"
                return
            }
            let end = at + 12 + length
            guard let content = bytes.slice(at + 4, length + 4), let sum = bytes.u32(at + 8 + length) else {
                damage = damage ?? "the PNG ends within its \(Self.name(type)) chunk"
                // What there is of the pixels may be of use.
                if type == Self.code("IDAT"), at + 8 < bytes.count {
                    chunks.append(Chunk(type: type, range: at..<bytes.count))
                    cutChunk = at..<bytes.count
                }
                return
            }
            // libspng checks the chunks that it gets to see.
            if type & Self.ancillaryBit != 0, CRC32.sum(content) != sum {
                damage = damage ?? "the checksum of the PNG's \(Self.name(type)) chunk is wrong"
            } else {
                chunks.append(Chunk(type: type, range: at..<end))
            }
            if type == Self.code("IEND") { return }
            at = end
        }
        damage = damage ?? "too many chunks"
    }

    func first(_ type: StaticString, in bytes: ByteView) -> ByteView? {
        let code = Self.code(type)
        return chunks.first { $0.type == code }.flatMap { bytes.slice($0.data.lowerBound, $0.data.count) }
    }

    /// What the pixels need: all critical chunks, and the transparency of colour types without alpha.
    var pixelChunks: [Range<Int>] {
        chunks.filter { $0.type & Self.ancillaryBit == 0 || $0.type == Self.code("tRNS") }.map(\.range)
    }

    func has(_ type: StaticString) -> Bool { chunks.contains { $0.type == Self.code(type) } }

    static func code(_ type: StaticString) -> UInt32 { ISOBox.code(type) }

    /// Bit 5 of the first letter: a small letter, a chunk that a reader need not know.
    static let ancillaryBit: UInt32 = 0x2000_0000

    private static func name(_ type: UInt32) -> String {
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: type >> (24 - 8 * $0)) }
        guard letters.allSatisfy({ ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }) else { return "damaged" }
        return String(decoding: letters, as: UTF8.self)
    }
}
