/// What every container reader needs: the file, scratch space, and the readers of EXIF and XMP.
struct MetadataParts: ~Copyable {
    var window = FileWindow()
    let now: WallClock
    private let xmp = XMPReader()
    private var scratch: [UInt8] = []
    /// Copies of the blocks, for a caller that writes them again; nil if they are not needed.
    var blocks: MetadataBlocks?

    init(now: WallClock) { self.now = now }

    /// Reads an EXIF block in the form of JPEG, which begins with `Exif\0\0`, from the window.
    mutating func readExif(at offset: Int64, _ length: Int, into findings: inout MetadataFindings) throws(POSIXError) {
        Self.readExif(try window.mutableView(at: offset, length), into: &findings)
    }

    /// Reads an EXIF block in the form of JPEG, joined from several segments.
    mutating func readExif(_ block: consuming [UInt8], into findings: inout MetadataFindings) {
        block.withUnsafeMutableBytes { Self.readExif($0, into: &findings) }
    }

    /// Reads an EXIF block in the form of other containers, which begins with its TIFF header.
    mutating func readTIFFBlock(_ bytes: ByteView, into findings: inout MetadataFindings) {
        if blocks != nil { blocks?.add(exif: bytes) }
        scratch.removeAll(keepingCapacity: true)
        if !bytes.starts(with: "Exif\0\0") { scratch.append(contentsOf: [0x45, 0x78, 0x69, 0x66, 0, 0]) }
        scratch.append(contentsOf: bytes.buffer)
        scratch.withUnsafeMutableBytes { Self.readExif($0, into: &findings) }
    }

    private static func readExif(_ block: UnsafeMutableRawBufferPointer, into findings: inout MetadataFindings) {
        let entries = ExifEntries.blankUnwanted(in: block)
        if let note = entries?.note { findings.take(note) }
        let bytes = ByteView(UnsafeRawBufferPointer(block))
        if bytes.count <= ExifBlock.maximumBytes, let block = ExifBlock(bytes), block.read(into: &findings.exif) {
            return
        }
        // Longer than libexif accepts, or with a header that it does not know.
        TIFFReader.read(bytes.from(6), into: &findings.exif)
    }

    /// Reads IPTC datasets, unless a source that takes precedence has a date.
    func readIPTC(_ datasets: ByteView?, into findings: inout MetadataFindings) {
        guard let datasets, findings.isOpenToIPTC(now: now) else { return }
        findings.iptcDate = IPTCRecord(datasets).created(now: now).map { findings.date($0, .iptc) }
    }

    /// Reads a packet, unless everything that it could add is known.
    mutating func readXMP(_ packet: ByteView, into findings: inout MetadataFindings) {
        if blocks != nil { blocks?.add(xmp: packet) }
        if !findings.exif.shot.isEdited, EditorNames.isNamed(inPacket: packet) { findings.exif.shot.isEdited = true }
        guard findings.isOpen(to: packet, now: now) else { return }
        findings.merge(xmp.read(packet, now: now))
    }
}
