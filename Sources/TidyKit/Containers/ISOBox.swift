/// One box of the ISO base media file format (ISO 14496-12, section 4.2; QuickTime calls them atoms), by its place.
struct ISOBox {
    /// Four characters.
    let type: UInt32
    /// Where the payload stands in the file, behind size and type.
    let start: Int64
    let end: Int64

    /// The first half of the identifier of a `uuid` box that holds XMP (XMP specification part 3, MPEG-4); no other
    /// identifier begins so.
    static let xmpIdentifier: UInt64 = 0xBE7A_CFCB_97A9_42E8

    var length: Int { Int(clamping: end - start) }

    static func code(_ text: StaticString) -> UInt32 {
        text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The box whose header stands at `offset`; it ends at `limit` at the latest, whatever it claims. Nil where no box
    /// can stand.
    static func read(
        _ window: inout FileWindow, at offset: Int64, limit: Int64
    ) throws(POSIXError) -> ISOBox? {
        guard offset >= 0, limit - offset >= 8 else { return nil }
        let header = try window.view(at: offset, 16)
        guard let size = header.u32(0), let type = header.u32(4) else { return nil }
        switch size {
        case 0: return ISOBox(type: type, start: offset + 8, end: limit)
        case 1:
            guard let large = header.int64(8), large >= 16, limit - offset >= 16 else { return nil }
            return ISOBox(type: type, start: offset + 16, end: offset + min(Int64(large), limit - offset))
        case 2...7: return nil
        default: return ISOBox(type: type, start: offset + 8, end: offset + min(Int64(size), limit - offset))
        }
    }
}
