/// What every reader of a container needs: the file, scratch space, and the readers of the grammars that stand inside
/// containers.
struct MetadataParts: ~Copyable {
    var window = FileWindow()
    let now: WallClock
    private let xmp = XMPReader()
    private var scratch: [UInt8] = []
    /// Copies of the blocks that came by, for a caller that writes them anew; nil where nobody wants them.
    var blocks: MetadataBlocks?

    init(now: WallClock) { self.now = now }

    /// An EXIF block as JPEG has it, beginning with `Exif\0\0`, in the window.
    mutating func readExif(at offset: Int64, _ length: Int, into findings: inout MetadataFindings) throws(POSIXError) {
        Self.readExif(try window.mutableView(at: offset, length), into: &findings)
    }

    /// An EXIF block as JPEG has it, put together from several segments.
    mutating func readExif(_ block: consuming [UInt8], into findings: inout MetadataFindings) {
        block.withUnsafeMutableBytes { Self.readExif($0, into: &findings) }
    }

    /// An EXIF block as the other containers have it, beginning with its TIFF header.
    mutating func readTIFFBlock(_ bytes: ByteView, into findings: inout MetadataFindings) {
        if blocks != nil { blocks?.add(exif: bytes) }
        scratch.removeAll(keepingCapacity: true)
        if !bytes.starts(with: "Exif\0\0") { scratch.append(contentsOf: [0x45, 0x78, 0x69, 0x66, 0, 0]) }
        scratch.append(contentsOf: bytes.buffer)
        scratch.withUnsafeMutableBytes { Self.readExif($0, into: &findings) }
    }

    private static func readExif(_ block: UnsafeMutableRawBufferPointer, into findings: inout MetadataFindings) {
        let entries = ExifEntries.blankUnwanted(in: block)
        if findings.contentIdentifier == nil { findings.contentIdentifier = entries?.contentIdentifier }
        let bytes = ByteView(UnsafeRawBufferPointer(block))
        if bytes.count <= ExifBlock.mostBytes, let block = ExifBlock(bytes), block.read(into: &findings.exif) { return }
        // Too long for libexif, or with a header that it does not know.
        TIFFReader.read(bytes.from(6), into: &findings.exif)
    }

    /// The datasets of IPTC, unless a date that counts before theirs is known.
    func readIPTC(_ datasets: ByteView?, into findings: inout MetadataFindings) {
        guard let datasets, findings.isOpenToIPTC(now: now) else { return }
        findings.iptcDate = IPTCRecord(datasets).created(now: now).map { findings.date($0, .iptc) }
    }

    /// Reads a packet unless all that it could add is known.
    mutating func readXMP(_ packet: ByteView, into findings: inout MetadataFindings) {
        if blocks != nil { blocks?.add(xmp: packet) }
        guard findings.isOpen(to: packet, now: now) else { return }
        findings.merge(xmp.read(packet, now: now))
    }
}
