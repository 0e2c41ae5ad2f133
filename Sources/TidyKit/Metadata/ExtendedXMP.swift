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
    /// How much of both ends is looked at for the namespaces, which an RDF description declares at its beginning.
    private static let endLength = 2048
    private static let namespaces: [StaticString] = [
        "ns.adobe.com/xap/1.0/\"", "ns.adobe.com/xap/1.0/'", "ns.adobe.com/exif/1.0/", "ns.adobe.com/photoshop/1.0/",
        "ns.microsoft.com/photo/1.0",
    ]
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

    /// The packet put together; nil where none was announced, or where it is too long to be of interest or declares nothing
    /// that is. Pieces that do not add up to what they say are none: then `isBroken` tells.
    func packet(_ window: inout FileWindow) throws(POSIXError) -> (bytes: [UInt8]?, isBroken: Bool) {
        let own = pieces.filter { $0.identifier == identifier }.sorted { $0.offset < $1.offset }
        guard let byteCount = own.first?.byteCount, byteCount <= Self.mostBytes else { return (nil, false) }
        var next = 0
        for piece in own {
            guard piece.byteCount == byteCount, piece.offset == next else { return (nil, true) }
            next += piece.length
        }
        guard next == byteCount, let first = own.first, let last = own.last else { return (nil, true) }
        // Every photo of some phones has one, of tens of kilobytes that are the maker's own.
        let end = min(last.length, Self.endLength)
        var isOfInterest = Self.isOfInterest(try window.view(at: first.place, min(first.length, Self.endLength)))
        if !isOfInterest {
            isOfInterest = Self.isOfInterest(try window.view(at: last.place + Int64(last.length - end), end))
        }
        guard isOfInterest else { return (nil, false) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        for piece in own { bytes += try window.view(at: piece.place, piece.length).buffer }
        return bytes.count == byteCount ? (bytes, false) : (nil, true)
    }

    private static func isOfInterest(_ text: ByteView) -> Bool { namespaces.contains { text.contains($0) } }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
