/// AVI (Microsoft's RIFF, Multimedia Data Standards Update 3): the header list `hdrl` with its streams, and the dates that
/// cameras write: `IDIT` within it, `ICRD` in the list `INFO`, wherever that stands.
struct AVIChunks {
    private struct Chunk {
        /// Four characters.
        let type: UInt32
        /// Behind type and length.
        let start: Int64
        let end: Int64

        var length: Int { Int(clamping: end - start) }
        /// Chunks begin at even places.
        var next: Int64 { end + (end - start) % 2 }
    }

    /// Of one list; indexes of OpenDML files come as thousands of chunks, in lists that nobody enters.
    private static let mostChunks = 500
    /// `strl` stands in `hdrl`; lists that hold themselves would go on to the end of the stack.
    private static let deepest = 4
    private static let longestText = 256

    /// `IDIT` counts before `ICRD`.
    private var digitized: DateText?
    private var created: DateText?
    private var streamDuration: Double?
    private var streamSize: (width: Int, height: Int)?

    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        var chunks = AVIChunks()
        try chunks.walk(from: 12, to: parts.window.byteCount, depth: 0, &parts, into: &findings)
        if findings.width == nil, let size = chunks.streamSize { (findings.width, findings.height) = size }
        // The main header counts the frames of the first gigabyte only; that of a stream counts all.
        findings.duration = chunks.streamDuration ?? findings.duration
        findings.movieDate = (chunks.digitized ?? chunks.created).map { findings.date($0, .quickTime) }
        if findings.width == nil, findings.duration == nil {
            findings.problems.append(Problem("no header list: the file is cut short or damaged"))
        }
    }

    private mutating func walk(
        from start: Int64, to end: Int64, depth: Int, _ parts: inout MetadataParts,
        into findings: inout MetadataFindings
    ) throws(POSIXError) {
        var at = start
        for _ in 0..<Self.mostChunks {
            guard end - at >= 8 else { return }
            let header = try parts.window.view(at: at, 12)
            guard let type = header.u32(0), let length = header.int32(4, .little) else { return }
            let chunk = Chunk(type: type, start: at + 8, end: min(at + 8 + Int64(length), end))
            if type == ISOBox.code("LIST"), let name = header.u32(8) {
                switch name {
                case ISOBox.code("hdrl"), ISOBox.code("strl"), ISOBox.code("INFO"):
                    guard depth < Self.deepest else { break }
                    try walk(from: chunk.start + 4, to: chunk.end, depth: depth + 1, &parts, into: &findings)
                default: break
                }
            } else {
                try take(chunk, &parts, into: &findings)
            }
            at = chunk.next
        }
    }

    private mutating func take(
        _ chunk: Chunk, _ parts: inout MetadataParts, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        switch chunk.type {
        case ISOBox.code("avih"):
            let header = try parts.window.view(at: chunk.start, min(chunk.length, 40))
            findings.width = header.int32(32, .little).flatMap { $0 > 0 ? $0 : nil }
            findings.height = header.int32(36, .little).flatMap { $0 > 0 ? $0 : nil }
            if let microseconds = header.u32(0, .little), let frames = header.u32(16, .little), microseconds > 0,
                frames > 0
            {
                findings.duration = Double(microseconds) * Double(frames) / 1e6
            }
        case ISOBox.code("strh"):
            let header = try parts.window.view(at: chunk.start, min(chunk.length, 36))
            guard streamDuration == nil, header.starts(with: "vids"), let scale = header.u32(20, .little),
                let rate = header.u32(24, .little), let frames = header.u32(32, .little), scale > 0, rate > 0,
                frames > 0
            else { return }
            streamDuration = Double(frames) * Double(scale) / Double(rate)
        case ISOBox.code("strf"):
            // BITMAPINFOHEADER; the format of sound is shorter.
            let header = try parts.window.view(at: chunk.start, min(chunk.length, 40))
            guard streamSize == nil, header.u32(0, .little) == 40, let width = header.u32(4, .little),
                let height = header.u32(8, .little), width > 0, height != 0
            else { return }
            streamSize = (
                Int(Int32(bitPattern: width).magnitude), Int(Int32(bitPattern: height).magnitude)
            )
        case ISOBox.code("IDIT"): try Self.takeDate(chunk, &parts, into: &digitized)
        case ISOBox.code("ICRD"): try Self.takeDate(chunk, &parts, into: &created)
        default: return
        }
    }

    private static func takeDate(
        _ chunk: Chunk, _ parts: inout MetadataParts, into place: inout DateText?
    ) throws(POSIXError) {
        let text = try parts.window.view(at: chunk.start, min(chunk.length, Self.longestText))
        guard place == nil, let date = DateText(riff: text), date.isPlausible(now: parts.now) else { return }
        place = date
    }
}
