/// Reads the metadata of photos and videos. A reader belongs to one thread and reuses its buffers from file to file.
package struct MetadataReader: ~Copyable {
    var parts: MetadataParts

    /// - Parameter now: limits which years are accepted.
    package init(now: WallClock) { parts = MetadataParts(now: now) }

    /// Over all files.
    package var bytesRead: Int64 { parts.window.bytesRead }

    /// Nil if the content is not media. Reads only the parts that hold metadata. Throws if the file cannot be read;
    /// damage is a problem in the result and not an error.
    /// - Parameter byteCount: the length of the file by `fstat`.
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
        // No metadata are read from its streams.
        case .mts: break
        }
        return findings.metadata(now: parts.now)
    }

    /// The capture date of an EXIF block and of the XMP packets that belong to it.
    static func captureDate(exif: [UInt8]?, packets: [[UInt8]], now: WallClock) -> CaptureDate? {
        var reader = MetadataReader(now: now)
        var findings = MetadataFindings(format: .jpeg)
        exif?.withUnsafeBytes { reader.parts.readTIFFBlock(ByteView($0), into: &findings) }
        for packet in packets {
            packet.withUnsafeBytes { reader.parts.readXMP(ByteView($0), into: &findings) }
        }
        return findings.metadata(now: now).captureDate
    }

    /// The format alone; nil if the content is not media. The directories of a TIFF file are read, because only they
    /// identify a RAW.
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

/// The metadata in the content of one photo or video. Names, time stamps and sidecars are not included, so the same
/// bytes always give the same value.
package struct MediaMetadata: Sendable, Equatable {
    package var format: MediaFormat
    /// In pixels, after `orientation` is applied. Nil if the file has no size, or 0.
    package var width: Int?
    package var height: Int?
    /// EXIF tag 0x0112 if it is 1…8; for HEIF, the equivalent of `irot` and `imir`; for videos, the matrix of `tkhd`.
    package var orientation: Orientation?
    /// The first valid date from a source within the content: never `.name` or `.modified`.
    package var captureDate: CaptureDate?
    /// EXIF tag 0x010F, QuickTime `com.apple.quicktime.make`.
    package var make: String?
    /// EXIF tag 0x0110, QuickTime `com.apple.quicktime.model`.
    package var model: String?
    /// EXIF tag 0xA434, LensModel.
    package var lens: String?
    /// The GPS IFD of EXIF, otherwise XMP, otherwise QuickTime.
    package var location: Coordinate?
    /// -1 (rejected) or 0…5: XMP `xmp:Rating`, otherwise EXIF tag 0x4746, otherwise the percentage of Windows (0x4749).
    package var rating: Int?
    /// In seconds.
    package var duration: Double?
    /// The identifier that both parts of a Live Photo share: Apple's maker note 0x0011 and QuickTime's
    /// `content.identifier`.
    package var contentIdentifier: String?
    /// From UserComment (EXIF tag 0x9286), as iOS writes it.
    package var isScreenshot: Bool
    package var problems: [Problem]

    package init(format: MediaFormat) {
        self.format = format
        isScreenshot = false
        problems = []
    }
}

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
        if findings.contentIdentifier == nil { findings.contentIdentifier = entries?.contentIdentifier }
        let bytes = ByteView(UnsafeRawBufferPointer(block))
        if bytes.count <= ExifBlock.mostBytes, let block = ExifBlock(bytes), block.read(into: &findings.exif) { return }
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
        guard findings.isOpen(to: packet, now: now) else { return }
        findings.merge(xmp.read(packet, now: now))
    }
}
