/// Reads the directories of TIFF, BigTIFF, and RAW formats that are TIFF files with another number in the header. Also
/// reads EXIF blocks that libexif refuses.
struct TIFFReader {
    /// One picture of the file, as described by its directory.
    struct Picture {
        /// NewSubfileType (0x00FE), bit 0: a reduced version of another picture in the file.
        var isReduced = false
        var width: Int?
        var height: Int?
        var compression: Int?
        var photometric: Int?

        /// True for a colour filter array, linear raw, or a maker's own compression of either.
        var holdsSensorData: Bool {
            [32803, 34892].contains(photometric) || [34713, 32767, 65535, 32770].contains(compression)
        }

        var area: Int {
            guard let width, let height else { return 0 }
            return width.multipliedReportingOverflow(by: height).overflow ? 0 : width * height
        }
    }

    /// The pictures in the order of the file; children follow their parent.
    private(set) var pictures: [Picture] = []
    /// The packet of tag 0x02BC.
    private(set) var xmp: (offset: Int64, length: Int)?
    /// The datasets of tag 0x83BB (IPTC-NAA), and Photoshop's resources of tag 0x8649.
    private(set) var iptc: [(offset: Int64, length: Int)] = []
    /// An embedded JPEG file (Panasonic's tag 0x002E, JpgFromRaw).
    private(set) var jpeg: (offset: Int64, length: Int)?
    /// True if DNGVersion (0xC612) is present.
    private(set) var isDNG = false
    /// Panasonic's tags 4…7: top, left, bottom, right.
    private(set) var borders: [Int?] = [nil, nil, nil, nil]
    /// True if a directory was outside the file.
    private(set) var isCutShort = false

    private let base: Int64
    private var coding = TIFFCoding(order: .big)
    private var visited: [Int64] = []
    private var entriesLeft = 20_000

    private static let maximumDirectories = 40
    /// The largest number of consecutive directories; the others are reached through tags.
    private static let maximumPages = 8
    private static let maximumValueBytes = 1 << 16

    /// - Parameters:
    ///   - base: the offset of the TIFF header in `source`.
    ///   - first: the kind of the first directory.
    init<Source: ByteSource & ~Copyable>(
        _ source: inout Source, base: Int64 = 0, first: ExifFields.Directory = .primary,
        into fields: inout ExifFields
    ) throws(Source.Failure) {
        self.base = base
        guard let header = TIFFHeader(try source.view(at: base, 16)) else { return }
        coding = header.coding
        var next = header.first
        var number = 0
        while next != 0, number < Self.maximumPages {
            let directory = number == 0 ? first : nil
            guard let following = try walk(next, as: directory, &source, into: &fields) else { break }
            next = following
            number += 1
        }
    }

    /// - Parameter block: an EXIF block in memory, which begins with its TIFF header.
    static func read(_ block: ByteView, as first: ExifFields.Directory = .primary, into fields: inout ExifFields) {
        var source = MemorySource(bytes: block)
        _ = TIFFReader(&source, first: first, into: &fields)
    }

    var holdsSensorData: Bool { pictures.contains { $0.holdsSensorData } }

    /// The largest picture of sensor data, otherwise the largest one that is not a reduced version of another.
    var mainPicture: Picture? {
        var candidates = pictures.filter { $0.holdsSensorData && $0.area > 0 && !$0.isReduced }
        if candidates.isEmpty { candidates = pictures.filter { $0.area > 0 && !$0.isReduced } }
        if candidates.isEmpty { candidates = pictures }
        return candidates.max { $0.area < $1.area }
    }

