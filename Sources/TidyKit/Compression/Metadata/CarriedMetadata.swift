/// What a source says in places that the copy will not have, to be written to EXIF.
struct CarriedMetadata {
    var taken: CaptureDate?
    /// By the IFD0 tag that they belong to.
    var texts: [UInt16: String] = [:]
    /// If the pixels are kept as they are.
    var orientation: Orientation?
    /// Of a Live Photo whose video remains beside the new picture.
    var contentIdentifier: String?

    var hasTexts: Bool { taken != nil || !texts.isEmpty }

    /// Without the orientation the picture would be shown on its side; without the identifier it would lose its video.
    var withoutTexts: CarriedMetadata {
        var carried = CarriedMetadata()
        carried.orientation = orientation
        carried.contentIdentifier = contentIdentifier
        return carried
    }

    /// The block with these values, unless it has them.
    func added(to block: [UInt8]?) -> [UInt8]? {
        AppleMakerNote.added(
            contentIdentifier, to: Self.filled(EXIFPolicy.dated(block, taken), texts, orientation))
    }

    /// The block with the texts and the orientation that it lacks.
    static func filled(
        _ block: [UInt8]?, _ texts: [UInt16: String], _ orientation: Orientation? = nil
    ) -> [UInt8]? {
        var directories = EXIFDirectories(isBigEndian: true)
        if let block {
            // Maker notes hold offsets into the block as it is.
            guard let old = EXIFDirectories(block), old.entry(EXIFDirectories.makerNote, in: .exif) == nil else {
                return block
            }
            directories = old
        }
        var isChanged = false
        for (tag, text) in texts.sorted(by: { $0.key < $1.key }) where !directories.holdsText(tag) {
            directories.set(tag, to: text)
            isChanged = true
        }
        let told = directories.entry(EXIFDirectories.orientation, in: .main).flatMap(directories.number)
        if let orientation, told.flatMap(Orientation.init) == nil {
            directories.set(EXIFDirectories.orientation, in: .main, type: 3, to: orientation.rawValue)
            isChanged = true
        }
        return isChanged ? directories.serialized() : block
    }
}

extension EXIFDirectories {
    static let makerNote: UInt16 = 0x927C

    fileprivate func holdsText(_ tag: UInt16) -> Bool {
        entry(tag, in: .main)?.value.contains { $0 > 0x20 } == true
    }

    fileprivate mutating func set(_ tag: UInt16, to text: String) {
        directories[.main, default: []].removeAll { $0.tag == tag }
        let value = text.utf8 + [0]
        directories[.main, default: []].append(Entry(tag: tag, type: 2, count: value.count, value: Array(value)))
    }
}

extension SourceMetadata {
    /// What `safe` writes to EXIF, because the places that held it are dropped.
    var carried: CarriedMetadata {
        var carried = CarriedMetadata()
        carried.taken = taken
        for tag in [Self.artist, Self.copyright] { carried.texts[tag] = packetTexts[tag] ?? texts[tag] }
        carried.contentIdentifier = contentIdentifier
        if exifOrientation == nil, packetOrientation != .upright { carried.orientation = packetOrientation }
        return carried
    }
}
