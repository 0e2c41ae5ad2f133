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
        return boxes(of: "meta", in: source, from: 0, to: source.byteCount).flatMap { meta in
            self.offsets(ofReferences: types, inMeta: source, from: meta.start, to: meta.end)
        }
    }

    /// Same, in the content of one `meta` box.
    static func offsets(
        ofReferences types: [String], inMeta source: MemorySource, from start: Int64, to end: Int64
    ) -> [Int] {
        // The boxes inside come after the version and flags.
        boxes(of: "iref", in: source, from: start + 4, to: end).flatMap { references in
            types.flatMap { type in
                boxes(of: type, in: source, from: references.start + 4, to: references.end)
                    .map { Int($0.typeOffset) }
            }
        }
    }

    /// The boxes of one type between two offsets. Stops at a box that claims more than there is, because the changed
    /// copy must not be parsed differently from how libheif parses it.
    private static func boxes(
        of type: String, in source: MemorySource, from start: Int64, to end: Int64
    ) -> [ISOBox] {
        let code = type.utf8.reduce(0) { $0 << 8 | UInt32($1) }
        var source = source
        var walker = ISOBoxWalker(from: start, to: end)
        var found: [ISOBox] = []
        while let box = walker.next(in: &source), !box.isCut {
            if box.type == code { found.append(box) }
        }
        return found
    }
}
