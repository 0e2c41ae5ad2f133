/// AVI (Microsoft's RIFF, Multimedia Data Standards Update 3): the header list `hdrl` with its streams, and the dates
/// of cameras: `IDIT` in `hdrl`, and `ICRD` in an `INFO` list at any position.
struct AVIMetadata {
    /// Per list. OpenDML files have thousands of index chunks, but in lists that are not entered.
    private static let maximumChunks = 500
    /// `strl` is in `hdrl`. The limit keeps nested lists of a hostile file from exhausting the stack.
    private static let deepest = 4
    private static let maximumTextBytes = 256

    /// `IDIT` takes precedence over `ICRD`.
    private var digitized: DateText?
    private var created: DateText?
    private var streamDuration: Double?
    private var streamSize: (width: Int, height: Int)?

    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        var found = AVIMetadata()
        let top = RIFFWalker(from: 12, to: parts.window.byteCount, most: maximumChunks)
        try found.read(top, depth: 0, &parts, into: &findings)
        if findings.width == nil, let size = found.streamSize { (findings.width, findings.height) = size }
        // The main header counts only the frames of the first gigabyte; a stream header counts all.
        findings.duration = found.streamDuration ?? findings.duration
        findings.movieDate = (found.digitized ?? found.created).map { findings.date($0, .quickTime) }
        if findings.width == nil, findings.duration == nil {
            findings.problems.append(Problem("no header list: the file is cut short or damaged"))
        }
    }

    private mutating func read(
        _ list: RIFFWalker, depth: Int, _ parts: inout MetadataParts, into findings: inout MetadataFindings
    ) throws(POSIXError) {
        var list = list
        while let chunk = try list.next(in: &parts.window) {
            guard chunk.type == ISOBox.code("LIST"), let form = chunk.form else {
                try read(chunk, &parts, into: &findings)
                continue
            }
            guard [ISOBox.code("hdrl"), ISOBox.code("strl"), ISOBox.code("INFO")].contains(form), depth < Self.deepest
            else { continue }
            let inner = RIFFWalker(from: chunk.listStart, to: chunk.end, most: Self.maximumChunks)
            try read(inner, depth: depth + 1, &parts, into: &findings)
        }
    }

    private mutating func read(
        _ chunk: RIFFChunk, _ parts: inout MetadataParts, into findings: inout MetadataFindings
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
            // BITMAPINFOHEADER; the format of an audio stream is shorter.
            let header = try parts.window.view(at: chunk.start, min(chunk.length, 40))
            guard streamSize == nil, header.u32(0, .little) == 40, let width = header.u32(4, .little),
                let height = header.u32(8, .little), width > 0, height != 0
            else { return }
            streamSize = (
                Int(Int32(bitPattern: width).magnitude), Int(Int32(bitPattern: height).magnitude)
            )
        case ISOBox.code("IDIT"): try Self.readDate(chunk, &parts, into: &digitized)
        case ISOBox.code("ICRD"): try Self.readDate(chunk, &parts, into: &created)
        default: return
        }
    }

    private static func readDate(
        _ chunk: RIFFChunk, _ parts: inout MetadataParts, into place: inout DateText?
    ) throws(POSIXError) {
        let text = try parts.window.view(at: chunk.start, min(chunk.length, Self.maximumTextBytes))
        guard place == nil, let date = DateText(riff: text), date.isPlausible(now: parts.now) else { return }
        place = date
    }
}
