/// The metadata of a file as the blocks that stand in it, for a program that writes them into another file.
struct MetadataBlocks {
    /// The keywords of PNG (third edition, section 11.3.3.1) that metadata of JPEG have a place for.
    enum Keyword { case author, copyright, description, comment }

    /// From the byte order mark on: without the `Exif\0\0` that some containers put in front.
    private(set) var exif: [UInt8]?
    private(set) var packets: [[UInt8]] = []
    /// The text chunks of a PNG.
    private(set) var texts: [Keyword: String] = [:]
    /// The first profile with IPTC, as ImageMagick has it: with the header of its segment, as resources, or as bare
    /// datasets.
    private(set) var iptc: [UInt8] = []

    /// One segment of a JPEG holds no more.
    private static let longestText = 60_000

    mutating func add(exif block: ByteView) {
        guard exif == nil else { return }
        exif = Array((block.starts(with: "Exif\0\0") ? block.from(6) : block).buffer)
    }

    mutating func add(xmp packet: ByteView) {
        packets.append(Array(packet.buffer))
    }

    /// Latin-1 by the specification of two of the three kinds of chunks, UTF-8 where it can be nothing else.
    mutating func add(_ text: ByteView, as keyword: Keyword) {
        let text = text.untilNUL.trimmed
        guard texts[keyword] == nil, !text.isEmpty, text.count <= Self.longestText else { return }
        texts[keyword] =
            String(validating: text.buffer, as: UTF8.self)
            ?? String(String.UnicodeScalarView(text.buffer.map { Unicode.Scalar($0) }))
    }

    mutating func add(iptc profile: ByteView) {
        if iptc.isEmpty { iptc = Array(profile.buffer) }
    }
}

extension MetadataReader {
    /// As `read`, together with the first EXIF block and all XMP packets. JPEG files give no EXIF here.
    mutating func readBlocks(
        _ file: borrowing FileDescriptor, byteCount: Int64
    ) throws(POSIXError) -> (metadata: MediaMetadata?, blocks: MetadataBlocks) {
        parts.blocks = MetadataBlocks()
        defer { parts.blocks = nil }
        let metadata = try read(file, byteCount: byteCount)
        return (metadata, parts.blocks ?? MetadataBlocks())
    }
}
