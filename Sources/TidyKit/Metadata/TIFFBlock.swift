/// An EXIF block that is in memory, beginning with its TIFF header.
struct TIFFBlock {
    let bytes: ByteView

    init(_ bytes: ByteView) { self.bytes = bytes }

    func read(into fields: inout ExifFields, as first: ExifFields.Directory = .primary) {
        var source = MemorySource(bytes: bytes)
        _ = TIFFDirectories(&source, first: first, into: &fields)
    }
}
