/// WebP (WebP container specification): EXIF, XMP, and the size from the first chunk that has one.
enum WebPMetadata {
    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        var chunks = RIFFWalker(from: 12, to: parts.window.byteCount, most: 10_000)
        while let chunk = try chunks.next(in: &parts.window) {
            switch chunk.type {
            case ISOBox.code("VP8X"), ISOBox.code("VP8 "), ISOBox.code("VP8L"):
                readSize(try parts.window.view(at: chunk.start, 10), chunk.type, into: &findings)
            case ISOBox.code("EXIF"):
                parts.readTIFFBlock(try parts.window.view(at: chunk.start, chunk.length), into: &findings)
            case ISOBox.code("XMP "):
                parts.readXMP(try parts.window.view(at: chunk.start, chunk.length), into: &findings)
            default: break
            }
        }
        if findings.width == nil { findings.problems.append(Problem("no picture in the file")) }
    }

    /// - Parameter head: the first ten bytes of a chunk of `type`, which is the canvas or a picture.
    private static func readSize(_ head: ByteView, _ type: UInt32, into findings: inout MetadataFindings) {
        switch type {
        case ISOBox.code("VP8X"):
            setSize(head.u32(4, .little).map { Int($0 & 0xFF_FFFF) + 1 }, into: &findings.width)
            setSize(
                head.u16(7, .little).flatMap { low in head[9].map { (Int(low) | Int($0) << 16) + 1 } },
                into: &findings.height)
        case ISOBox.code("VP8 "):
            // The start code of a key frame (RFC 6386, section 9.1).
            guard head[3] == 0x9D, head[4] == 0x01, head[5] == 0x2A else { return }
            setSize(head.u16(6, .little).map { Int($0 & 0x3FFF) }, into: &findings.width)
            setSize(head.u16(8, .little).map { Int($0 & 0x3FFF) }, into: &findings.height)
        default:
            guard head[0] == 0x2F, let bits = head.u32(1, .little) else { return }
            setSize(Int(bits & 0x3FFF) + 1, into: &findings.width)
            setSize(Int(bits >> 14 & 0x3FFF) + 1, into: &findings.height)
        }
    }

    /// The first chunk with a size describes the canvas.
    private static func setSize(_ value: Int?, into size: inout Int?) {
        if size == nil, let value, value > 0 { size = value }
    }
}
