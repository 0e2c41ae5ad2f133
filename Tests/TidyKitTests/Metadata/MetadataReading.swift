import Support
import TidyKit

/// The clock of these tests: 2026 is the year that counts as next.
let testNow = WallClock(year: 2025, month: 6, day: 15)!

/// What the reader says of a file with these bytes.
func metadata(of bytes: [UInt8]) throws -> MediaMetadata? {
    let folder = try TemporaryFolder()
    let path = try folder.write("file", bytes)
    var reader = MetadataReader(now: testNow)
    return try reader.read(FileDescriptor.openForReading(path), byteCount: Int64(bytes.count))
}

/// As `metadata(of:)`, where nobody asks for more than the format.
func formatAlone(of bytes: [UInt8]) throws -> MediaFormat? {
    let folder = try TemporaryFolder()
    let path = try folder.write("file", bytes)
    var reader = MetadataReader(now: testNow)
    return try reader.format(FileDescriptor.openForReading(path), byteCount: Int64(bytes.count))
}

func metadata(of jpeg: JPEGFixture) throws -> MediaMetadata? { try metadata(of: jpeg.bytes) }

/// As `metadata(of:)` for a JPEG whose EXIF block `fill` writes.
func metadata(exif fill: (inout ExifFixture) -> Void) throws -> MediaMetadata? {
    var exif = ExifFixture()
    fill(&exif)
    return try metadata(of: JPEGFixture().with(exif))
}

func xmpPacket(_ attributes: String, elements: String = "") -> String {
    """
    <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">\
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:MicrosoftPhoto="http://ns.microsoft.com/photo/1.0/" \
    \(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
    """
}

func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

/// A box of ISO 14496-12.
func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    bigEndian(UInt32(body.count + 8)) + Array(type.utf8.prefix(4)) + body
}
