/// The `meta` box of a HEIF file: the primary item, its properties, and the locations of EXIF and XMP.
struct HEIFDirectory {
    struct Item {
        enum Kind { case exif, xmp }
        let identifier: Int
        let kind: Kind
        var extents: [HEIFLocation.Extent] = []
        /// The `idat` box, if the item is in it and not in the file.
        var inlineData: [UInt8]?
    }

    struct Properties {
        /// In pixels, upright.
        var width: Int?
        var height: Int?
        var orientation: Orientation
        /// In the stored picture.
        var crop: PictureTransform.Crop?
        /// True for a crop after a rotation, and for several crops.
        var isCroppedLater = false
    }

    private(set) var metadataItems: [Item] = []
    private(set) var primaryProperties = Properties(orientation: .upright)

    /// - Parameter meta: the content of the box, which begins with version and flags.
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

    /// `iinf` (ISO 14496-12, section 8.11.6): only items with metadata are kept.
    private mutating func findItems(_ box: ByteView) {
        let entries = box.from(box[0] == 0 ? 6 : 8)
        for (index, entry) in ISOBoxes(entries).enumerated() where entry.type == ISOBox.code("infe") {
            guard index < HEIFLocation.maximumItems, metadataItems.count < 64 else { return }
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

    /// `iref`: the items that describe (`cdsc`) the primary picture come first; a thumbnail or a gain map may have its
    /// own.
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

    private mutating func locateItems(_ box: ByteView, inlineData: ByteView?) {
        // One copy for all items in it.
        let inlineData = inlineData.map { Array($0.buffer) } ?? []
        for location in HEIFLocation.all(in: box, limit: HEIFLocation.maximumItems) {
            guard let item = metadataItems.firstIndex(where: { $0.identifier == location.identifier }) else { continue }
            if location.method > 1 {
                metadataItems[item].extents = []
                continue
            }
            metadataItems[item].extents += location.extents
            if location.method == 1 { metadataItems[item].inlineData = inlineData }
        }
    }

    /// `iprp`: the properties of the primary item, in the order in which they apply (ISO 23008-12, section 6.5).
    private mutating func readProperties(of primary: Int?, _ box: ByteView) {
        let properties = HEIFProperties(box, limit: HEIFLocation.maximumItems)
        var transform = PictureTransform()
        var crops = 0
        for place in properties.places(of: primary) {
            let (type, property) = properties.all[place]
            switch type {
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
}
