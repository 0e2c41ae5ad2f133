internal import CZlib

/// A PNG in memory whose chunks are checked for completeness.
struct PNGFile {
    private struct Chunk {
        let type: UInt32
        /// Length, type, data and CRC, clamped to the end of the file.
        let range: Range<Int>
        var data: Range<Int> { range.lowerBound + 8..<range.upperBound - 4 }
        let isAncillary: Bool
    }

    struct Header {
        let width: Int
        let height: Int
        /// Bits per sample, 1…16.
        let depth: UInt8
        let colorType: UInt8
        let isInterlaced: Bool

        /// True for gray pictures with or without alpha.
        var isGray: Bool { colorType == 0 || colorType == 4 }
        var hasAlphaChannel: Bool { colorType & 4 != 0 }
    }

    let header: Header
    private var chunks: [Chunk] = []
    /// What is wrong with the file; the chunks before it are available nevertheless.
    private(set) var damage: String?
    /// An IDAT chunk that claims to extend past the end of the file.
    private(set) var cutChunk: Range<Int>?

    /// More chunks than any writer makes.
    private static let maximumChunks = 1_000_000

    /// Nil without a header.
    init?(_ bytes: ByteView) {
        guard let start = bytes.slice(8, 25), start.u32(4) == PNGChunk.code("IHDR"), start.u32(0) == 13,
            let width = start.int32(8), let height = start.int32(12), let depth = start[16], let color = start[17],
            let interlace = start[20], width > 0, height > 0
        else { return nil }
        header = Header(width: width, height: height, depth: depth, colorType: color, isInterlaced: interlace != 0)
        walk(bytes)
    }

    private mutating func walk(_ bytes: ByteView) {
        var source = MemorySource(bytes: bytes)
        var walker = PNGWalker()
        while chunks.count < Self.maximumChunks {
            guard let chunk = walker.next(in: &source) else {
                damage = damage ?? "the PNG ends before its IEND chunk"
                return
            }
            let (at, end) = (Int(chunk.offset), Int(chunk.end))
            guard let content = bytes.slice(at + 4, chunk.length + 4), let sum = bytes.u32(end - 4) else {
                damage = damage ?? "the PNG ends within its \(chunk.name ?? "damaged") chunk"
                // A decoder may be able to use the pixels that are there.
                if chunk.type == PNGChunk.code("IDAT"), at + 8 < bytes.count {
                    cutChunk = at..<bytes.count
                    chunks.append(Chunk(type: chunk.type, range: at..<bytes.count, isAncillary: false))
                }
                return
            }
            // libspng checks the chunks that are passed to it.
            if chunk.isAncillary, crc32_z(0, content.start, content.count) != UInt(sum) {
                damage = damage ?? "the checksum of the PNG's \(chunk.name ?? "damaged") chunk is wrong"
            } else {
                chunks.append(Chunk(type: chunk.type, range: at..<end, isAncillary: chunk.isAncillary))
            }
            if chunk.type == PNGChunk.code("IEND") { return }
        }
        damage = damage ?? "too many chunks"
    }

    func first(_ type: StaticString, in bytes: ByteView) -> ByteView? {
        let code = PNGChunk.code(type)
        return chunks.first { $0.type == code }.flatMap { bytes.slice($0.data.lowerBound, $0.data.count) }
    }

    /// The chunks that pixels need: all critical ones, and the transparency of colour types without alpha.
    var pixelChunks: [Range<Int>] {
        chunks.filter { !$0.isAncillary || $0.type == PNGChunk.code("tRNS") }.map(\.range)
    }

    func has(_ type: StaticString) -> Bool { chunks.contains { $0.type == PNGChunk.code(type) } }
}
