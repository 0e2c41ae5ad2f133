/// What every reader of a container needs: the file, scratch space, and the readers of the grammars that stand inside
/// containers.
struct MetadataParts: ~Copyable {
    var window = FileWindow()
    let now: WallClock
    private let xmp = XMPReader()
    private var scratch: [UInt8] = []

    init(now: WallClock) { self.now = now }

    /// An EXIF block as JPEG has it, beginning with `Exif\0\0`.
    mutating func readExif(_ bytes: ByteView, into findings: inout MetadataFindings) {
        if bytes.count <= ExifBlock.mostBytes, let block = ExifBlock(bytes), block.read(into: &findings.exif) { return }
        // Too long for libexif, or with a header that it does not know.
        TIFFBlock(bytes.from(6)).read(into: &findings.exif)
    }

    /// An EXIF block as the other containers have it, beginning with its TIFF header.
    mutating func readTIFFBlock(_ bytes: ByteView, into findings: inout MetadataFindings) {
        if bytes.starts(with: "Exif\0\0") { return readExif(bytes, into: &findings) }
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: [0x45, 0x78, 0x69, 0x66, 0, 0])
        scratch.append(contentsOf: bytes.buffer)
        let block = scratch
        block.withUnsafeBytes { readExif(ByteView($0), into: &findings) }
    }

    func readXMP(_ packet: ByteView, into findings: inout MetadataFindings) {
        findings.merge(xmp.read(packet, now: now))
    }
}
