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
    /// 42, or 43 in BigTIFF. Some makers use other numbers in their RAW files.
    let number: UInt16
    /// The offset of the first directory, relative to the header.
    let first: Int64

    static let tiff: UInt16 = 42
    private static let bigTIFF: UInt16 = 43

    /// Nil without a byte order mark, and for a truncated header.
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

/// Walks one image file directory (TIFF 6.0, section 2): a count, that many entries, and the offset of the next
/// directory. The client decides which directories to enter and how many, because offsets may form cycles. Entries are
/// read as they are iterated and hold a view of the source, which is valid until its next read.
struct TIFFDirectory: Sequence {
    fileprivate let coding: TIFFCoding
    /// Relative to the header, as all offsets in TIFF.
    let start: Int64
    /// The number of entries that the directory claims.
    let count: Int
    fileprivate let table: ByteView

    /// - Parameters:
    ///   - base: the offset of the header in `source`.
    ///   - most: the largest number of entries.
    /// - Returns: nil if there is no count at `start`, or it exceeds `most`.
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

    /// True if the source ends before the tag of the last entry.
    var isCut: Bool { count > 0 && !table.has(2, at: place(of: count - 1)) }

    /// The offset of the field that points to the next directory; nil if the source ends before it.
    var nextField: Int64? {
        let at = place(of: count)
        return table.has(coding.offsetSize, at: at) ? start + Int64(at) : nil
    }

    /// The offset of the next directory; 0 if there is none.
    var next: Int64? { coding.offset(table, place(of: count)).map(Int64.init) }

    fileprivate func place(of index: Int) -> Int { coding.countSize + index * coding.entrySize }

    /// The entries whose tags are within the source, in their order.
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
    /// The type of a value and its location.
    struct Place {
        /// See `TIFFValue.type`.
        let type: UInt16
        let count: Int
        let byteCount: Int
        /// Relative to the header: in the entry itself, or where it points.
        let offset: Int64
    }

    let tag: Int
    /// The offset of the entry, relative to the header.
    let offset: Int64
    fileprivate let coding: TIFFCoding
    fileprivate let table: ByteView
    fileprivate let at: Int

    /// True if the entry ends within the source.
    var isWhole: Bool { table.has(coding.entrySize, at: at) }
    /// The number of values that it claims.
    var count: Int? { coding.offset(table, at + 4) }
    /// Its last field, interpreted as an offset.
    var pointer: Int? { coding.offset(table, at + valueField) }

    private var valueField: Int { 4 + coding.offsetSize }

    /// Nil for unknown types, and for sizes that no file can have.
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
