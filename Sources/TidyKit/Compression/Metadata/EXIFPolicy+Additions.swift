extension EXIFPolicy {
    /// The block with `date` as DateTimeOriginal, unless the metadata reader already finds that date in the block or in
    /// the XMP packets beside it. A date without a time gets 00:00:00, which EXIF requires.
    static func dated(_ block: [UInt8]?, beside packets: [[UInt8]] = [], _ date: CaptureDate?) -> [UInt8]? {
        // The higher-ranking values of the source are not a date in this year either.
        guard let date,
            MetadataReader.captureDate(exif: block, packets: packets, now: date.wall)?.text != date.text
        else { return block }
        var directories = EXIFDirectories(isBigEndian: true)
        if let block {
            // Maker notes hold offsets into the block as it is.
            guard let old = EXIFDirectories(block), old.entry(EXIFDirectories.makerNote, in: .exif) == nil else {
                return block
            }
            directories = old
        }
        directories.setDateTimeOriginal(date)
        return directories.serialized()
    }
}

extension EXIFDirectories {
    private static let version: UInt16 = 0x9000
    private static let dateTimeOriginal: UInt16 = 0x9003
    private static let offsetTimeOriginal: UInt16 = 0x9011
    private static let subSecTimeOriginal: UInt16 = 0x9291

    /// DateTimeOriginal with its offset and subseconds (EXIF 2.32, section 4.6.5 D and F). A copy of the tag in IFD0,
    /// and the parts of another date, are removed.
    mutating func setDateTimeOriginal(_ date: CaptureDate) {
        for tag in [Self.dateTimeOriginal, Self.offsetTimeOriginal, Self.subSecTimeOriginal] {
            directories[.main]?.removeAll { $0.tag == tag }
            directories[.exif]?.removeAll { $0.tag == tag }
        }
        let text = date.wall.text.utf8.map { character in
            switch character {
            case UInt8(ascii: "-"): UInt8(ascii: ":")
            case UInt8(ascii: "T"): UInt8(ascii: " ")
            default: character
            }
        }
        add(Self.dateTimeOriginal, text)
        if let minutes = date.offsetMinutes {
            add(Self.offsetTimeOriginal, Array((minutes == 0 ? "+00:00" : CaptureDate.offsetText(minutes)).utf8))
        }
        if let subseconds = date.subseconds { add(Self.subSecTimeOriginal, Array(subseconds.utf8)) }
        if entry(Self.version, in: .exif) == nil {
            // The first version with offsets. Its type has no terminating NUL.
            let entry = Entry(tag: Self.version, type: 7, count: 4, value: Array("0231".utf8))
            directories[.exif, default: []].append(entry)
        }
    }

    private mutating func add(_ tag: UInt16, _ text: [UInt8]) {
        directories[.exif, default: []].append(Entry(tag: tag, type: 2, count: text.count + 1, value: text + [0]))
    }
}

/// An iPhone's maker note with only the content identifier, by which the video of a Live Photo is found. The original
/// note contains more than `--metadata safe` allows.
enum AppleMakerNote {
    private static let contentIdentifier: UInt16 = 0x0011
    /// An identifier is a UUID of 36 characters; anything much longer is not an identifier.
    private static let maximumIdentifierBytes = 128

    /// `Apple iOS`, a version, and a big-endian directory whose offsets count from the start of the note.
    static func bytes(_ identifier: String) -> [UInt8]? {
        let text = identifier.utf8 + [0]
        // A value of up to four bytes would be in the entry itself.
        guard text.count > 4, text.count <= maximumIdentifierBytes, !text.dropLast().contains(0) else { return nil }
        let order = EXIFDirectories(isBigEndian: true)
        let head = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8)
        let entry =
            order.bytes(Int(contentIdentifier), size: 2) + order.bytes(2, size: 2) + order.bytes(text.count, size: 4)
        // Two bytes for the count, one entry of twelve, no next directory.
        let start = head.count + 2 + 12 + 4
        return head + order.bytes(1, size: 2) + entry + order.bytes(start, size: 4) + order.bytes(0, size: 4) + text
    }

    /// The EXIF block with this note; unchanged if there is no identifier or the block already has a note.
    static func added(_ identifier: String?, to block: [UInt8]?) -> [UInt8]? {
        guard let note = identifier.flatMap(bytes) else { return block }
        var directories = block.flatMap { EXIFDirectories($0) } ?? EXIFDirectories(isBigEndian: true)
        guard directories.entry(EXIFDirectories.makerNote, in: .exif) == nil else { return block }
        let entry = EXIFDirectories.Entry(
            tag: EXIFDirectories.makerNote, type: 7, count: note.count, value: note)
        directories.directories[.exif, default: []].append(entry)
        return directories.serialized()
    }
}
