/// What the `meta` box of a HEIF file says: which item is the picture, its properties, and where EXIF and XMP stand.
struct HEIFDirectory {
    struct Extent {
        var offset: Int64
        var length: Int64
    }

    struct Item {
        enum Kind { case exif, xmp }
        let identifier: Int
        let kind: Kind
        var extents: [Extent] = []
        /// The `idat` box where the item lies in it and not in the file.
        var inlineData: [UInt8]?
    }

    struct Properties {
        /// Upright.
        var width: Int?
        var height: Int?
        var orientation: Orientation
        /// Of the stored picture.
        var crop: PictureTransform.Crop?
        /// A crop behind a turn, or several.
        var isCroppedLater = false
    }

    /// More than any camera writes; a file that has more is not read to its end.
    private static let mostItems = 20_000

    private(set) var metadataItems: [Item] = []
    private(set) var primaryProperties = Properties(orientation: .upright)

    /// `meta` is the content of the box, with the version and flags of a full box in front.
    init(_ meta: ByteView) {
        let content = meta.from(4)
        let primary = ISOBoxes.first("pitm", in: content).flatMap { box in
            box[0] == 0 ? box.int16(4) : box.int32(4)
        }
        if let box = ISOBoxes.first("iinf", in: content) { findItems(box) }
        if let box = ISOBoxes.first("iref", in: content), let primary { preferItems(describing: primary, box) }
        if let box = ISOBoxes.first("iloc", in: content), !metadataItems.isEmpty {
            locateItems(box, inlineData: ISOBoxes.first("idat", in: content))
        }
        if let box = ISOBoxes.first("iprp", in: content) { readProperties(of: primary, box) }
    }

    /// `iinf`, section 8.11.6 of ISO 14496-12: only the items that hold metadata are kept.
    private mutating func findItems(_ box: ByteView) {
        let entries = box.from(box[0] == 0 ? 6 : 8)
        for (index, entry) in ISOBoxes(entries).enumerated() where entry.type == ISOBox.code("infe") {
            guard index < Self.mostItems, metadataItems.count < 64 else { return }
            let wide = entry.content[0] == 3
            guard entry.content[0] == 2 || wide,
                let identifier = wide ? entry.content.int32(4) : entry.content.int16(4)
            else { continue }
            let at = wide ? 10 : 8
            if entry.content.starts(with: "Exif", at: at) {
                metadataItems.append(Item(identifier: identifier, kind: .exif))
            } else if entry.content.starts(with: "mime", at: at) {
                let name = entry.content.from(at + 4)
                let type = name.from((name.firstIndex(of: 0) ?? name.count) + 1).untilNUL
                if type.starts(with: "application/rdf+xml") {
                    metadataItems.append(Item(identifier: identifier, kind: .xmp))
                }
            }
        }
    }

    /// `iref`: items that describe (`cdsc`) the primary picture come first; a thumbnail or a gain map has its own.
    private mutating func preferItems(describing primary: Int, _ box: ByteView) {
        let wide = box[0] != 0
        var describing: [Int] = []
        for reference in ISOBoxes(box.from(4)) where reference.type == ISOBox.code("cdsc") {
            let size = wide ? 4 : 2
            func identifier(_ at: Int) -> Int? {
                wide ? reference.content.int32(at) : reference.content.int16(at)
            }
            guard let from = identifier(0), let count = reference.content.int16(size) else { continue }
            for index in 0..<min(count, 1000) where identifier(size + 2 + index * size) == primary {
                describing.append(from)
            }
        }
        let chosen = metadataItems.filter { describing.contains($0.identifier) }
        metadataItems = chosen + metadataItems.filter { item in !describing.contains(item.identifier) }
    }

    /// `iloc`, section 8.11.3 of ISO 14496-12.
    private mutating func locateItems(_ box: ByteView, inlineData: ByteView?) {
        guard let version = box[0], version <= 2, let sizes = box.int16(4) else { return }
        let offsetSize = sizes >> 12
        let lengthSize = sizes >> 8 & 15
        let baseSize = sizes >> 4 & 15
        let indexSize = version == 0 ? 0 : sizes & 15
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
        guard let count = version == 2 ? take(4) : take(2) else { return }
        for _ in 0..<min(count, Self.mostItems) {
            guard let identifier = version == 2 ? take(4) : take(2), let method = version == 0 ? 0 : take(2),
                take(2) != nil, let base = take(baseSize), let extents = take(2)
            else { return }
            let item = metadataItems.firstIndex { $0.identifier == identifier }
            for _ in 0..<extents {
                guard take(indexSize) != nil, let offset = take(offsetSize), let length = take(lengthSize) else {
                    return
                }
                guard let item, metadataItems[item].extents.count < 256 else { continue }
                let (start, overflow) = base.addingReportingOverflow(offset)
                if !overflow { metadataItems[item].extents.append(Extent(offset: Int64(start), length: Int64(length))) }
            }
            if let item, method & 15 == 1 { metadataItems[item].inlineData = inlineData.map { Array($0.buffer) } ?? [] }
            if let item, method & 15 > 1 { metadataItems[item].extents = [] }
        }
    }

    /// `iprp`: the properties of the primary item in the order in which they apply (ISO 23008-12, section 6.5).
    private mutating func readProperties(of primary: Int?, _ box: ByteView) {
        guard let container = ISOBoxes.first("ipco", in: box) else { return }
        var all: [(type: UInt32, content: ByteView)] = []
        for property in ISOBoxes(container) {
            guard all.count < Self.mostItems else { break }
            all.append(property)
        }
        var transform = PictureTransform()
        var crops = 0
        for index in associations(of: primary, box) where index > 0 && index <= all.count {
            let property = all[index - 1].content
            switch all[index - 1].type {
            case ISOBox.code("ispe"):
                guard let width = property.int32(4), let height = property.int32(8) else { continue }
                transform.setSize(width, height)
            case ISOBox.code("clap"):
                transform.crop(property)
                crops += 1
            case ISOBox.code("irot"): transform.turnLeft(quarters: Int(property[0] ?? 0) & 3)
            case ISOBox.code("imir"): transform.mirror(leftAndRight: (property[0] ?? 0) & 1 == 1)
            default: continue
            }
        }
        primaryProperties = Properties(
            width: transform.width, height: transform.height, orientation: transform.orientation, crop: transform.crop,
            isCroppedLater: crops > (transform.crop == nil ? 0 : 1))
    }

    /// `ipma`: the numbers, from 1, of the properties of an item; of the first item where no primary one is named.
    private func associations(of primary: Int?, _ box: ByteView) -> [Int] {
        for entry in ISOBoxes(box) where entry.type == ISOBox.code("ipma") {
            let content = entry.content
            guard let version = content[0], let flags = content[3], let count = content.int32(4) else { continue }
            var at = 8
            for _ in 0..<min(count, Self.mostItems) {
                guard let identifier = version == 0 ? content.int16(at) : content.int32(at) else { break }
                at += version == 0 ? 2 : 4
                guard let number = content[at].map(Int.init) else { break }
                at += 1
                let size = flags & 1 == 1 ? 2 : 1
                if identifier == primary ?? identifier {
                    return (0..<number).compactMap { index in
                        size == 2
                            ? content.int16(at + index * 2).map { $0 & 0x7FFF }
                            : content[at + index].map { Int($0 & 0x7F) }
                    }
                }
                at += number * size
            }
        }
        return []
    }
}
