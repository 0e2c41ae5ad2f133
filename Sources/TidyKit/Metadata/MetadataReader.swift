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
        case .jxl, .jp2: try JPEG2000AndXLMetadata.read(&parts, into: &findings)
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
