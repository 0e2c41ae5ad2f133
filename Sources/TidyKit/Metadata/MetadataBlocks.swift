/// The metadata of a file as raw blocks, for a writer that copies them into another file.
struct MetadataBlocks {
    /// The PNG keywords (third edition, section 11.3.3.1) that have an equivalent in a JPEG.
    enum Keyword { case author, copyright, description, comment }

    /// From the byte order mark on, without the `Exif\0\0` of some containers.
    private(set) var exif: [UInt8]?
    private(set) var packets: [[UInt8]] = []
    /// The text chunks of a PNG.
    private(set) var texts: [Keyword: String] = [:]
    /// The first profile with IPTC in one of the forms that ImageMagick writes: with the header of its segment, as
    /// resources, or as bare datasets.
    private(set) var iptc: [UInt8] = []

    /// One segment of a JPEG holds no more.
    private static let maximumTextBytes = 60_000

    mutating func add(exif block: ByteView) {
        guard exif == nil else { return }
        exif = Array((block.starts(with: "Exif\0\0") ? block.from(6) : block).buffer)
    }

    mutating func add(xmp packet: ByteView) {
        packets.append(Array(packet.buffer))
    }

    /// Latin-1, which two of the three kinds of text chunks prescribe, unless the bytes are valid UTF-8.
    mutating func add(_ text: ByteView, as keyword: Keyword) {
        let text = text.untilNUL.trimmed
        guard texts[keyword] == nil, !text.isEmpty, text.count <= Self.maximumTextBytes else { return }
        texts[keyword] =
            String(validating: text.buffer, as: UTF8.self)
            ?? String(String.UnicodeScalarView(text.buffer.map { Unicode.Scalar($0) }))
    }

    mutating func add(iptc profile: ByteView) {
        if iptc.isEmpty { iptc = Array(profile.buffer) }
    }
}

extension MetadataReader {
    /// As `read`, but also returns the first EXIF block and all XMP packets. EXIF of a JPEG is left out.
    mutating func readBlocks(
        _ file: borrowing FileDescriptor, byteCount: Int64
    ) throws(POSIXError) -> (metadata: MediaMetadata?, blocks: MetadataBlocks) {
        parts.blocks = MetadataBlocks()
        defer { parts.blocks = nil }
        let metadata = try read(file, byteCount: byteCount)
        return (metadata, parts.blocks ?? MetadataBlocks())
    }
}
