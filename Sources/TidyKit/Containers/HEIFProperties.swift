/// The properties of the items of a HEIF file (`iprp`, ISO 23008-12, section 9.3).
struct HEIFProperties {
    private(set) var all: [(type: UInt32, content: ByteView)] = []
    /// The property numbers of each item, from 1, in the order in which they apply.
    private var numbers: [Int: [Int]] = [:]
    /// The item that is listed first.
    private var first: Int?

    /// - Parameter limit: the largest number of properties, and of items.
    init(_ box: ByteView, limit: Int) {
        guard let container = ISOBoxes.first("ipco", in: box) else { return }
        for property in ISOBoxes(container) {
            guard all.count < limit else { break }
            all.append(property)
        }
        for entry in ISOBoxes(box) where entry.type == ISOBox.code("ipma") { associate(entry.content, limit) }
    }

    /// Their indices in `all`; those of the first item if `item` is nil.
    func places(of item: Int?) -> [Int] {
        guard let item = item ?? first, let numbers = numbers[item] else { return [] }
        return numbers.compactMap { $0 > 0 && $0 <= all.count ? $0 - 1 : nil }
    }

    /// `ipma`. If an item is listed twice, its first entry counts.
    private mutating func associate(_ content: ByteView, _ limit: Int) {
        guard let version = content[0], let flags = content[3], let count = content.int32(4) else { return }
        let isWide = flags & 1 == 1
        var at = 8
        for _ in 0..<min(count, limit) {
            guard let identifier = version == 0 ? content.int16(at) : content.int32(at) else { return }
            at += version == 0 ? 2 : 4
            guard let number = content[at].map(Int.init) else { return }
            at += 1
            let size = isWide ? 2 : 1
            if numbers[identifier] == nil {
                first = first ?? identifier
                numbers[identifier] = (0..<number).compactMap { index in
                    isWide
                        ? content.int16(at + index * 2).map { $0 & 0x7FFF }
                        : content[at + index].map { Int($0 & 0x7F) }
                }
            }
            at += number * size
        }
    }
}
