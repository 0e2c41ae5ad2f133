/// Looks over the entries of an EXIF block before libexif does, and blanks those that nobody asks for. libexif copies
/// every value, the maker note and the thumbnail among them, and parses the maker note: 12 µs a block, 3 µs without.
struct ExifEntries {
    private let block: ByteView
    private let order: ByteOrder
    private var visited: [Int] = []

    /// `Exif\0\0` stands before the TIFF header, and offsets count from the header.
    private static let header = 6
    private static let makerNote = 0x927C

    /// What iOS writes as MediaGroupUUID or ContentIdentifier (Apple's maker note, tag 0x0011).
    private(set) var contentIdentifier: String?

    /// Zeroes tag and type of the entries that are not wanted, which libexif then passes over, and the link to IFD1.
    /// What does not look like a directory is left as it is.
    static func blankUnwanted(in block: UnsafeMutableRawBufferPointer) -> ExifEntries? {
        let view = ByteView(UnsafeRawBufferPointer(block))
        let order: ByteOrder
        if view.starts(with: "II*\0", at: header) {
            order = .little
        } else if view.starts(with: "MM\0*", at: header) {
            order = .big
        } else {
            return nil
        }
        var entries = ExifEntries(block: view, order: order)
        if let first = view.int32(header + 4, order) { entries.blank(first, as: .primary, block) }
        return entries
    }

    private init(block: ByteView, order: ByteOrder) {
        self.block = block
        self.order = order
    }

    private mutating func blank(
        _ start: Int, as directory: ExifFields.Directory, _ bytes: UnsafeMutableRawBufferPointer
    ) {
        let start = start + Self.header
        guard !visited.contains(start), visited.count < 4, let count = block.int16(start, order) else { return }
        visited.append(start)
        for index in 0..<count {
            let at = start + 2 + index * 12
            guard block.has(12, at: at), let tag = block.int16(at, order) else { return }
            switch tag {
            case 0x8769 where directory != .gps, 0x8825 where directory != .gps:
                if let offset = block.int32(at + 8, order) { blank(offset, as: tag == 0x8825 ? .gps : .exif, bytes) }
            case Self.makerNote where directory == .exif:
                readMakerNote(at)
                Self.zero(bytes, at)
            default:
                if !TIFFDirectories.isWanted(tag, in: directory) { Self.zero(bytes, at) }
            }
        }
        let link = start + 2 + count * 12
        if directory == .primary, block.has(4, at: link) { Self.zero(bytes, link) }
    }

    private static func zero(_ bytes: UnsafeMutableRawBufferPointer, _ at: Int) {
        bytes.storeBytes(of: 0, toByteOffset: at, as: UInt32.self)
    }

    /// `Apple iOS\0`, a version, `MM`, and a directory whose offsets count from the beginning of the note.
    private mutating func readMakerNote(_ entry: Int) {
        guard let length = block.int32(entry + 4, order), let offset = block.int32(entry + 8, order), length > 16,
            let note = block.slice(offset + Self.header, length), note.starts(with: "Apple iOS\0"),
            let count = note.int16(14)
        else { return }
        for index in 0..<min(count, 200) {
            let at = 16 + index * 12
            guard let tag = note.int16(at) else { return }
            guard tag == 0x0011, let length = note.int32(at + 4), let offset = note.int32(at + 8), length > 4 else {
                continue
            }
            contentIdentifier = note.slice(offset, length)?.untilNUL.text
            return
        }
    }
}
