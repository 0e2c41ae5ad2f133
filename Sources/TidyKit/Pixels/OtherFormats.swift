/// Pictures that are not JPEG, each decoded by the library of its format.
enum OtherFormats {
    /// Refuses files that cannot be compressed, by their first bytes.
    /// - Parameter head: `ContentType.headLength` bytes, or the whole file.
    static func checkFormat(
        _ head: [UInt8], _ file: borrowing FileDescriptor, byteCount: Int64, now: WallClock
    ) throws(PictureError) {
        if head.isEmpty { throw .notAPicture("not a picture: the file is empty") }
        switch format(of: head) {
        case .jpeg, .png, .webp, .heic, .avif: return
        // Only the directories distinguish a RAW photo from a TIFF picture.
        case .tiff: throw Self.refusal(try readMetadata(file, byteCount, now).metadata?.format ?? .tiff)
        case .some(let format): throw Self.refusal(format)
        case nil:
            // The decoder checks what follows SOI.
            if head.starts(with: [0xFF, 0xD8]) { return }
            throw .notAPicture("not a picture that is known")
        }
    }

    private static func format(of bytes: [UInt8]) -> MediaFormat? {
        bytes.withUnsafeBytes { raw in
            ContentType.format(of: UnsafeRawBufferPointer(rebasing: raw.prefix(ContentType.headLength)))
        }
    }

    /// - Parameter file: the open file with the content `bytes`.
    static func picture(
        _ bytes: [UInt8], _ file: borrowing FileDescriptor, _ options: DecodingOptions, now: WallClock
    ) throws(PictureError) -> SourcePicture {
        let head = Array(bytes.prefix(ContentType.headLength))
        try checkFormat(head, file, byteCount: Int64(bytes.count), now: now)
        var picture: SourcePicture
        let format = format(of: head)
        switch format {
        case .png: picture = try PNGDecoder.picture(bytes, options)
        case .webp: picture = try WebPDecoder.picture(bytes, options)
        case .heic, .avif: picture = try HEIFDecoder.picture(bytes, options)
        case .jpeg: throw .notAPicture("not a picture: a JPEG header and no more")
        default: throw .notAPicture("not a picture that is known")
        }
        let found = try readMetadata(file, Int64(bytes.count), now)
        picture.metadata.exif = found.blocks.exif
        picture.metadata.add(found.blocks, now: now)
        picture.metadata.taken = found.metadata?.captureDate
        picture.metadata.contentIdentifier = found.metadata?.contentIdentifier
        // The decoder turns HEIF pictures; for the others a tag in EXIF or XMP decides.
        if format == .png || format == .webp {
            picture.orientation = found.metadata?.orientation ?? picture.metadata.packetOrientation ?? .upright
        }
        return picture
    }

    static func readMetadata(
        _ file: borrowing FileDescriptor, _ count: Int64, _ now: WallClock
    ) throws(PictureError) -> (metadata: MediaMetadata?, blocks: MetadataBlocks) {
        var reader = MetadataReader(now: now)
        do throws(POSIXError) { return try reader.readBlocks(file, byteCount: count) } catch {
            throw .file(error)
        }
    }

    /// What a file that cannot be compressed is.
    private static func refusal(_ format: MediaFormat) -> PictureError {
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
