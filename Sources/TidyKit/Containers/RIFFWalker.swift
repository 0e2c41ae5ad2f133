/// The position of one chunk of a RIFF file (Microsoft's Multimedia Programming Interface, chapter 2).
struct RIFFChunk {
    /// Four characters.
    let type: UInt32
    /// The list type of a `LIST` or the form of a `RIFF`: the first four characters of its payload.
    let form: UInt32?
    /// The offset of the payload, after type and length.
    let start: Int64
    /// The end of the payload, clamped to the limit of the walk.
    let end: Int64
    /// True if the chunk claims more than there is.
    let isCut: Bool

    /// The length of the payload.
    var length: Int { Int(clamping: end - start) }
    /// The offset of the first chunk in a list.
    var listStart: Int64 { start + 4 }
}

/// Walks adjacent chunks between two offsets of a source. To enter a list, a client starts another walk.
struct RIFFWalker {
    private var at: Int64
    private let limit: Int64
    private var left: Int

    /// - Parameter most: the largest number of chunks that are returned.
    init(from start: Int64, to limit: Int64, most: Int = .max) {
        at = start
        self.limit = limit
        left = most
    }

    /// Nil if fewer bytes are left than a header takes.
    mutating func next<Source: ByteSource & ~Copyable>(
        in source: inout Source
    ) throws(Source.Failure) -> RIFFChunk? {
        guard left > 0, limit - at >= 8 else { return nil }
        let header = try source.view(at: at, 16)
        guard let type = header.u32(0), let length = header.u32(4, .little) else { return nil }
        let start = at + 8
        let chunk = RIFFChunk(
            type: type, form: header.u32(8), start: start, end: min(start + Int64(length), limit),
            isCut: start + Int64(length) > limit)
        left -= 1
        // Chunks begin at even offsets.
        at = chunk.end + (chunk.end - chunk.start) % 2
        return chunk
    }
}
