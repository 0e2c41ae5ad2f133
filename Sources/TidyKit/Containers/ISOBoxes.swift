/// One box of the ISO base media file format (ISO 14496-12, section 4.2; QuickTime calls them atoms), by its place.
struct ISOBox {
    /// Four characters.
    let type: UInt32
    /// Where the payload stands in the source, behind size and type.
    let start: Int64
    /// Behind the payload: at the limit of the walk at the latest, whatever the box claims.
    let end: Int64
    /// What the box claims to take, its header included; a size of 0 claims all up to the limit.
    let claimed: Int64
    /// It claims more than there is.
    let isCut: Bool

    /// The first half of the identifier of a `uuid` box that holds XMP (XMP specification part 3, MPEG-4); no other
    /// identifier begins so.
    static let xmpIdentifier: UInt64 = 0xBE7A_CFCB_97A9_42E8

    /// Of the payload.
    var length: Int { Int(clamping: end - start) }

    static func code(_ text: StaticString) -> UInt32 {
        text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

/// Walks the boxes that lie side by side between two places of a source. Each takes eight bytes at least, so that a walk
/// ends whatever the boxes claim.
struct ISOBoxWalker {
    /// Where the next box begins.
    private(set) var at: Int64
    let limit: Int64
    private var left: Int

    /// - Parameter most: boxes that are yielded.
    init(from start: Int64 = 0, to limit: Int64, most: Int = .max) {
        at = start
        self.limit = limit
        left = most
    }

    /// Nil where no box can stand: less than a header is left, or the size says less than its own header takes.
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
            type: type, start: at + headerLength, end: at + min(claimed, limit - at), claimed: claimed,
            isCut: claimed > limit - at)
        left -= 1
        at = box.end
        return box
    }
}

/// The boxes that stand one after another in a piece of memory, with their payloads.
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
