internal import CExif

/// Scans the entries of an EXIF block before libexif does, and blanks those that are not needed. libexif copies every
/// value, including the maker note and the thumbnail, and parses the maker note: 12 µs per block instead of 3 µs.
struct ExifEntries {
    private var source: MemorySource
    private let coding: TIFFCoding
    private var visited: [Int64] = []

    /// The block begins with `Exif\0\0`; offsets count from the TIFF header after it.
    private static let header = 6
    private static let makerNote = 0x927C
    private static let maximumDirectories = 4

    private(set) var note: MakerNote?

    /// Zeroes tag and type of the unneeded entries, which libexif then skips, and the link to IFD1. Data that do not
    /// look like a directory are left unchanged.
    static func blankUnwanted(in block: UnsafeMutableRawBufferPointer) -> ExifEntries? {
        let tiff = ByteView(UnsafeRawBufferPointer(block)).from(header)
        guard let header = TIFFHeader(tiff), header.number == TIFFHeader.tiff else { return nil }
        var entries = ExifEntries(source: MemorySource(bytes: tiff), coding: header.coding)
        entries.blank(header.first, as: .primary, block)
        return entries
    }

    private init(source: MemorySource, coding: TIFFCoding) {
        self.source = source
        self.coding = coding
    }

    private mutating func blank(
        _ start: Int64, as directory: ExifFields.Directory, _ block: UnsafeMutableRawBufferPointer
    ) {
        guard !visited.contains(start), visited.count < Self.maximumDirectories,
            let table = TIFFDirectory.read(from: &source, at: start, coding)
        else { return }
        visited.append(start)
        for entry in table {
            guard entry.isWhole else { return }
            switch entry.tag {
            case 0x8769 where directory != .gps, 0x8825 where directory != .gps:
                guard let offset = entry.pointer else { continue }
                blank(Int64(offset), as: entry.tag == 0x8825 ? .gps : .exif, block)
            case Self.makerNote where directory == .exif:
                if let length = entry.count, let offset = entry.pointer {
                    note = MakerNote(source.bytes, at: offset, length, coding)
                }
                Self.zero(block, entry.offset)
            default:
                if !TIFFReader.isWanted(entry.tag, in: directory) { Self.zero(block, entry.offset) }
            }
        }
        if directory == .primary, let link = table.nextField { Self.zero(block, link) }
    }

    /// - Parameter offset: of four bytes, from the TIFF header.
    private static func zero(_ block: UnsafeMutableRawBufferPointer, _ offset: Int64) {
        block.storeBytes(of: 0, toByteOffset: header + Int(offset), as: UInt32.self)
    }
}
