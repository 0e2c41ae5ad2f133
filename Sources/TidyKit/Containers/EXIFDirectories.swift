/// The directories of an EXIF block (a TIFF structure), with the exact bytes of each value: a writer that does not
/// interpret a value cannot damage it.
struct EXIFDirectories {
    struct Entry: Equatable {
        var tag: UInt16
        /// TIFF 6.0 field type, 1…13.
        var type: UInt16
        var count: Int
        /// `count` values in the block's byte order.
        var value: [UInt8]
    }

    enum Directory: Int, CaseIterable { case main, exif, interoperability, gps }

    let isBigEndian: Bool
    var directories: [Directory: [Entry]] = [:]

    /// For callers that patch the block in place: the offset of the value field of each entry, and that of the field
    /// with the offset of IFD1.
    private(set) var valueOffsets: [Directory: [UInt16: Int]] = [:]
    private(set) var nextDirectoryField: Int?
    /// The offset of each directory, and the twelve bytes of each entry.
    private(set) var starts: [Directory: Int] = [:]
    private(set) var entryOffsets: [Directory: [UInt16: Int]] = [:]
    /// The end of the last byte to which these directories refer.
    private(set) var extent = 8
    /// The number of bytes in all values so far.
    private var valueBytes = 0
    /// Values of valid blocks hardly overlap, but thousands of hostile entries may point to the same megabyte.
    private static let maximumOverlap = 4

    static let orientation: UInt16 = 0x0112
    static let exifPointer: UInt16 = 0x8769
    static let gpsPointer: UInt16 = 0x8825
    static let interoperabilityPointer: UInt16 = 0xA005
    static let pixelWidth: UInt16 = 0xA002
    static let pixelHeight: UInt16 = 0xA003

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Nil if the bytes are not a TIFF structure.
    /// - Parameter bytes: from the byte order mark on.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 14, let header = bytes.withView({ TIFFHeader($0) }), header.number == TIFFHeader.tiff
        else { return nil }
        isBigEndian = header.coding.order == .big
        bytes.withView { block in
            nextDirectoryField = read(.main, at: header.first, block)
            for link in Self.links {
                if let entry = entry(link.pointer, in: link.holder), let offset = number(entry) {
                    _ = read(link.directory, at: Int64(offset), block)
                }
            }
        }
        if directories.isEmpty { return nil }
    }

    /// Directories to which an entry of another directory points (EXIF 2.32, section 4.6.3).
    private static let links: [(pointer: UInt16, holder: Directory, directory: Directory)] = [
        (exifPointer, .main, .exif), (gpsPointer, .main, .gps), (interoperabilityPointer, .exif, .interoperability),
    ]

    func entry(_ tag: UInt16, in directory: Directory) -> Entry? { directories[directory]?.first { $0.tag == tag } }

    /// The first value of an entry with any integer type.
    func number(_ entry: Entry) -> Int? {
        let size = Self.size(ofType: entry.type)
        guard [1, 3, 4, 6, 8, 9, 13].contains(entry.type), entry.value.count >= size else { return nil }
        return number(entry.value.prefix(size))
    }

    /// Returns the offset of the field that points to the next directory.
    private mutating func read(_ directory: Directory, at offset: Int64, _ block: ByteView) -> Int? {
        var source = MemorySource(bytes: block)
        guard directories[directory] == nil,
            let table = TIFFDirectory.read(from: &source, at: offset, TIFFCoding(order: isBigEndian ? .big : .little))
        else { return nil }
        var entries: [Entry] = []
        var offsets: [UInt16: Int] = [:]
        starts[directory] = Int(offset)
        var fields: [UInt16: Int] = [:]
        // After the last complete entry.
        var end = Int(offset) + 2
        for found in table where found.isWhole {
            end = Int(found.offset) + 12
            let tag = UInt16(found.tag)
            guard let place = found.place, Self.size(ofType: place.type) > 0,
                valueBytes + place.byteCount <= Self.maximumOverlap * block.count, offsets[tag] == nil,
                let value = block.slice(Int(place.offset), place.byteCount)
            else { continue }
            valueBytes += place.byteCount
            entries.append(Entry(tag: tag, type: place.type, count: place.count, value: Array(value.buffer)))
            offsets[tag] = Int(place.offset)
            fields[tag] = Int(found.offset)
            extent = max(extent, Int(place.offset) + place.byteCount)
        }
        directories[directory] = entries
        valueOffsets[directory] = offsets
        entryOffsets[directory] = fields
        extent = max(extent, min(end + 4, block.count))
        return end + 4 <= block.count ? end : nil
    }

    /// The size of one value in bytes; 0 for types unknown to EXIF, such as 64-bit numbers.
    static func size(ofType type: UInt16) -> Int { (16...18).contains(type) ? 0 : TIFFValue.size(ofType: type) ?? 0 }
}

extension EXIFDirectories {
    /// The number that `bytes` represent in the block's byte order.
    func number(_ bytes: ArraySlice<UInt8>) -> Int {
        isBigEndian ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// `value` as `size` bytes in the block's byte order.
    func bytes(_ value: Int, size: Int) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
        return isBigEndian ? bytes : bytes.reversed()
    }

    mutating func set(_ tag: UInt16, in directory: Directory, type: UInt16, to value: Int) {
        let entry = Entry(tag: tag, type: type, count: 1, value: bytes(value, size: Self.size(ofType: type)))
        var entries = directories[directory] ?? []
        entries.removeAll { $0.tag == tag }
        entries.append(entry)
        directories[directory] = entries
    }

    /// A new block with the same entries, sorted by tag, one directory after another. Pointers between directories are
    /// updated; IFD1 is omitted.
    func serialized() -> [UInt8] {
        var out = (isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + bytes(42, size: 2) + bytes(8, size: 4)
        var pointers: [(UInt16, Directory, Directory)] = []
        for (pointer, holder, directory) in Self.links where !(directories[directory] ?? []).isEmpty {
            pointers.append((pointer, holder, directory))
        }
        var fields: [Directory: Int] = [:]
        for directory in [Directory.main, .exif, .interoperability, .gps] {
            var entries = directories[directory] ?? []
            entries.removeAll { entry in
                [Self.exifPointer, Self.gpsPointer, Self.interoperabilityPointer].contains(entry.tag)
            }
            for (pointer, holder, _) in pointers where holder == directory {
                entries.append(Entry(tag: pointer, type: 4, count: 1, value: bytes(0, size: 4)))
            }
            if entries.isEmpty && directory != .main { continue }
            // TIFF 6.0: directories and values start on word boundaries. The last value is not padded, because a block
            // must not grow by being rewritten.
            if out.count % 2 == 1 { out.append(0) }
            entries.sort { $0.tag < $1.tag }
            if let field = fields[directory] { out.replaceSubrange(field..<field + 4, with: bytes(out.count, size: 4)) }
            out += bytes(entries.count, size: 2)
            var data: [UInt8] = []
            let dataStart = out.count + 12 * entries.count + 4
            for entry in entries {
                if let target = pointers.first(where: { $0.0 == entry.tag && $0.1 == directory }) {
                    fields[target.2] = out.count + 8
                }
                out += bytes(Int(entry.tag), size: 2) + bytes(Int(entry.type), size: 2) + bytes(entry.count, size: 4)
                if entry.value.count <= 4 {
                    out += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
                } else {
                    if data.count % 2 == 1 { data.append(0) }
                    out += bytes(dataStart + data.count, size: 4)
                    data += entry.value
                }
            }
            out += bytes(0, size: 4) + data
        }
        return out
    }
}
