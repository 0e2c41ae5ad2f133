internal import CExpat

/// Reads XMP packets, which are XML, with expat. One parser reads one packet after another.
package struct XMPReader: ~Copyable {
    private let parser: XML_Parser?
    private let properties = XMPProperties()

    package init() {
        parser = XML_ParserCreate(nil)
        properties.parser = parser
    }
    deinit { if let parser { XML_ParserFree(parser) } }

    /// Reads a sidecar or a packet. Of broken XML, the part before the error counts, and a problem is added.
    package static func read(_ bytes: [UInt8], now: WallClock) -> XMPMetadata {
        let reader = XMPReader()
        return bytes.withUnsafeBytes { reader.read(ByteView($0), now: now) }
    }

    borrowing func read(_ packet: ByteView, now: WallClock) -> XMPMetadata {
        var packet = packet
        // Writers pad packets with NULs, which XML does not allow.
        if packet[0] != 0xFE, packet[0] != 0xFF { packet = packet.trimmed }
        guard let parser, !packet.isEmpty else { return XMPMetadata() }
        XML_ParserReset(parser, nil)
        properties.reset()
        XML_SetUserData(parser, Unmanaged.passUnretained(properties).toOpaque())
        XML_SetElementHandler(
            parser,
            { properties, name, attributes in
                guard let name else { return }
                XMPProperties.from(properties)?.open(name, attributes)
            },
            { properties, _ in XMPProperties.from(properties)?.close() })
        XML_SetCharacterDataHandler(parser) { properties, text, count in
            XMPProperties.from(properties)?.append(ByteView(start: text?.withBytes, count: Int(count)))
        }
        // No valid packet has a document type, and an attack with expanding entities needs one.
        XML_SetStartDoctypeDeclHandler(parser) { properties, _, _, _, _ in
            guard let properties = XMPProperties.from(properties), let parser = properties.parser else { return }
            XML_StopParser(parser, XML_Bool(0))
        }
        var rest = packet
        var isBroken = false
        while !rest.isEmpty, !isBroken {
            let piece = rest.prefix(1 << 16)
            rest = rest.from(piece.count)
            let status = XML_Parse(
                parser, piece.buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(piece.count),
                rest.isEmpty ? 1 : 0)
            isBroken = status != XML_STATUS_OK
        }
        var metadata = properties.metadata(now: now)
        // Errors after the last property of interest do not matter.
        if isBroken, !properties.isComplete { metadata.problems.append(Problem("the XMP packet is damaged")) }
        return metadata
    }
}

extension UnsafePointer<CChar> {
    fileprivate var withBytes: UnsafePointer<UInt8> {
        UnsafeRawPointer(self).assumingMemoryBound(to: UInt8.self)
    }
}

/// The fields of interest of an XMP packet or sidecar.
package struct XMPMetadata: Sendable, Equatable {
    /// `xmp:Rating`: -1 (rejected) or 0…5.
    package var rating: Int?
    /// `MicrosoftPhoto:Rating`, 0…99.
    package var ratingPercent: Int?
    /// `exif:DateTimeOriginal`, otherwise `photoshop:DateCreated`, otherwise `xmp:CreateDate`; the source is `.xmp`.
    package var captureDate: CaptureDate?
    /// `exif:GPSLatitude` and `exif:GPSLongitude`.
    package var location: Coordinate?
    /// `tiff:Make` and `tiff:Model`, which count if EXIF has none.
    var make: String?
    var model: String?
    /// `tiff:Orientation`, which counts for recompressed pixels if EXIF has none.
    var orientation: Orientation?
    /// `dc:creator` (several are joined by semicolons, as in EXIF) and `dc:rights`.
    var artist: String?
    var copyright: String?
    package var problems: [Problem] = []

    /// The name of this source in problems.
    static let dateName = "an XMP date"

    package init() {}

    /// The stars that Windows shows for a percentage; 0 means unrated.
    static func stars(percent: Int) -> Int? {
        switch percent {
        case 1...12: 1
        case 13...37: 2
        case 38...62: 3
        case 63...87: 4
        case 88...100: 5
        default: nil
        }
    }
}
