/// GIF89a: the logical screen, and the application block in which editors store XMP.
enum GIFMetadata {
    private static let maximumBlocks = 5000
    /// Editors store XMP before the pictures. A long animation is not searched any further.
    private static let farthest: Int64 = 1 << 18

    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let header = try parts.window.view(at: 0, 13)
        findings.width = header.int16(6, .little).flatMap { $0 > 0 ? $0 : nil }
        findings.height = header.int16(8, .little).flatMap { $0 > 0 ? $0 : nil }
        guard let flags = header[10] else { return }
        var at = 13 + tableLength(flags)
        var blocks = 0
        while blocks < maximumBlocks, at < farthest {
            blocks += 1
            let head = try parts.window.view(at: at, 14)
            switch head[0] {
            case 0x21:
                // An XMP packet is not a sequence of sub-blocks; the 258 bytes after it lead a reader to its end.
                if head[1] == 0xFF, head.starts(with: "XMP DataXMP", at: 3) {
                    let body = try parts.window.view(at: at + 14, 1 << 20)
                    let end = body.firstIndex(of: "<?xpacket end").map { $0 + 19 } ?? body.firstIndex(of: 1) ?? 0
                    parts.readXMP(body.prefix(end), into: &findings)
                    return
                }
                at += 2
            case 0x2C:
                let image = try parts.window.view(at: at, 10)
                guard let flags = image[9] else { return }
                at += 11 + tableLength(flags)
            default: return
            }
            while let length = try parts.window.view(at: at, 1)[0], blocks < maximumBlocks, at < farthest {
                at += 1 + Int64(length)
                blocks += 1
                if length == 0 { break }
            }
        }
    }

    private static func tableLength(_ flags: UInt8) -> Int64 { flags & 0x80 == 0 ? 0 : 3 << (Int64(flags & 7) + 1) }
}

/// BMP: the size in BITMAPCOREHEADER, or in BITMAPINFOHEADER and its successors; a negative height is stored top down.
enum BitmapMetadata {
    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let header = try parts.window.view(at: 0, 26)
        if header.u32(14, .little) == 12 {
            findings.width = header.int16(18, .little)
            findings.height = header.int16(20, .little)
        } else {
            findings.width = header.u32(18, .little).map { Int(Int32(bitPattern: $0).magnitude) }
            findings.height = header.u32(22, .little).map { Int(Int32(bitPattern: $0).magnitude) }
        }
    }
}
