/// The few entries of makers' notes (EXIF tag 0x927C) that say which photos belong together. The tags and their values
/// are those that ExifTool documents (https://exiftool.org/TagNames).
struct MakerNote {
    /// MediaGroupUUID or ContentIdentifier, as iOS writes it (Apple's maker note, tag 0x0011).
    private(set) var contentIdentifier: String?
    private(set) var burst: String?
    private(set) var isBracketed = false
    private(set) var isFocusBracketed = false
    private(set) var isPanoramaPart = false

    /// The largest number of entries that are looked at.
    private static let maximumEntries = 200

    private enum Maker {
        case apple, canon, nikon, sony, olympus, panasonic, fujifilm
    }

    /// - Parameters:
    ///   - tiff: the EXIF block from its TIFF header on.
    ///   - coding: of the block.
    init(_ tiff: ByteView, at offset: Int, _ length: Int, _ coding: TIFFCoding) {
        guard length > 16, let note = tiff.slice(offset, length) else { return }
        if note.starts(with: "Apple iOS\0") {
            read(.apple, note, at: 14, TIFFCoding(order: .big))
        } else if note.starts(with: "Nikon\0"), let header = TIFFHeader(note.from(10)) {
            read(.nikon, note.from(10), at: Int(header.first), header.coding)
        } else if note.starts(with: "SONY DSC") || note.starts(with: "SONY CAM") {
            read(.sony, tiff, at: offset + 12, coding)
        } else if note.starts(with: "Panasonic\0") {
            read(.panasonic, tiff, at: offset + 12, coding)
        } else if note.starts(with: "FUJIFILM"), let start = note.int32(8, .little) {
            read(.fujifilm, note, at: start, TIFFCoding(order: .little))
        } else if note.starts(with: "OLYMPUS\0") || note.starts(with: "OM SYSTEM\0") {
            let header = note.starts(with: "OLYMPUS\0") ? 8 : 12
            let order: ByteOrder = note.starts(with: "MM", at: header) ? .big : .little
            read(.olympus, note, at: header + 4, TIFFCoding(order: order))
        } else if let count = note.int16(0, coding.order), (1...Self.maximumEntries).contains(count) {
            // Canon's begins with its directory.
            read(.canon, tiff, at: offset, coding)
        }
    }

    /// - Parameters:
    ///   - bytes: what the offsets of the note count from.
    ///   - start: of the directory.
    private mutating func read(_ maker: Maker, _ bytes: ByteView, at start: Int, _ coding: TIFFCoding) {
        var source = MemorySource(bytes: bytes)
        guard let table = TIFFDirectory.read(from: &source, at: Int64(start), coding, most: 2000) else { return }
        for entry in table.prefix(Self.maximumEntries) where Self.isWanted(entry.tag, by: maker) {
            guard let place = entry.place, let data = bytes.slice(Int(place.offset), place.byteCount) else { continue }
            take(
                entry.tag, of: maker, bytes,
                TIFFValue(type: place.type, count: place.count, bytes: data, order: coding.order))
        }
    }

    private static func isWanted(_ tag: Int, by maker: Maker) -> Bool {
        switch maker {
        case .apple: tag == 0x000B || tag == 0x0011
        case .canon: tag == 0x0004 || tag == 0x0005 || tag == 0x0093
        case .nikon: tag == 0x0089
        case .sony: tag == 0xB049
        case .olympus: tag == 0x2020 || tag == 0x0600
        case .panasonic: tag == 0x002A
        case .fujifilm: tag == 0x1100
        }
    }

    private mutating func take(_ tag: Int, of maker: Maker, _ bytes: ByteView, _ value: TIFFValue) {
        switch (maker, tag) {
        case (.apple, 0x000B): burst = burst ?? value.characters.text
        case (.apple, _): contentIdentifier = contentIdentifier ?? value.characters.text
        // ShotInfo: AEBBracketValue.
        case (.canon, 0x0004): if let shift = value.integer(15), shift != 0 { isBracketed = true }
        // Panorama: there in shots of the stitch assist alone.
        case (.canon, 0x0005): isPanoramaPart = true
        // FileInfo: BracketMode 1 (exposure), 2 (focus), 3 (ISO), 4 (white balance).
        case (.canon, _):
            switch value.integer(3) {
            case 1, 3, 4: isBracketed = true
            case 2: isFocusBracketed = true
            default: break
            }
        // ShootingMode: bits 4 (exposure), 6 (white balance) and 8 (Active D-Lighting).
        case (.nikon, _): if let mode = value.integer(), mode & 0x150 != 0 { isBracketed = true }
        // ReleaseMode: 5 (exposure), 6 (white balance), 8 (dynamic range).
        case (.sony, _): if let mode = value.integer(), [5, 6, 8].contains(mode) { isBracketed = true }
        case (.olympus, 0x2020):
            guard let start = value.integer(), start > 0 else { return }
            read(.olympus, bytes, at: start, TIFFCoding(order: value.order))
        // DriveMode of the camera settings: 2 (exposure), 3 (white balance), 4 (both).
        case (.olympus, _):
            if value.count > 1, let mode = value.integer(), (2...4).contains(mode) { isBracketed = true }
        // BurstMode: 2 (exposure), 3 (focus), 8 (white balance), 18 (aperture).
        case (.panasonic, _):
            switch value.integer() {
            case 2, 8, 18: isBracketed = true
            case 3: isFocusBracketed = true
            default: break
            }
        // AutoBracketing: 1 is on.
        case (.fujifilm, _): if value.integer() == 1 { isBracketed = true }
        }
    }
}
