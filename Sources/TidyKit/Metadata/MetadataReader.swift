/// Reads what photos and videos say of themselves. One reader serves one thread; its buffers go from file to file.
public struct MetadataReader: ~Copyable {
    var parts: MetadataParts

    /// `now` bounds the years that are believed.
    public init(now: WallClock) { parts = MetadataParts(now: now) }

    /// Of all files so far.
    public var bytesRead: Int64 { parts.window.bytesRead }

    /// Nil where the content is no media. `byteCount` is the length of the file by `fstat`. Never more is read than the
    /// few parts that hold metadata. Throws where the file cannot be read; damage is no error but a problem.
    public mutating func read(
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
        case .heic, .avif: try HEIFItems.read(&parts, into: &findings)
        case .png: try PNGMetadata.read(&parts, into: &findings)
        case .webp: try WebPMetadata.read(&parts, into: &findings)
        case .gif: try GIFBlocks.read(&parts, into: &findings)
        case .bmp: try BitmapHeader.read(&parts, into: &findings)
        case .jxl, .jp2: try JPEGSuccessors.read(&parts, into: &findings)
        case .tiff, .dng, .cr2, .nef, .arw, .orf, .rw2, .pef, .srw, .erf, .mef, .dcr, .kdc, .mos, .iiq, .threeFR, .raw:
            try TIFFFile.read(&parts, into: &findings)
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

    /// The format alone; nil where the content is no media. The directories of a TIFF file are walked all the same:
    /// only they tell a RAW.
    public mutating func format(
        _ file: borrowing FileDescriptor, byteCount: Int64
    ) throws(POSIXError) -> MediaFormat? {
        parts.window.attach(file, byteCount: byteCount, firstRead: ContentType.headLength)
        guard let format = ContentType.format(of: try parts.window.view(at: 0, ContentType.headLength)) else {
            return nil
        }
        guard format == .tiff else { return format }
        var findings = MetadataFindings(format: format)
        try TIFFFile.read(&parts, into: &findings)
        return findings.format
    }
}
