/// Pictures that are no JPEG, by the library of their format.
enum OtherFormats {
    /// - Parameter file: the open file that `bytes` are the content of.
    static func picture(
        _ bytes: [UInt8], _ file: borrowing FileDescriptor, _ settings: CompressionSettings
    ) throws(CompressionError) -> SourcePicture {
        if bytes.isEmpty { throw .notAPicture("not a picture: the file is empty") }
        let format = bytes.withUnsafeBytes { raw in
            ContentType.format(of: UnsafeRawBufferPointer(rebasing: raw.prefix(ContentType.headLength)))
        }
        var picture: SourcePicture
        switch format {
        case .png: picture = try PNGDecoder.picture(bytes, settings)
        case .webp: picture = try WebPDecoder.picture(bytes, settings)
        case .heic, .avif: picture = try HEIFDecoder.picture(bytes, settings)
        case .jpeg: throw .notAPicture("not a picture: a JPEG header and no more")
        case .tiff: throw .unsupported("a TIFF file, or a RAW photo built like one: " + Self.advice)
        case .gif, .bmp, .jxl, .jp2: throw .unsupported("a \(Self.name(format)) picture: " + Self.advice)
        case .dng, .cr2, .cr3, .crw, .nef, .arw, .raf, .orf, .rw2, .pef, .mrw, .x3f:
            throw .unsupported("a RAW photo (\(Self.name(format))): " + Self.advice)
        case .mov, .mp4, .threeGP, .avi: throw .notAPicture("not a picture: a video (\(Self.name(format)))")
        case nil: throw .notAPicture("not a picture that is known")
        }
        // Whatever year it is: dates are carried over, not judged.
        var reader = MetadataReader(now: WallClock(seconds: 0))
        let found: (metadata: MediaMetadata?, blocks: MetadataBlocks)
        do throws(POSIXError) { found = try reader.readBlocks(file, byteCount: Int64(bytes.count)) } catch {
            throw .file(error)
        }
        picture.metadata.exif = found.blocks.exif
        picture.metadata.xmp = found.blocks.xmp
        // HEIF is turned by its decoder; for the others a tag decides, in EXIF or XMP.
        if format == .png || format == .webp, let orientation = found.metadata?.orientation {
            picture.orientation = orientation
        }
        return picture
    }

    private static let advice = "JPEG, PNG, WebP, HEIC and AVIF can be compressed"

    private static func name(_ format: MediaFormat?) -> String {
        switch format {
        case .jxl: "JPEG XL"
        case .jp2: "JPEG 2000"
        default: format?.rawValue.uppercased() ?? ""
        }
    }
}

extension CompressionSettings {
    /// Stops at pictures with more pixels than allowed, before anything is made for them.
    func checkSize(_ width: Int, _ height: Int) throws(CompressionError) {
        guard width > 0, height > 0 else { throw .damaged("no pixels") }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        if overflow || pixels > maximumPixels { throw .tooManyPixels(overflow ? .max : pixels, limit: maximumPixels) }
    }
}

extension [UInt8] {
    /// Calls `body` with a view that is valid for the call.
    func withView<Result>(
        _ body: (ByteView) throws(CompressionError) -> Result
    ) throws(CompressionError) -> Result {
        try span.withUnsafeBytes { (raw) throws(CompressionError) in try body(ByteView(raw)) }
    }
}
