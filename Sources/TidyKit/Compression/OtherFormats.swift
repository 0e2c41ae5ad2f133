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
        guard let format else { throw .notAPicture("not a picture that is known") }
        var picture: SourcePicture
        switch format {
        case .png: picture = try PNGDecoder.picture(bytes, settings)
        case .webp: picture = try WebPDecoder.picture(bytes, settings)
        case .heic, .avif: picture = try HEIFDecoder.picture(bytes, settings)
        case .jpeg: throw .damaged("no JPEG header")
        default: throw .unsupported("\(format.rawValue.uppercased()) is not a format that can be compressed")
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
}
