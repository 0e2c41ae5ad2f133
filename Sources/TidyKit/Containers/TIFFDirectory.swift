/// How a TIFF structure writes its numbers.
struct TIFFCoding {
    let order: ByteOrder
    /// BigTIFF: counts and offsets take eight bytes.
    var isBig = false

    var countSize: Int { isBig ? 8 : 2 }
    var entrySize: Int { isBig ? 20 : 12 }
    var offsetSize: Int { isBig ? 8 : 4 }

    /// A count of values, or an offset.
    func offset(_ bytes: ByteView, _ at: Int) -> Int? { isBig ? bytes.int64(at, order) : bytes.int32(at, order) }
}

/// The header of a TIFF structure (TIFF 6.0, section 2; BigTIFF).
struct TIFFHeader {
    let coding: TIFFCoding
    /// 42; 43 in BigTIFF. Makers of RAW files have numbers of their own.
    let number: UInt16
    /// Of the first directory, from the header on.
    let first: Int64

    static let tiff: UInt16 = 42
    private static let bigTIFF: UInt16 = 43

    /// Nil without a byte order mark, and where the header is cut.
    init?(_ bytes: ByteView) {
        let order: ByteOrder
        if bytes.starts(with: "II") {
            order = .little
        } else if bytes.starts(with: "MM") {
            order = .big
        } else {
            return nil
        }
        guard let number = bytes.u16(2, order) else { return nil }
        let coding = TIFFCoding(order: order, isBig: number == Self.bigTIFF)
        guard let first = coding.offset(bytes, coding.isBig ? 8 : 4) else { return nil }
        self.coding = coding
        self.number = number
        self.first = Int64(first)
    }
}

/// Walks one image file directory (TIFF 6.0, section 2): a count, so many entries, and the offset of the directory that
/// follows. Which directory an entry leads to, and how many may be entered, is the client's to judge: offsets may lead in
/// circles. Entries are read when they come by, and hold a view of the source: they are good until its next.
struct TIFFDirectory: Sequence {
    fileprivate let coding: TIFFCoding
    /// From the header on, as all offsets of TIFF.
    let start: Int64
    /// As many entries as the directory claims.
    let count: Int
    fileprivate let table: ByteView

    /// - Parameters:
    ///   - base: where the header stands in `source`.
    ///   - most: entries.
    /// - Returns: nil where no count stands at `start`, or one above `most`.
    static func read<Source: ByteSource & ~Copyable>(
        from source: inout Source, base: Int64 = 0, at start: Int64, _ coding: TIFFCoding, most: Int = 0xFFFF
    ) throws(Source.Failure) -> TIFFDirectory? {
        let counter = try source.view(at: base + start, coding.countSize)
        guard let count = coding.isBig ? counter.int64(0, coding.order) : counter.int16(0, coding.order), count <= most
        else { return nil }
        let length = coding.countSize + count * coding.entrySize + coding.offsetSize
        let table = try source.view(at: base + start, length)
        return TIFFDirectory(coding: coding, start: start, count: count, table: table)
    }

    /// The end of the source cuts off entries with their tags.
    var isCut: Bool { count > 0 && !table.has(2, at: place(of: count - 1)) }

    /// The field with the offset of the directory that follows; nil where the end of the source cuts it off.
    var nextField: Int64? {
        let at = place(of: count)
        return table.has(coding.offsetSize, at: at) ? start + Int64(at) : nil
    }

    /// The directory that follows; 0 where none does.
    var next: Int64? { coding.offset(table, place(of: count)).map(Int64.init) }

    fileprivate func place(of index: Int) -> Int { coding.countSize + index * coding.entrySize }

    /// The entries whose tags are there, in their order.
    func makeIterator() -> Iterator { Iterator(directory: self) }

    struct Iterator: IteratorProtocol {
        private let directory: TIFFDirectory
        private var index = 0

        fileprivate init(directory: TIFFDirectory) { self.directory = directory }

        mutating func next() -> TIFFEntry? {
            let at = directory.place(of: index)
            guard index < directory.count, let tag = directory.table.int16(at, directory.coding.order) else {
                return nil
            }
            index += 1
            return TIFFEntry(
                tag: tag, offset: directory.start + Int64(at), coding: directory.coding, table: directory.table, at: at)
        }
    }
}

