/// Pictures that are no JPEG, by the library of their format.
enum OtherFormats {
    /// Refuses by its first bytes what cannot be compressed.
    /// - Parameter head: `ContentType.headLength` bytes, or the whole file.
    static func checkFormat(
        _ head: [UInt8], _ file: borrowing FileDescriptor, byteCount: Int64, now: WallClock
    ) throws(CompressionError) {
        if head.isEmpty { throw .notAPicture("not a picture: the file is empty") }
        switch format(of: head) {
        case .jpeg, .png, .webp, .heic, .avif: return
        // Only its directories tell a RAW photo from a TIFF picture.
        case .tiff: throw Self.refusal(try readMetadata(file, byteCount, now).metadata?.format ?? .tiff)
        case .some(let format): throw Self.refusal(format)
        case nil:
            // What follows SOI is for the decoder to judge.
            if head.starts(with: [0xFF, 0xD8]) { return }
            throw .notAPicture("not a picture that is known")
        }
    }

    private static func format(of bytes: [UInt8]) -> MediaFormat? {
        bytes.withUnsafeBytes { raw in
            ContentType.format(of: UnsafeRawBufferPointer(rebasing: raw.prefix(ContentType.headLength)))
        }
    }

    /// - Parameter file: the open file that `bytes` are the content of.
    static func picture(
        _ bytes: [UInt8], _ file: borrowing FileDescriptor, _ settings: CompressionSettings, now: WallClock
    ) throws(CompressionError) -> SourcePicture {
        let head = Array(bytes.prefix(ContentType.headLength))
        try checkFormat(head, file, byteCount: Int64(bytes.count), now: now)
        var picture: SourcePicture
        let format = format(of: head)
        switch format {
        case .png: picture = try PNGDecoder.picture(bytes, settings)
        case .webp: picture = try WebPDecoder.picture(bytes, settings)
        case .heic, .avif: picture = try HEIFDecoder.picture(bytes, settings)
        case .jpeg: throw .notAPicture("not a picture: a JPEG header and no more")
        default: throw .notAPicture("not a picture that is known")
        }
        if format != .png {
            let (pixels, count) = (Double(picture.width * picture.height), Double(bytes.count))
            picture.expectedBytes = { FitModel.bytes(ofPixels: pixels, codedIn: count, quality: $0) }
        }
        let found = try readMetadata(file, Int64(bytes.count), now)
        picture.metadata.exif = found.blocks.exif
        picture.metadata.add(found.blocks, now: now)
        picture.metadata.taken = found.metadata?.captureDate
        picture.metadata.contentIdentifier = found.metadata?.contentIdentifier
        // HEIF is turned by its decoder; for the others a tag decides, in EXIF or XMP.
        if format == .png || format == .webp {
            picture.orientation = found.metadata?.orientation ?? picture.metadata.packetOrientation ?? .upright
        }
        return picture
    }

    static func readMetadata(
        _ file: borrowing FileDescriptor, _ count: Int64, _ now: WallClock
    ) throws(CompressionError) -> (metadata: MediaMetadata?, blocks: MetadataBlocks) {
        var reader = MetadataReader(now: now)
        do throws(POSIXError) { return try reader.readBlocks(file, byteCount: count) } catch {
            throw .file(error)
        }
    }

    /// What a file is that cannot be compressed.
    private static func refusal(_ format: MediaFormat) -> CompressionError {
        let name =
            switch format {
            case .jxl: "JPEG XL"
            case .jp2: "JPEG 2000"
            default: format.rawValue.uppercased()
            }
        let advice = "JPEG, PNG, WebP, HEIC and AVIF can be compressed"
        return switch format.kind {
        case .photo: .unsupported("a \(name) picture: \(advice); convert it to PNG first")
        case .raw: .unsupported("a RAW photo (\(name)): \(advice); develop it to JPEG first")
        case .video: .notAPicture("not a picture: a video (\(name))")
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

extension CompressionSettings {
    /// Whether pixels of more than 8 bits are converted from `profile` to sRGB, which must come before they are rounded.
    func convertsWide(_ profile: [UInt8]?) -> Bool {
        guard let profile, color == .srgb || ICCProfile.isLinear(profile) else { return false }
        return PixelRows.canConvert(from: profile)
    }
}

extension [UInt8] {
    /// Calls `body` with a view that is valid for the call.
    func withView<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try span.withUnsafeBytes { (raw) throws(Failure) in try body(ByteView(raw)) }
    }
}
