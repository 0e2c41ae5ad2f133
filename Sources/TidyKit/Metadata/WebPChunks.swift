/// WebP: the chunks of a RIFF file (WebP container specification).
enum WebPChunks {
    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        var at: Int64 = 12
        for _ in 0..<10_000 {
            let header = try parts.window.view(at: at, 18)
            guard let length = header.int32(4, .little) else { break }
            if header.starts(with: "VP8X") {
                setSize(header.u32(12, .little).map { Int($0 & 0xFF_FFFF) + 1 }, into: &findings.width)
                setSize(
                    header.u16(15, .little).flatMap { low in header[17].map { (Int(low) | Int($0) << 16) + 1 } },
                    into: &findings.height)
            } else if header.starts(with: "VP8 ") {
                let frame = try parts.window.view(at: at + 8, 10)
                // The start code of a key frame (RFC 6386, section 9.1).
                if frame[3] == 0x9D, frame[4] == 0x01, frame[5] == 0x2A {
                    setSize(frame.u16(6, .little).map { Int($0 & 0x3FFF) }, into: &findings.width)
                    setSize(frame.u16(8, .little).map { Int($0 & 0x3FFF) }, into: &findings.height)
                }
            } else if header.starts(with: "VP8L"), header[8] == 0x2F, let bits = header.u32(9, .little) {
                setSize(Int(bits & 0x3FFF) + 1, into: &findings.width)
                setSize(Int(bits >> 14 & 0x3FFF) + 1, into: &findings.height)
            } else if header.starts(with: "EXIF") {
                parts.readTIFFBlock(try parts.window.view(at: at + 8, length), into: &findings)
            } else if header.starts(with: "XMP ") {
                parts.readXMP(try parts.window.view(at: at + 8, length), into: &findings)
            }
            at += 8 + Int64(length) + Int64(length & 1)
        }
        if findings.width == nil { findings.problems.append(Problem("no picture in the file")) }
    }

    /// The first chunk that tells a size is the canvas.
    private static func setSize(_ value: Int?, into size: inout Int?) {
        if size == nil, let value, value > 0 { size = value }
    }
}
