/// Pictures that are no JPEG.
enum OtherFormats {
    static func picture(_ bytes: [UInt8], _ settings: CompressionSettings) throws(CompressionError) -> SourcePicture {
        throw .notAPicture(bytes.isEmpty ? "empty file" : "not a picture that can be read")
    }
}
