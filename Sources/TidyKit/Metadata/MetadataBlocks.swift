/// The metadata of a file as the blocks that stand in it, for a program that writes them into another file.
struct MetadataBlocks {
    /// From the byte order mark on: without the `Exif\0\0` that some containers put in front.
    private(set) var exif: [UInt8]?
    private(set) var packets: [[UInt8]] = []

    mutating func add(exif block: ByteView) {
        guard exif == nil else { return }
        exif = Array((block.starts(with: "Exif\0\0") ? block.from(6) : block).buffer)
    }

    mutating func add(xmp packet: ByteView) {
        packets.append(Array(packet.buffer))
    }
}

extension MetadataReader {
    /// As `read`, together with the first EXIF block and all XMP packets. JPEG files give no EXIF here.
    mutating func readBlocks(
        _ file: borrowing FileDescriptor, byteCount: Int64
    ) throws(POSIXError) -> (metadata: MediaMetadata?, blocks: MetadataBlocks) {
        parts.blocks = MetadataBlocks()
        defer { parts.blocks = nil }
        let metadata = try read(file, byteCount: byteCount)
        return (metadata, parts.blocks ?? MetadataBlocks())
    }
}