/// One entry of a directory.
struct TIFFEntry {
    /// What a value is and where it stands.
    struct Place {
        /// See `TIFFValue.type`.
        let type: UInt16
        let count: Int
        let byteCount: Int
        /// From the header on: in the entry itself, or where that points to.
        let offset: Int64
    }

    let tag: Int
    /// Where the entry stands, from the header on.
    let offset: Int64
    fileprivate let coding: TIFFCoding
    fileprivate let table: ByteView
    fileprivate let at: Int

    /// The end of the source does not cut it.
    var isWhole: Bool { table.has(coding.entrySize, at: at) }
    /// As many values as it claims.
    var count: Int? { coding.offset(table, at + 4) }
    /// Its last field, taken for an offset.
    var pointer: Int? { coding.offset(table, at + valueField) }

    private var valueField: Int { 4 + coding.offsetSize }

    /// Nil for a type that nobody knows, and for what no file can be long enough for.
    var place: Place? {
        guard let type = table.u16(at + 2, coding.order), let unit = TIFFValue.size(ofType: type), let count
        else { return nil }
        let (byteCount, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow, byteCount >= 0 else { return nil }
        if byteCount <= coding.offsetSize {
            return Place(type: type, count: count, byteCount: byteCount, offset: offset + Int64(valueField))
        }
        guard let pointer, pointer < 1 << 48 else { return nil }
        return Place(type: type, count: count, byteCount: byteCount, offset: Int64(pointer))
    }
}

/// The value of one IFD entry as it stands in the file (TIFF 6.0, section 2; EXIF 2.32, section 4.6.2).
struct TIFFValue {
    /// 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL, 6 SBYTE, 7 UNDEFINED, 8 SSHORT, 9 SLONG, 10 SRATIONAL, 11 FLOAT,
    /// 12 DOUBLE, 13 IFD, 16 LONG8, 17 SLONG8, 18 IFD8, 129 UTF-8.
    let type: UInt16
    let count: Int
    let bytes: ByteView
    let order: ByteOrder

    static func size(ofType type: UInt16) -> Int? {
        switch type {
        case 1, 2, 6, 7, 129: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: nil
        }
    }

    /// Element `index` of an integer type of any width and sign; nil for other types.
    func integer(_ index: Int = 0) -> Int? {
        guard index >= 0, index < count else { return nil }
        switch type {
        case 1, 7: return bytes[index].map(Int.init)
        case 6: return bytes[index].map { Int(Int8(bitPattern: $0)) }
        case 3: return bytes.int16(index * 2, order)
        case 8: return bytes.u16(index * 2, order).map { Int(Int16(bitPattern: $0)) }
        case 4, 13: return bytes.int32(index * 4, order)
        case 9: return bytes.u32(index * 4, order).map { Int(Int32(bitPattern: $0)) }
        case 16, 18: return bytes.int64(index * 8, order)
        case 17: return bytes.u64(index * 8, order).map { Int(Int64(bitPattern: $0)) }
        default: return nil
        }
    }

    /// Element `index` of any number type; nil for a fraction over 0 and for what is not finite.
    func number(_ index: Int = 0) -> Double? {
        guard index >= 0, index < count else { return nil }
        switch type {
        case 5:
            guard let over = bytes.u32(index * 8, order), let under = bytes.u32(index * 8 + 4, order), under != 0
            else { return nil }
            return Double(over) / Double(under)
        case 10:
            guard let over = bytes.u32(index * 8, order), let under = bytes.u32(index * 8 + 4, order), under != 0
            else { return nil }
            return Double(Int32(bitPattern: over)) / Double(Int32(bitPattern: under))
        case 11:
            guard let bits = bytes.u32(index * 4, order) else { return nil }
            let value = Double(Float(bitPattern: bits))
            return value.isFinite ? value : nil
        case 12:
            guard let bits = bytes.u64(index * 8, order) else { return nil }
            let value = Double(bitPattern: bits)
            return value.isFinite ? value : nil
        default: return integer(index).map(Double.init)
        }
    }

    /// Element 0 as a whole number, whatever type a writer chose for it: an integer, a fraction that is one, digits.
    var wholeNumber: Int? {
        if let value = integer() { return value }
        if type == 2 {
            let text = characters.trimmed
            return text.isEmpty ? nil : text.digits(0, text.count)
        }
        return number().flatMap { Int(exactly: $0) }
    }

    /// The characters before the first NUL. The type is not asked: cameras store text as UNDEFINED and BYTE, too.
    var characters: ByteView { bytes.untilNUL }
}
