extension SourceMetadata {
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

    /// What `safe` writes into EXIF, as the places where it stands go.
    var carried: CarriedClaims {
        var carried = CarriedClaims()
        carried.taken = taken
        for tag in [Self.artist, Self.copyright] { carried.texts[tag] = packetTexts[tag] ?? texts[tag] }
        carried.contentIdentifier = contentIdentifier
        if exifOrientation == nil, packetOrientation != .upright { carried.orientation = packetOrientation }
        return carried
    }
}
