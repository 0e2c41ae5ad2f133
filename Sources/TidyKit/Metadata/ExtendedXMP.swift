/// The extended XMP of a JPEG file: a second packet, in pieces, each in its own APP1 segment (XMP specification part 3,
/// section 1.1.3.1). The first packet names it by its digest.
struct ExtendedXMP {
    private struct Piece {
        let identifier: [UInt8]
        /// The length of the whole packet.
        let byteCount: Int
        /// The offset in the whole packet.
        let offset: Int
        /// The offset of its bytes in the file.
        let place: Int64
        let length: Int
    }

    /// Cameras store depth maps of several megabytes there; the properties of interest need much less than this.
    private static let maximumBytes = 1 << 20
    /// The number of bytes at both ends that are searched for namespaces; RDF declares them at the beginning of a
    /// description.
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

    /// - Parameter packet: the first packet, which may announce another one: `xmpNote:HasExtendedXMP`.
    mutating func readAnnouncement(in packet: ByteView) {
        guard identifier == nil, let name = packet.firstIndex(of: "HasExtendedXMP") else { return }
        // After the quote of an attribute, or the bracket of an element.
        let start = name + 14
        let text = packet.from(start).prefix(Self.identifierLength + 8)
        guard let first = (0..<8).first(where: { text[$0].map(Self.isHex) == true }),
            let digits = text.slice(first, Self.identifierLength), digits.buffer.allSatisfy(Self.isHex)
        else { return }
        identifier = Array(digits.buffer)
    }

    /// - Parameters:
    ///   - head: the first `headLength` bytes of the body of a segment that holds a piece.
    ///   - place: the offset of that body in the file.
    ///   - length: that of the body.
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

    /// The joined packet; nil if none was announced, if it is too long, or if it declares no namespace of interest.
    /// `isBroken` is true if the pieces do not match the announced length.
    func packet(_ window: inout FileWindow) throws(POSIXError) -> (bytes: [UInt8]?, isBroken: Bool) {
        let own = pieces.filter { $0.identifier == identifier }.sorted { $0.offset < $1.offset }
        guard let byteCount = own.first?.byteCount, byteCount <= Self.maximumBytes else { return (nil, false) }
        var next = 0
        for piece in own {
            guard piece.byteCount == byteCount, piece.offset == next else { return (nil, true) }
            next += piece.length
        }
        guard next == byteCount, let first = own.first, let last = own.last else { return (nil, true) }
        // Every photo of some phones has such a packet, with tens of kilobytes of the maker's own data.
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
