/// Walks the image file directories of TIFF (revision 6.0, section 2), BigTIFF, and the RAW formats that are TIFF
/// files with another magic number. Also takes EXIF blocks that libexif refuses.
struct TIFFDirectories {
    /// One picture of the file, as its directory describes it.
    struct Picture {
        /// NewSubfileType (0x00FE), bit 0: a reduced version of another picture of the file.
        var isReduced = false
        var width: Int?
        var height: Int?
        var compression: Int?
        var photometric: Int?

        /// A colour filter array or linear raw, or one of the makers' own compressions of it.
        var holdsSensorData: Bool {
            [32803, 34892].contains(photometric) || [34713, 32767, 65535, 32770].contains(compression)
        }

        var area: Int {
            guard let width, let height else { return 0 }
            return width.multipliedReportingOverflow(by: height).overflow ? 0 : width * height
        }
    }

    /// The pictures in the order of the file, children behind their parent.
    private(set) var pictures: [Picture] = []
    /// The packet of tag 0x02BC.
    private(set) var xmp: (offset: Int64, length: Int)?
    /// The datasets of tag 0x83BB (IPTC-NAA), and Photoshop's resources of tag 0x8649.
    private(set) var iptc: [(offset: Int64, length: Int)] = []
    /// A whole JPEG file inside (Panasonic's tag 0x002E, JpgFromRaw).
    private(set) var jpeg: (offset: Int64, length: Int)?
    /// DNGVersion (0xC612) is there.
    private(set) var isDNG = false
    /// Panasonic's tags 4…7: top, left, bottom, right.
    private(set) var borders: [Int?] = [nil, nil, nil, nil]
    /// A directory lay outside of the file.
    private(set) var isCutShort = false

    private let base: Int64
    private var order = ByteOrder.big
    private var isBig = false
    private var visited: [Int64] = []
    private var entriesLeft = 20_000

    private static let mostDirectories = 40
    private static let longestValue = 1 << 16

    private struct Entry {
        let tag: Int
        let type: UInt16
        let count: Int
        let byteCount: Int
        /// Where the value stands, from the TIFF header.
        let offset: Int64
    }

    /// `base` is the offset of the TIFF header in `source`; `first` what its first directory describes.
    init<Source: ByteSource & ~Copyable>(
        _ source: inout Source, base: Int64 = 0, first: ExifFields.Directory = .primary,
        into fields: inout ExifFields
    ) throws(Source.Failure) {
        self.base = base
        let header = try source.view(at: base, 16)
        if header.starts(with: "II") { order = .little } else if !header.starts(with: "MM") { return }
        isBig = header.u16(2, order) == 0x2B
        guard var next = offset(header, isBig ? 8 : 4) else { return }
        var number = 0
        while next != 0, number < 8 {
            let directory = number == 0 ? first : nil
            guard let following = try walk(next, as: directory, &source, into: &fields) else { break }
            next = following
            number += 1
        }
    }

    var holdsSensorData: Bool { pictures.contains { $0.holdsSensorData } }

    /// The largest picture of sensor data, else the largest that is no reduced version of another.
    var mainPicture: Picture? {
        var candidates = pictures.filter { $0.holdsSensorData && $0.area > 0 && !$0.isReduced }
        if candidates.isEmpty { candidates = pictures.filter { $0.area > 0 && !$0.isReduced } }
        if candidates.isEmpty { candidates = pictures }
        return candidates.max { $0.area < $1.area }
    }

    private func offset(_ bytes: ByteView, _ at: Int) -> Int64? {
        isBig ? bytes.int64(at, order).map(Int64.init) : bytes.int32(at, order).map(Int64.init)
    }

