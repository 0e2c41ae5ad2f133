/// How EXIF stands in the APP1 segments of a JPEG (EXIF 2.32, section 4.5.4; CIPA DC-008 for blocks of several segments).
enum EXIFSegment {
    /// A shorter EXIF segment holds its whole block.
    static let mostInOneSegment = 0xFF00

    /// Where `Exif\0\0` stands in the first bytes of an APP1 segment: a few writers put up to four bytes in front.
    static func exifStart(_ head: ByteView) -> Int? { (0...4).first { isExif(head, at: $0) } }

    /// True for a segment, from its marker on, that goes on with the EXIF block of the one before.
    static func continuesExif(_ segment: ByteView) -> Bool {
        guard segment[0] == 0xFF, segment[1] == 0xE1, let size = segment.int16(2), size > 8 else { return false }
        return isExif(segment, at: 4) && !segment.starts(with: "II", at: 10) && !segment.starts(with: "MM", at: 10)
    }

    private static func isExif(_ head: ByteView, at offset: Int) -> Bool {
        head.starts(with: "Exif\0", at: offset) || head.starts(with: "EXIF\0", at: offset)
            || head.starts(with: "exif\0", at: offset)
    }
}
