/// One chunk of a RIFF file (Microsoft's Multimedia Programming Interface, chapter 2), by its place.
struct RIFFChunk {
    /// Four characters.
    let type: UInt32
    /// What a `LIST` holds, or the form of a `RIFF`: the four characters that its payload begins with.
    let form: UInt32?
    /// Where the payload stands in the source, behind type and length.
    let start: Int64
    /// Behind the payload: at the limit of the walk at the latest, whatever the chunk claims.
    let end: Int64
    /// It claims more than there is.
    let isCut: Bool

    /// Of the payload.
    var length: Int { Int(clamping: end - start) }
    /// Where the payload of a list goes on with its chunks.
    var listStart: Int64 { start + 4 }
}

/// Walks the chunks that lie side by side between two places of a source. A client enters a list by a walk of its own.
struct RIFFWalker {
    private var at: Int64
    private let limit: Int64
    private var left: Int

    /// - Parameter most: chunks that are yielded.
    init(from start: Int64, to limit: Int64, most: Int = .max) {
        at = start
        self.limit = limit
        left = most
    }

    /// Nil where less than a header is left.
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
        // Chunks begin at even places.
        at = chunk.end + (chunk.end - chunk.start) % 2
        return chunk
    }
}
