/// JPEG 2000 and JPEG XL: the size, and EXIF and XMP in boxes of their own.
enum JPEG2000AndXLMetadata {
    static func read(_ parts: inout MetadataParts, into findings: inout MetadataFindings) throws(POSIXError) {
        let head = try parts.window.view(at: 0, 16)
        if head[0] == 0xFF {
            if findings.format == .jxl { return readSize(head.from(2), into: &findings) }
            // SIZ (ISO 15444-1, annex A.5.1): the size of the grid minus the offset of the picture in it.
            let size = try parts.window.view(at: 4, 20)
            return readGrid(size.from(4), into: &findings)
        }
        var boxes = ISOBoxWalker(from: 12, to: parts.window.byteCount, most: 1000)
        while let box = try boxes.next(in: &parts.window) {
            switch box.type {
            case ISOBox.code("jp2h"):
                if let size = ISOBoxes.first("ihdr", in: try parts.window.view(at: box.start, 4096)) {
                    findings.height = size.int32(0)
                    findings.width = size.int32(4)
                }
            case ISOBox.code("jxlc"):
                readSize(try parts.window.view(at: box.start, 18).from(2), into: &findings)
            case ISOBox.code("jxlp") where findings.width == nil:
                let part = try parts.window.view(at: box.start, 22)
                if part[4] == 0xFF, part[5] == 0x0A { readSize(part.from(6), into: &findings) }
            case ISOBox.code("Exif"):
                let block = try parts.window.view(at: box.start, box.length)
                if let skip = block.int32(0) { parts.readTIFFBlock(block.from(4 + skip), into: &findings) }
            case ISOBox.code("uuid"):
                let content = try parts.window.view(at: box.start, box.length)
                if content.starts(with: "JpgTiffExif->JP2") { parts.readTIFFBlock(content.from(16), into: &findings) }
                if content.u64(0) == ISOBox.xmpIdentifier { parts.readXMP(content.from(16), into: &findings) }
            case ISOBox.code("xml "):
                parts.readXMP(try parts.window.view(at: box.start, box.length), into: &findings)
            default: break
            }
        }
    }

    private static func readGrid(_ grid: ByteView, into findings: inout MetadataFindings) {
        guard let right = grid.int32(0), let bottom = grid.int32(4), let left = grid.int32(8), let top = grid.int32(12),
            right > left, bottom > top
        else { return }
        findings.width = right - left
        findings.height = bottom - top
    }

    /// The SizeHeader of a JPEG XL codestream (ISO 18181-1, annex D.2); bits are read from the lowest up.
    private static func readSize(_ bytes: ByteView, into findings: inout MetadataFindings) {
        var at = 0
        func read(_ count: Int) -> Int {
            var value = 0
            for bit in 0..<count {
                value |= Int((bytes[(at + bit) / 8] ?? 0) >> UInt8((at + bit) % 8) & 1) << bit
            }
            at += count
            return value
        }
        func readDimension() -> Int { read([9, 13, 18, 30][read(2)]) + 1 }
        let isSmall = read(1) == 1
        let height = isSmall ? (read(5) + 1) * 8 : readDimension()
        let ratio = read(3)
        let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        findings.height = height
        if ratio > 0 {
            findings.width = height * ratios[ratio - 1].0 / ratios[ratio - 1].1
        } else {
            findings.width = isSmall ? (read(5) + 1) * 8 : readDimension()
        }
    }
}
