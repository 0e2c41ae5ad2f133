/// The boxes at the top of a HEIF file (ISO/IEC 14496-12, section 4.2).
enum HEIFBoxes {
    /// What writers put there; what has another name may be a trailer, which is no box at all.
    private static let known: Set<UInt32> = Set(
        ["ftyp", "meta", "mdat", "moov", "moof", "mpvd", "free", "skip", "wide", "uuid", "idat", "jumb"].map(code))

    private static func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    /// What is missing of a file that was cut; nil where it holds its boxes whole.
    static func damage(_ bytes: ByteView) -> String? {
        var at = 0
        for _ in 0..<100_000 {
            guard let short = bytes.u32(at), let type = bytes.u32(at + 4), known.contains(type) else { return nil }
            let length: Int
            switch short {
            case 0: return nil
            case 1:
                guard let long = bytes.int64(at + 8), long >= 16 else { return nil }
                length = long
            default: length = Int(short)
            }
            guard length >= 8 else { return nil }
            guard length <= bytes.count - at else { return "the file ends within one of its boxes" }
            at += length
        }
        return nil
    }
}