    /// Reads one directory and all below it; gives the offset of the one that follows it, 0 where none does.
    private mutating func walk<Source: ByteSource & ~Copyable>(
        _ start: Int64, as directory: ExifFields.Directory?, _ source: inout Source, into fields: inout ExifFields
    ) throws(Source.Failure) -> Int64? {
        guard start > 0, start < source.byteCount - base, !visited.contains(start),
            visited.count < Self.mostDirectories
        else {
            if start >= source.byteCount - base { isCutShort = true }
            return nil
        }
        visited.append(start)
        let (countSize, entrySize) = isBig ? (8, 20) : (2, 12)
        let counter = try source.view(at: base + start, countSize)
        guard let count = isBig ? counter.int64(0, order) : counter.int16(0, order), count > 0, count <= entriesLeft
        else { return nil }
        entriesLeft -= count
        let table = try source.view(at: base + start, countSize + count * entrySize + (isBig ? 8 : 4))
        var wanted: [Entry] = []
        for index in 0..<count {
            let at = countSize + index * entrySize
            guard let tag = table.int16(at, order) else {
                isCutShort = true
                break
            }
            guard Self.isWanted(tag, in: directory), let entry = entry(table, at, tag, start) else { continue }
            wanted.append(entry)
        }
        let following = offset(table, countSize + count * entrySize) ?? 0
        var picture = Picture()
        var children: [(tag: Int, offset: Int64)] = []
        for entry in wanted {
            let bytes = try source.view(at: base + entry.offset, min(entry.byteCount, Self.longestValue))
            let value = TIFFValue(type: entry.type, count: entry.count, bytes: bytes, order: order)
            switch entry.tag {
            case 0x00FE: picture.isReduced = (value.integer() ?? 0) & 1 == 1
            case 0x0103: picture.compression = value.integer()
            case 0x0106: picture.photometric = value.integer()
            case 0x0100 where directory != .gps: picture.width = value.integer()
            case 0x0101 where directory != .gps: picture.height = value.integer()
            case 0x8769, 0x8825:
                if directory == .primary || directory == .exif, let offset = value.integer() {
                    children.append((entry.tag, Int64(offset)))
                }
            case 0x014A:
                for index in 0..<min(entry.count, 8) {
                    if let offset = value.integer(index) { children.append((entry.tag, Int64(offset))) }
                }
            case 0x02BC where xmp == nil && directory == .primary: xmp = (base + entry.offset, entry.byteCount)
            case 0x83BB, 0x8649:
                if directory == .primary { iptc.append((base + entry.offset, entry.byteCount)) }
            case 0x002E where directory == .primary: jpeg = (base + entry.offset, entry.byteCount)
            case 0xC612 where directory == .primary: isDNG = true
            case 4...7 where directory == .primary: borders[entry.tag - 4] = value.integer()
            default: break
            }
            if let directory { fields.take(entry.tag, in: directory, value) }
        }
        if directory == nil || directory == .primary { pictures.append(picture) }
        for child in children {
            let kind: ExifFields.Directory? = child.tag == 0x8769 ? .exif : child.tag == 0x8825 ? .gps : nil
            _ = try walk(child.offset, as: kind, &source, into: &fields)
        }
        return following
    }

    private func entry(_ table: ByteView, _ at: Int, _ tag: Int, _ start: Int64) -> Entry? {
        guard let type = table.u16(at + 2, order), let unit = TIFFValue.size(ofType: type),
            let count = isBig ? table.int64(at + 4, order) : table.int32(at + 4, order)
        else { return nil }
        let (byteCount, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow, byteCount >= 0 else { return nil }
        let inline = at + (isBig ? 12 : 8)
        if byteCount <= (isBig ? 8 : 4) {
            return Entry(tag: tag, type: type, count: count, byteCount: byteCount, offset: start + Int64(inline))
        }
        guard let offset = offset(table, inline), offset < 1 << 48 else { return nil }
        return Entry(tag: tag, type: type, count: count, byteCount: byteCount, offset: offset)
    }

    /// The tags that `ExifFields` and this walk ask for.
    static func isWanted(_ tag: Int, in directory: ExifFields.Directory?) -> Bool {
        if directory == .gps { return (1...4).contains(tag) || tag == 9 }
        switch tag {
        case 0x00FE, 0x0100, 0x0101, 0x0103, 0x0106, 0x010F, 0x0110, 0x0112, 0x0132, 0x4746, 0x4749, 0x8769, 0x8825,
            0x9003, 0x9004, 0x9010...0x9012, 0x9286, 0x9290...0x9292, 0xA002, 0xA003, 0xA434:
            return true
        // Only the first directory of a file has these.
        case 1...7, 0x002E, 0x014A, 0x02BC, 0x83BB, 0x8649, 0xC612: return directory != .exif
        default: return false
        }
    }
}
