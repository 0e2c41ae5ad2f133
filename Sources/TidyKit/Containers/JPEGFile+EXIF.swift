extension JPEGFile {
    /// An EXIF block and its position: one segment, or several consecutive ones if a maker note is large.
    struct EXIFBlock {
        /// The indices of its segments.
        var segments: Range<Int>
        /// From the byte order mark on.
        var bytes: [UInt8]
    }

    /// The largest part of an EXIF block in one APP1 segment: the length field counts itself, and `Exif\0\0` comes
    /// first.
    private static let maximumBlockBytes = 0xFFFF - 2 - exifHeader.count
    private static let exifHeader = Array("Exif\0\0".utf8)

    /// The EXIF blocks, joined as by the metadata reader but without a limit: in a truncated block, offsets would lead
    /// nowhere.
    func exifBlocks(in bytes: [UInt8]) -> [EXIFBlock] {
        var blocks: [EXIFBlock] = []
        for (index, segment) in segments.enumerated() where segment.content(in: bytes) == .exif {
            if let last = blocks.last, last.segments.contains(index) { continue }
            guard let start = segment.exifStart(in: bytes) else { continue }
            var block = EXIFBlock(
                segments: index..<index + 1,
                bytes: Array(bytes[segment.payload].dropFirst(start + Self.exifHeader.count)))
            if segment.payload.count > EXIFSegment.maximumInOneSegment {
                while continues(block, in: bytes) {
                    let next = segments[block.segments.upperBound]
                    block.bytes += bytes[next.payload].dropFirst(Self.exifHeader.count)
                    block.segments = index..<block.segments.upperBound + 1
                }
            }
            blocks.append(block)
        }
        return blocks
    }

    /// The block that counts, as for the metadata reader: the first with a directory, otherwise the first that is not
    /// empty.
    func exifBlock(in bytes: [UInt8]) -> EXIFBlock? {
        let blocks = exifBlocks(in: bytes)
        return blocks.first { EXIFDirectories($0.bytes) != nil } ?? blocks.first { !$0.bytes.isEmpty }
    }

    private func continues(_ block: EXIFBlock, in bytes: [UInt8]) -> Bool {
        let next = block.segments.upperBound
        guard next < segments.count,
            segments[next].range.lowerBound == segments[next - 1].range.upperBound
        else { return false }
        return bytes[segments[next].range].withUnsafeBytes { EXIFSegment.continuesExif(ByteView($0)) }
    }

    /// The APP1 segments of a block of any length. All but the last are filled, and no continuation begins like a block
    /// of its own.
    static func segments(exif block: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = block[...]
        while !rest.isEmpty {
            var length = min(rest.count, maximumBlockBytes)
            while length < rest.count, length > EXIFSegment.maximumInOneSegment,
                ["II", "MM"].contains(where: { rest.dropFirst(length).starts(with: $0.utf8) })
            {
                length -= 1
            }
            bytes += segment(app1, exifHeader + rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return bytes
    }
}

extension JPEGFile.Segment {
    /// The position of `Exif\0\0` in the payload, searched as far as the metadata reader does.
    func exifStart(in bytes: [UInt8]) -> Int? {
        guard marker == JPEGFile.app1 else { return nil }
        return bytes[payload.prefix(12)].withUnsafeBytes { EXIFSegment.exifStart(ByteView($0)) }
    }
}

/// How EXIF is stored in APP1 segments (EXIF 2.32, section 4.5.4; CIPA DC-008 for blocks of several segments).
enum EXIFSegment {
    /// A segment that is shorter than this contains a complete block.
    static let maximumInOneSegment = 0xFF00

    /// The position of `Exif\0\0` at the start of an APP1 segment: a few writers put up to four bytes before it.
    static func exifStart(_ head: ByteView) -> Int? { (0...4).first { isExif(head, at: $0) } }

    /// True if a segment, which starts at its marker, continues the EXIF block of the one before.
    static func continuesExif(_ segment: ByteView) -> Bool {
        guard segment[0] == 0xFF, segment[1] == 0xE1, let size = segment.int16(2), size > 8 else { return false }
        return isExif(segment, at: 4) && !segment.starts(with: "II", at: 10) && !segment.starts(with: "MM", at: 10)
    }

    private static func isExif(_ head: ByteView, at offset: Int) -> Bool {
        head.starts(with: "Exif\0", at: offset) || head.starts(with: "EXIF\0", at: offset)
            || head.starts(with: "exif\0", at: offset)
    }
}
