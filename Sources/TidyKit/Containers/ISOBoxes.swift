/// The boxes that stand one after another in a piece of memory.
struct ISOBoxes: Sequence, IteratorProtocol {
    private var rest: ByteView

    init(_ content: ByteView) { rest = content }

    mutating func next() -> (type: UInt32, content: ByteView)? {
        guard let size = rest.u32(0), let type = rest.u32(4) else { return nil }
        var header = 8
        var length = Int(size)
        if size == 0 { length = rest.count }
        if size == 1 {
            header = 16
            guard let large = rest.int64(8) else { return nil }
            length = large
        }
        length = Swift.min(length, rest.count)
        guard length >= header, let content = rest.slice(header, length - header) else { return nil }
        rest = rest.from(length)
        return (type, content)
    }

    /// The content of the first box of a type.
    static func first(_ type: StaticString, in content: ByteView) -> ByteView? {
        let code = ISOBox.code(type)
        for box in ISOBoxes(content) where box.type == code { return box.content }
        return nil
    }
}
