/// Item references in a HEIF file (`iref`, ISO 23008-12 and 14496-12 section 8.11.12).
enum HEIFReferences {
    /// A copy in which references of some types, such as `cdsc` (metadata describes) and `auxl` (auxiliary picture), are
    /// of a type that no reader knows; nil where there are none. Nothing moves, so every offset stays right.
    static func hidden(_ types: [String], in bytes: [UInt8]) -> [UInt8]? {
        var offsets: [Int] = []
        for meta in boxes("meta", in: bytes, 0..<bytes.count) {
            // Version and flags stand before the boxes inside.
            for references in boxes("iref", in: bytes, meta.dropFirst(4)) {
                for type in types {
                    offsets += boxes(type, in: bytes, references.dropFirst(4)).map { $0.lowerBound - 4 }
                }
            }
        }
        guard !offsets.isEmpty else { return nil }
        var copy = bytes
        for offset in offsets { copy.replaceSubrange(offset..<offset + 4, with: "hide".utf8) }
        return copy
    }

    /// The contents of the boxes of one type that lie side by side in `range`.
    private static func boxes(_ type: String, in bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
        func number(_ at: Int, _ size: Int) -> Int { bytes[at..<at + size].reduce(0) { $0 << 8 | Int($1) } }
        var found: [Range<Int>] = []
        var at = range.lowerBound
        while at + 8 <= range.upperBound {
            var length = number(at, 4)
            var header = 8
            if length == 1, at + 16 <= range.upperBound {
                guard bytes[at + 8] == 0 else { break }
                length = number(at + 8, 8)
                header = 16
            }
            if length == 0 { length = range.upperBound - at }
            guard length >= header, length <= range.upperBound - at else { break }
            if bytes[at + 4..<at + 8].elementsEqual(type.utf8) { found.append(at + header..<at + length) }
            at += length
        }
        return found
    }
}
