/// The metadata of a source, whatever its container.
struct SourceMetadata {
    /// From the byte order mark on.
    var exif: [UInt8]?
    var profile: [UInt8]?
    var packets: [[UInt8]] = []
    /// What the content of the source says, wherever it says it: never a name, never a time of the filesystem.
    var taken: CaptureDate?
    /// What the still of a Live Photo shares with its video; nil where the new picture does not lie beside it.
    var contentIdentifier: String?
    var density: JPEGFile.Density?
    /// APP13 and comments, for `all`: whole segments.
    var others: [UInt8] = []
    /// Of the text chunks of a PNG, by the EXIF tag that they belong to.
    var texts: [UInt16: String] = [:]
    /// What XMP says: it counts where EXIF says nothing.
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

    /// EXIF Orientation as it is stored, where it is one of 1…8; else XMP's.
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

    /// What the metadata reader has found beside EXIF.
    mutating func add(_ blocks: MetadataBlocks, now: WallClock) {
        packets = blocks.packets
        let reader = XMPReader()
        for packet in packets {
            let said = packet.withUnsafeBytes { reader.read(ByteView($0), now: now) }
            if packetOrientation == nil { packetOrientation = said.orientation }
            if let artist = said.artist, packetTexts[Self.artist] == nil { packetTexts[Self.artist] = artist }
            if let rights = said.copyright, packetTexts[Self.copyright] == nil { packetTexts[Self.copyright] = rights }
        }
        texts[Self.artist] = blocks.texts[.author]
        texts[Self.copyright] = blocks.texts[.copyright]
        texts[Self.description] = blocks.texts[.description]
        others += PhotoshopResources(profile: blocks.iptc).segmentsWithoutThumbnails
        if let comment = blocks.texts[.comment] { others += JPEGFile.segments(comment: comment) }
    }
}
