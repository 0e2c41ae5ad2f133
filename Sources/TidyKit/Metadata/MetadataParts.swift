/// What every reader of a container needs: the file, the scratch space, and the readers of the grammars that stand
/// inside containers.
struct MetadataParts: ~Copyable {
    var window = FileWindow()
    let now: WallClock
    private let xmp = XMPReader()

    init(now: WallClock) { self.now = now }

    /// An EXIF block that begins with `Exif\0`.
    func readExif(_ bytes: ByteView, into findings: inout MetadataFindings) {
        guard let block = ExifBlock(bytes) else { return }
        _ = block.read(into: &findings.exif)
    }

    func readXMP(_ packet: ByteView, into findings: inout MetadataFindings) {
        findings.merge(xmp.read(packet, now: now))
    }
}
