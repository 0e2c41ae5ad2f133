extension EXIFPolicy {
    /// The block with `date` as DateTimeOriginal, where neither it nor the XMP packets that stand beside it tell that date
    /// by the rules of the metadata reader. A date known to the day gets the time 00:00:00, which EXIF cannot do without.
    static func dated(_ block: [UInt8]?, beside packets: [[UInt8]] = [], _ date: CaptureDate?) -> [UInt8]? {
        // What the source has of higher rank is no date in the year of this one either.
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

    /// DateTimeOriginal with its offset and subseconds (EXIF 2.32, section 4.6.5 D and F). One that stands in IFD0, and
    /// whatever belonged to another date, goes.
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
            // The first version with offsets, and of no type that ends with NUL.
            let entry = Entry(tag: Self.version, type: 7, count: 4, value: Array("0231".utf8))
            directories[.exif, default: []].append(entry)
        }
    }

    private mutating func add(_ tag: UInt16, _ text: [UInt8]) {
        directories[.exif, default: []].append(Entry(tag: tag, type: 2, count: text.count + 1, value: text + [0]))
    }
}
