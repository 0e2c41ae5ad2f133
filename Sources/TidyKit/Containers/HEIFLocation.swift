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

    /// The bytes of all extents.
    var length: Int64 { extents.reduce(0) { $0.addingClamped($1.length) } }

    /// More items than any camera writes. The rest of a larger file is not read.
    static let maximumItems = 20_000
    private static let maximumExtents = 256

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
        func read(_ size: Int) -> Int? {
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
        guard let count = version == 2 ? read(4) : read(2) else { return [] }
        for _ in 0..<min(count, limit) {
            guard let identifier = version == 2 ? read(4) : read(2), let method = version == 0 ? 0 : read(2),
                read(2) != nil, let base = read(baseSize), let extents = read(2)
            else { return found }
            var location = HEIFLocation(identifier: identifier, method: method & 15)
            for _ in 0..<(isEmpty ? min(extents, 1) : extents) {
                guard read(indexSize) != nil, let offset = read(offsetSize), let length = read(lengthSize) else {
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
        guard !overflow, extents.count < Self.maximumExtents else {
            isWhole = false
            return
        }
        extents.append(Extent(offset: Int64(start), length: Int64(length)))
    }
}
