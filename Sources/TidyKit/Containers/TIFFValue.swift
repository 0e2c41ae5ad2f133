/// The value of one IFD entry (TIFF 6.0, section 2; EXIF 2.32, section 4.6.2).
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

    /// Element `index` of any integer type; nil for other types.
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

    /// Element `index` of any numeric type; nil for a fraction with denominator 0, and for values that are not finite.
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

    /// Element 0 as an integer, whichever type the writer chose: an integer, a fraction with an integral value, or
    /// digits.
    var wholeNumber: Int? {
        if let value = integer() { return value }
        if type == 2 {
            let text = characters.trimmed
            return text.isEmpty ? nil : text.digits(0, text.count)
        }
        return number().flatMap { Int(exactly: $0) }
    }

    /// The characters before the first NUL. The type is ignored, because cameras also store text as UNDEFINED and BYTE.
    var characters: ByteView { bytes.untilNUL }
}
