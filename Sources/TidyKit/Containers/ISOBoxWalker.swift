/// The position of one box of the ISO base media file format (ISO 14496-12, section 4.2; QuickTime calls it an atom).
struct ISOBox {
    /// Four characters.
    let type: UInt32
    /// The offset of the box, where its size field begins.
    let offset: Int64
    /// The offset of the payload, after size and type. A size of 64 bits comes after the type and takes eight more
    /// bytes.
    let start: Int64
    /// The end of the payload, clamped to the limit of the walk.
    let end: Int64
    /// The size that the box claims, including its header. A size of 0 claims everything up to the limit.
    let claimed: Int64
    /// True if the box claims more than there is.
    let isCut: Bool

    /// The first half of the identifier of a `uuid` box that holds XMP (XMP specification part 3, MPEG-4). No other
    /// identifier begins with it.
    static let xmpIdentifier: UInt64 = 0xBE7A_CFCB_97A9_42E8

    /// The offset of the four characters.
    var typeOffset: Int64 { offset + 4 }

    /// The length of the payload.
    var length: Int { Int(clamping: end - start) }

    static func code(_ text: StaticString) -> UInt32 {
        text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

/// Walks adjacent boxes between two offsets of a source. Each box takes at least eight bytes, so the walk ends whatever
/// the boxes claim.
struct ISOBoxWalker {
    /// Where the next box begins.
    private(set) var at: Int64
    let limit: Int64
    private var left: Int

    /// - Parameter most: the largest number of boxes that are returned.
    init(from start: Int64 = 0, to limit: Int64, most: Int = .max) {
        at = start
        self.limit = limit
        left = most
    }

    /// Nil if no box fits: fewer bytes are left than a header, or the size is less than that of its own header.
    mutating func next<Source: ByteSource & ~Copyable>(
        in source: inout Source
    ) throws(Source.Failure) -> ISOBox? {
        guard left > 0, at >= 0, limit - at >= 8 else { return nil }
        let header = try source.view(at: at, 16)
        guard let size = header.u32(0), let type = header.u32(4) else { return nil }
        var headerLength: Int64 = 8
        var claimed = Int64(size)
        if size == 0 { claimed = limit - at }
        if size == 1 {
            headerLength = 16
            guard let large = header.int64(8), limit - at >= headerLength else { return nil }
            claimed = Int64(large)
        }
        guard claimed >= headerLength else { return nil }
        let box = ISOBox(
            type: type, offset: at, start: at + headerLength, end: at + min(claimed, limit - at), claimed: claimed,
            isCut: claimed > limit - at)
        left -= 1
        at = box.end
        return box
    }
}

/// Adjacent boxes in memory, with their payloads.
struct ISOBoxes: Sequence, IteratorProtocol {
    private var source: MemorySource
    private var walker: ISOBoxWalker

    init(_ content: ByteView) {
        source = MemorySource(bytes: content)
        walker = ISOBoxWalker(to: source.byteCount)
    }

    mutating func next() -> (type: UInt32, content: ByteView)? {
        guard let box = walker.next(in: &source), let content = source.bytes.slice(Int(box.start), box.length) else {
            return nil
        }
        return (box.type, content)
    }

    /// The payload of the first box of a type.
    static func first(_ type: StaticString, in content: ByteView) -> ByteView? {
        let code = ISOBox.code(type)
        for box in ISOBoxes(content) where box.type == code { return box.content }
        return nil
    }
}
