/// The metadata of a source picture, independent of its container.
struct SourceMetadata {
    /// From the byte order mark on.
    var exif: [UInt8]?
    var profile: [UInt8]?
    var packets: [[UInt8]] = []
    /// The capture date from the content of the source: never from its name or its time stamp.
    var taken: CaptureDate?
    /// The identifier that the still of a Live Photo shares with its video; nil if the new picture is written to
    /// another folder.
    var contentIdentifier: String?
    var density: JPEGFile.Density?
    /// APP13 and COM segments, for `--metadata all`.
    var others: [UInt8] = []
    /// The texts of a PNG, by the EXIF tag to which they belong.
    var texts: [UInt16: String] = [:]
    /// From XMP: counts if EXIF has no orientation.
    var packetOrientation: Orientation?
    var packetTexts: [UInt16: String] = [:]

    init() {}

    init(_ segments: JPEGFile, in bytes: [UInt8], density: JPEGFile.Density?) {
        self.density = density
        profile = segments.profile(in: bytes)
        exif = segments.exifBlock(in: bytes)?.bytes
        others = PhotoshopResources(segments, in: bytes).segmentsWithoutThumbnails
        for segment in segments.segments where segment.content(in: bytes) == .comment { others += bytes[segment.range] }
    }

    /// EXIF Orientation as stored if it is 1…8, otherwise that of XMP.
    var orientation: Orientation { exifOrientation ?? packetOrientation ?? .upright }

    var exifOrientation: Orientation? {
        guard let block = exif.flatMap({ EXIFDirectories($0) }),
            let value = block.entry(EXIFDirectories.orientation, in: .main).flatMap(block.number)
        else { return nil }
        return Orientation(rawValue: value)
    }

    static let description: UInt16 = 0x010E
    static let artist: UInt16 = 0x013B
    static let copyright: UInt16 = 0x8298

    /// Adds what the metadata reader has found besides EXIF.
    mutating func add(_ blocks: MetadataBlocks, now: WallClock) {
        packets = blocks.packets
        let reader = XMPReader()
        for packet in packets {
            let xmp = packet.withUnsafeBytes { reader.read(ByteView($0), now: now) }
            if packetOrientation == nil { packetOrientation = xmp.orientation }
            if let artist = xmp.artist, packetTexts[Self.artist] == nil { packetTexts[Self.artist] = artist }
            if let rights = xmp.copyright, packetTexts[Self.copyright] == nil { packetTexts[Self.copyright] = rights }
        }
        texts[Self.artist] = blocks.texts[.author]
        texts[Self.copyright] = blocks.texts[.copyright]
        texts[Self.description] = blocks.texts[.description]
        others += PhotoshopResources(profile: blocks.iptc).segmentsWithoutThumbnails
        if let comment = blocks.texts[.comment] { others += JPEGFile.segments(comment: comment) }
    }
}