    /// Reads one directory and all below it.
    /// - Returns: the offset of the next directory; 0 if there is none.
    private mutating func walk<Source: ByteSource & ~Copyable>(
        _ start: Int64, as directory: ExifFields.Directory?, _ source: inout Source, into fields: inout ExifFields
    ) throws(Source.Failure) -> Int64? {
        guard start > 0, start < source.byteCount - base, !visited.contains(start),
            visited.count < Self.maximumDirectories
        else {
            if start >= source.byteCount - base { isCutShort = true }
            return nil
        }
        visited.append(start)
        guard let table = try TIFFDirectory.read(from: &source, base: base, at: start, coding, most: entriesLeft),
            table.count > 0
        else { return nil }
        entriesLeft -= table.count
        if table.isCut { isCutShort = true }
        // Reading a value moves the window away from the table.
        let wanted = table.filter { Self.isWanted($0.tag, in: directory) }.compactMap { entry in
            entry.place.map { (tag: entry.tag, place: $0) }
        }
        let following = table.next ?? 0
        var found = Found()
        for (tag, place) in wanted {
            let bytes = try source.view(at: base + place.offset, min(place.byteCount, Self.maximumValueBytes))
            let value = TIFFValue(type: place.type, count: place.count, bytes: bytes, order: coding.order)
            found.read(tag, in: directory, value)
            if directory == .primary { read(tag, place, value) }
            if let directory { fields.read(tag, in: directory, value) }
        }
        if directory == nil || directory == .primary { pictures.append(found.picture) }
        for child in found.children { _ = try walk(child.offset, as: child.directory, &source, into: &fields) }
        return following
    }

    /// What one directory says about a picture, and the directories below it.
    private struct Found {
        var picture = Picture()
        var children: [(directory: ExifFields.Directory?, offset: Int64)] = []

        /// TIFF 6.0, section 8; EXIF 2.32, section 4.6.3; SubIFDs (0x014A) of TIFF/EP.
        mutating func read(_ tag: Int, in directory: ExifFields.Directory?, _ value: TIFFValue) {
            switch tag {
            case 0x00FE: picture.isReduced = (value.integer() ?? 0) & 1 == 1
            case 0x0103: picture.compression = value.integer()
            case 0x0106: picture.photometric = value.integer()
            case 0x0100 where directory != .gps: picture.width = value.integer()
            case 0x0101 where directory != .gps: picture.height = value.integer()
            case 0x8769, 0x8825:
                guard directory == .primary || directory == .exif, let offset = value.integer() else { return }
                children.append((tag == 0x8769 ? .exif : .gps, Int64(offset)))
            case 0x014A:
                for index in 0..<min(value.count, 8) {
                    if let offset = value.integer(index) { children.append((nil, Int64(offset))) }
                }
            default: return
            }
        }
    }

    /// The tags that only the first directory of a file has.
    private mutating func read(_ tag: Int, _ place: TIFFEntry.Place, _ value: TIFFValue) {
        switch tag {
        case 0x02BC where xmp == nil: xmp = (base + place.offset, place.byteCount)
        case 0x83BB, 0x8649: iptc.append((base + place.offset, place.byteCount))
        case 0x002E: jpeg = (base + place.offset, place.byteCount)
        case 0xC612: isDNG = true
        case 4...7: borders[tag - 4] = value.integer()
        default: return
        }
    }

    /// The tags that `ExifFields` and this reader need.
    static func isWanted(_ tag: Int, in directory: ExifFields.Directory?) -> Bool {
        if directory == .gps { return (1...4).contains(tag) || tag == 9 }
        switch tag {
        case 0x00FE, 0x0100, 0x0101, 0x0103, 0x0106, 0x010F, 0x0110, 0x0112, 0x0132, 0x4746, 0x4749, 0x8769, 0x8825,
            0x0131, 0x9003, 0x9004, 0x9010...0x9012, 0x9204, 0x9206, 0x9286, 0x9290...0x9292, 0xA002, 0xA003, 0xA402,
            0xA431, 0xA434:
            return true
        // Only the first directory of a file has these.
        case 1...7, 0x000B, 0x002E, 0x014A, 0x02BC, 0x83BB, 0x8649, 0xC612: return directory != .exif
        default: return false
        }
    }
}
