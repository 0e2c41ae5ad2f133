/// Item references in a HEIF file (`iref`, ISO 23008-12 and 14496-12 section 8.11.12).
enum HEIFReferences {
    /// A copy in which the references of some types, such as `cdsc` (content description) and `auxl` (auxiliary
    /// picture), have a type that no reader knows; nil if there are none. No byte moves, so every offset stays valid.
    static func hidden(_ types: [String], in bytes: [UInt8]) -> [UInt8]? {
        let offsets = bytes.withView { (view) -> [Int] in self.offsets(ofReferences: types, in: view) }
        guard !offsets.isEmpty else { return nil }
        var copy = bytes
        for offset in offsets { copy.replaceSubrange(offset..<offset + 4, with: "hide".utf8) }
        return copy
    }

    /// The offsets of the type fields of these references.
    private static func offsets(ofReferences types: [String], in bytes: ByteView) -> [Int] {
        let source = MemorySource(bytes: bytes)
        var offsets: [Int] = []
        for meta in payloads(of: "meta", in: source, 0..<source.byteCount) {
            // The boxes inside come after the version and flags.
            for references in payloads(of: "iref", in: source, meta.dropFirst(4)) {
                for type in types {
                    offsets += payloads(of: type, in: source, references.dropFirst(4)).map { Int($0.lowerBound) - 4 }
                }
            }
        }
        return offsets
    }

    /// The payloads of the boxes of one type in `range`. Stops at a box that claims more than there is, because the
    /// changed copy must not be parsed differently from how libheif parses it.
    private static func payloads(of type: String, in source: MemorySource, _ range: Range<Int64>) -> [Range<Int64>] {
        let code = type.utf8.reduce(0) { $0 << 8 | UInt32($1) }
        var source = source
        var walker = ISOBoxWalker(from: range.lowerBound, to: range.upperBound)
        var found: [Range<Int64>] = []
        while let box = walker.next(in: &source), !box.isCut {
            if box.type == code { found.append(box.start..<box.end) }
        }
        return found
    }
}
