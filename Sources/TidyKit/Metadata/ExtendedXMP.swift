/// What found no room in the XMP packet of a JPEG file: one more packet, in pieces, each in an APP1 segment of its own (XMP
/// specification part 3, section 1.1.3.1). The first packet names it by the digest of its bytes.
struct ExtendedXMP {
    private struct Piece {
        let identifier: [UInt8]
        /// Of the whole.
        let byteCount: Int
        /// Within the whole.
        let offset: Int
        /// Where its bytes stand in the file.
        let place: Int64
        let length: Int
    }

    /// What cameras put there are depth maps, of megabytes; properties take a small part of this.
    private static let mostBytes = 1 << 20
    private static let signature: StaticString = "http://ns.adobe.com/xmp/extension/\0"
    private static let identifierLength = 32
    /// The signature, the identifier, and two numbers of four bytes.
    static let headLength = signature.utf8CodeUnitCount + identifierLength + 8

    private var pieces: [Piece] = []
    private var identifier: [UInt8]?

    static func isPiece(_ head: ByteView) -> Bool { head.starts(with: signature) }

    /// - Parameter packet: the first packet, which may announce another: `xmpNote:HasExtendedXMP`.
    mutating func look(at packet: ByteView) {
        guard identifier == nil, let name = packet.firstIndex(of: "HasExtendedXMP") else { return }
        // Behind the quote of an attribute, or the bracket of an element.
        let start = name + 14
        let text = packet.from(start).prefix(Self.identifierLength + 8)
        guard let first = (0..<8).first(where: { text[$0].map(Self.isHex) == true }),
            let digits = text.slice(first, Self.identifierLength), digits.buffer.allSatisfy(Self.isHex)
        else { return }
        identifier = Array(digits.buffer)
    }

    /// - Parameter head: the first `headLength` bytes of the body of a segment that holds a piece.
    /// - Parameter place: where that body begins in the file; `length` is that of the body.
    mutating func add(_ head: ByteView, at place: Int64, _ length: Int) {
        let start = Self.signature.utf8CodeUnitCount
        guard let name = head.slice(start, Self.identifierLength),
            let byteCount = head.int32(start + Self.identifierLength),
            let offset = head.int32(start + Self.identifierLength + 4), length > Self.headLength
        else { return }
        pieces.append(
            Piece(
                identifier: Array(name.buffer), byteCount: byteCount, offset: offset,
                place: place + Int64(Self.headLength), length: length - Self.headLength))
    }

    /// The packet put together; nil where none was announced, or where it is too long to be of interest. Pieces that do
    /// not add up to what they say are none: then `isBroken` tells.
    func packet(_ window: inout FileWindow) throws(POSIXError) -> (bytes: [UInt8]?, isBroken: Bool) {
        let own = pieces.filter { $0.identifier == identifier }.sorted { $0.offset < $1.offset }
        guard let byteCount = own.first?.byteCount, byteCount <= Self.mostBytes else { return (nil, false) }
        var next = 0
        for piece in own {
            guard piece.byteCount == byteCount, piece.offset == next else { return (nil, true) }
            next += piece.length
        }
        guard next == byteCount else { return (nil, true) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        for piece in own { bytes += try window.view(at: piece.place, piece.length).buffer }
        return bytes.count == byteCount ? (bytes, false) : (nil, true)
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
