/// The properties of the items of a HEIF file (`iprp`, ISO 23008-12, section 9.3).
struct HEIFProperties {
    private(set) var all: [(type: UInt32, content: ByteView)] = []
    /// The numbers, from 1, of the properties of an item, in the order in which they apply.
    private var numbers: [Int: [Int]] = [:]
    /// The item that stands first.
    private var first: Int?

    /// - Parameter limit: of properties and of items.
    init(_ box: ByteView, limit: Int) {
        guard let container = ISOBoxes.first("ipco", in: box) else { return }
        for property in ISOBoxes(container) {
            guard all.count < limit else { break }
            all.append(property)
        }
        for entry in ISOBoxes(box) where entry.type == ISOBox.code("ipma") { associate(entry.content, limit) }
    }

    /// Their places in `all`; of the first item where none is named.
    func places(of item: Int?) -> [Int] {
        guard let item = item ?? first, let numbers = numbers[item] else { return [] }
        return numbers.compactMap { $0 > 0 && $0 <= all.count ? $0 - 1 : nil }
    }

    /// `ipma`. An item that comes twice has what came first.
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
