/// The location of the content of one item in a HEIF file (`iloc`, ISO 14496-12, section 8.11.3).
struct HEIFLocation {
    struct Extent {
        var offset: Int64
        var length: Int64
    }

    let identifier: Int
    /// construction_method: 0 in the file, 1 in the `idat` box, 2 in another item.
    let method: Int
    var extents: [Extent] = []
    /// False if an extent was left out, because there are too many or its offset overflows.
    var isWhole = true

    /// More items than any camera writes. The rest of a larger file is not read.
    static let mostItems = 20_000
    private static let mostExtents = 256

    /// All locations in the box that are plausible.
    /// - Parameter limit: the largest number of items.
    static func all(in box: ByteView, limit: Int) -> [HEIFLocation] {
        guard let version = box[0], version <= 2, let sizes = box.int16(4) else { return [] }
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexSize = version == 0 ? 0 : sizes & 15
        // Readers interpret fields of other sizes differently.
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else { return [] }
        // Extents without bytes could be claimed endlessly.
        let isEmpty = offsetSize + lengthSize + indexSize == 0
        var at = 6
        func take(_ size: Int) -> Int? {
            defer { at += size }
            switch size {
            case 0: return 0
            case 2: return box.int16(at)
            case 4: return box.int32(at)
            case 8: return box.int64(at)
            default: return nil
            }
        }
        var found: [HEIFLocation] = []
        guard let count = version == 2 ? take(4) : take(2) else { return [] }
        for _ in 0..<min(count, limit) {
            guard let identifier = version == 2 ? take(4) : take(2), let method = version == 0 ? 0 : take(2),
                take(2) != nil, let base = take(baseSize), let extents = take(2)
            else { return found }
            var location = HEIFLocation(identifier: identifier, method: method & 15)
            for _ in 0..<(isEmpty ? min(extents, 1) : extents) {
                guard take(indexSize) != nil, let offset = take(offsetSize), let length = take(lengthSize) else {
                    return found
                }
                location.add(base, offset, length)
            }
            found.append(location)
        }
        return found
    }

    private mutating func add(_ base: Int, _ offset: Int, _ length: Int) {
        let (start, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, extents.count < Self.mostExtents else {
            isWhole = false
            return
        }
        extents.append(Extent(offset: Int64(start), length: Int64(length)))
    }
}

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
