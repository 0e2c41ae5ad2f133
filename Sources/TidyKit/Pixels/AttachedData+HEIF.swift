/// Attached data of HEIC and AVIF: the trailer of a phone, a clip, items that are no part of the picture.
extension AttachedData {
    private static func codes(_ names: [StaticString]) -> Set<UInt32> { Set(names.map { ISOBox.code($0) }) }

    /// Boxes that hold no data of their own, or only the directory of the items.
    private static let plainBoxes = codes(["ftyp", "meta", "free", "skip", "wide"])
    /// What the directory of the items consists of (ISO 14496-12, section 8.11).
    private static let directoryBoxes = codes([
        "hdlr", "pitm", "iinf", "iloc", "iprp", "iref", "idat", "dinf", "free", "skip",
    ])

    /// All bytes but those of items and plain boxes; boxes that the directory of items does not need; and items that
    /// the main picture does not show. False if one of these is not whole.
    static func heif(_ file: ByteView, _ digest: inout PictureDigest) -> Bool {
        guard let meta = ISOBoxes.first("meta", in: file)?.from(4) else { return false }
        let items = HEIFItemTable(meta, fileBytes: file.count)
        digest.add(allBut: plainRanges(of: file) + items.ranges(method: 0), of: file)
        digest.add(allBut: items.ranges(method: 1), of: ISOBoxes.first("idat", in: meta) ?? .empty)
        for box in ISOBoxes(meta) where !directoryBoxes.contains(box.type) {
            digest.add(Int(box.type))
            digest.add(box.content)
        }
        return items.visitPictures(in: file, onlyUnshown: true) { digest.add($0) }
    }

    private static func plainRanges(of file: ByteView) -> [Range<Int>] {
        var source = MemorySource(bytes: file)
        var walker = ISOBoxWalker(to: source.byteCount)
        var plain: [Range<Int>] = []
        while let box = walker.next(in: &source) {
            let isXMP = box.type == ISOBox.code("uuid") && file.u64(Int(box.start)) == ISOBox.xmpIdentifier
            if plainBoxes.contains(box.type) || isXMP {
                plain.append(Int(box.offset)..<Int(box.end))
            } else if box.type == ISOBox.code("mdat") {
                // Its length follows that of the metadata.
                plain.append(Int(box.offset)..<Int(box.start))
            }
        }
        return plain
    }
}

extension PictureDigest {
    /// Adds each run of bytes that no range covers. Ranges may overlap, and lead past the end.
    mutating func add(allBut ranges: [Range<Int>], of bytes: ByteView) {
        var at = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > at {
            if let gap = bytes.slice(at, range.lowerBound - at), !gap.isEmpty { add(gap) }
            at = range.upperBound
        }
        let rest = bytes.from(at)
        if !rest.isEmpty { add(rest) }
    }
}
