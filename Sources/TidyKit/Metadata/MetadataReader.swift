/// Reads what photos and videos say of themselves. One reader serves one thread; its buffers go from file to file.
package struct MetadataReader: ~Copyable {
    var parts: MetadataParts

    /// `now` bounds the years that are believed.
    package init(now: WallClock) { parts = MetadataParts(now: now) }

    /// Of all files so far.
    package var bytesRead: Int64 { parts.window.bytesRead }

    /// Nil where the content is not media. `byteCount` is the length of the file by `fstat`. Never more is read than the
    /// few parts that hold metadata. Throws where the file cannot be read; damage is not an error but a problem.
    package mutating func read(
        _ file: borrowing FileDescriptor, byteCount: Int64
    ) throws(POSIXError) -> MediaMetadata? {
        parts.window.attach(file, byteCount: byteCount)
        let head = try parts.window.view(at: 0, ContentType.headLength)
        guard let format = ContentType.format(of: head) else { return nil }
        var findings = MetadataFindings(format: format)
        switch format {
        case .jpeg:
            try JPEGMetadata.read(&parts, into: &findings)
            findings.problems += try findings.extras.problems(&parts.window)
        case .heic, .avif: try HEIFMetadata.read(&parts, into: &findings)
        case .png: try PNGMetadata.read(&parts, into: &findings)
        case .webp: try WebPMetadata.read(&parts, into: &findings)
        case .gif: try GIFMetadata.read(&parts, into: &findings)
        case .bmp: try BitmapMetadata.read(&parts, into: &findings)
        case .jxl, .jp2: try JPEGSuccessors.read(&parts, into: &findings)
        case .tiff, .dng, .cr2, .nef, .arw, .orf, .rw2, .pef, .srw, .erf, .mef, .dcr, .kdc, .mos, .iiq, .threeFR, .raw:
            try TIFFMetadata.read(&parts, into: &findings)
        case .cr3: try CanonRaw3.read(&parts, into: &findings)
        case .crw: try CanonRawHeap.read(&parts, into: &findings)
        case .raf: try FujiRaw.read(&parts, into: &findings)
        case .mrw: try MinoltaRaw.read(&parts, into: &findings)
        case .x3f: try SigmaRaw.read(&parts, into: &findings)
        case .mov, .mp4, .threeGP: try QuickTimeMovie.read(&parts, into: &findings)
        case .avi: try AVIMetadata.read(&parts, into: &findings)
        // Its streams say nothing of themselves that is read here.
        case .mts: break
        }
        return findings.metadata(now: parts.now)
    }

    /// The capture date that a TIFF structure, as EXIF has it, and XMP packets beside it tell.
    static func captureDate(exif: [UInt8]?, packets: [[UInt8]], now: WallClock) -> CaptureDate? {
        var reader = MetadataReader(now: now)
        var findings = MetadataFindings(format: .jpeg)
        exif?.withUnsafeBytes { reader.parts.readTIFFBlock(ByteView($0), into: &findings) }
        for packet in packets {
            packet.withUnsafeBytes { reader.parts.readXMP(ByteView($0), into: &findings) }
        }
        return findings.metadata(now: now).captureDate
    }

    /// The format alone; nil where the content is not media. The directories of a TIFF file are walked all the same:
    /// only they tell a RAW.
    package mutating func format(
        _ file: borrowing FileDescriptor, byteCount: Int64
    ) throws(POSIXError) -> MediaFormat? {
        parts.window.attach(file, byteCount: byteCount, firstRead: ContentType.headLength)
        guard let format = ContentType.format(of: try parts.window.view(at: 0, ContentType.headLength)) else {
            return nil
        }
        guard format == .tiff else { return format }
        var findings = MetadataFindings(format: format)
        try TIFFMetadata.read(&parts, into: &findings)
        return findings.format
    }
}

/// What the content of one photo or video says of itself. Names, times of the filesystem and sidecars are not in here,
/// so that the same bytes always give the same value.
package struct MediaMetadata: Sendable, Equatable {
    package var format: MediaFormat
    /// Upright, after `orientation`; in pixels. Nil where the file does not say, or says 0.
    package var width: Int?
    package var height: Int?
    /// EXIF tag 0x0112 where it is 1…8; for HEIF what `irot` and `imir` amount to, for videos the matrix of `tkhd`.
    package var orientation: Orientation?
    /// The first valid one of the sources that stand in the content: never `.name`, never `.modified`.
    package var captureDate: CaptureDate?
    /// EXIF tag 0x010F, QuickTime `com.apple.quicktime.make`.
    package var make: String?
    /// EXIF tag 0x0110, QuickTime `com.apple.quicktime.model`.
    package var model: String?
    /// EXIF tag 0xA434, LensModel.
    package var lens: String?
    /// The GPS IFD of EXIF, else XMP, else QuickTime.
    package var location: Coordinate?
    /// -1 (rejected), 0…5: XMP `xmp:Rating`, else EXIF tag 0x4746, else the percentage that Windows writes (0x4749).
    package var rating: Int?
    /// Seconds.
    package var duration: Double?
    /// What the two halves of a Live Photo share: Apple's maker note 0x0011 and QuickTime's `content.identifier`.
    package var contentIdentifier: String?
    /// iOS says so in UserComment (EXIF tag 0x9286).
    package var isScreenshot: Bool
    package var problems: [Problem]

    package init(format: MediaFormat) {
        self.format = format
        isScreenshot = false
        problems = []
    }
}

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
