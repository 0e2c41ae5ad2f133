import Support
import Testing
import TidyKit

/// Files that lie. Nothing here looks at what is found: a trap, or a read past an end, ends the test process.
@Suite struct HostileInputTests {
    private var files: [[UInt8]] {
        var exif = ExifFixture()
        exif.camera(make: "NIKON CORPORATION", model: "Model")
        exif.taken("2024:05:01 12:00:00", offset: "+02:00", subseconds: "25")
        exif.location(latitude: 48, longitude: 11)
        exif.set(.exif, 0x927C, .undefined(Array("Apple iOS\0\0\u{1}MM\0\u{1}\0\u{11}\0\u{2}\0\0\0\u{8}\0\0\0 ".utf8)))
        let block = Array(exif.block().dropFirst(6))
        let packet = xmpPacket(#"xmp:Rating="5" exif:GPSLatitude="1,2N""#)
        return [
            JPEGFixture().with(exif).with(xmp: packet).bytes,
            HEIFFixture(transforms: [HEIFFixture.irot(1)], exif: block, xmp: Array(packet.utf8)).bytes,
            pngFixture([("eXIf", block), ("tEXt", Array("Creation Time\02021:03:04 05:06:07".utf8))]),
            webPFixture([("VP8X", [8, 0, 0, 0, 63, 1, 0, 47, 0, 0]), ("EXIF", block)]),
            TIFFFixture(
                primary: [TIFFFixture.text(0x010F, "NIKON"), TIFFFixture.long(0x0100, 9)],
                children: [[TIFFFixture.long(0x0106, 32803)]]
            ).bytes,
            block, MovieFixture(keys: [("com.apple.quicktime.creationdate", "2024-05-01T12:00:00+0200")]).bytes,
            Array("\0MRM\0\0\0@\0PRD\0\0\0\u{18}".utf8) + [UInt8](repeating: 1, count: 60),
            Array("FOVb\0\0\u{2}\0".utf8) + [UInt8](repeating: 0, count: 60) + Array("SECd".utf8),
            [0x49, 0x49, 0x1A, 0, 0, 0] + Array("HEAPCCDR".utf8) + [UInt8](repeating: 2, count: 60) + [1, 0, 0, 0],
            Array("FUJIFILMCCD-RAW ".utf8) + [UInt8](repeating: 0, count: 68) + bigEndian(UInt32(100))
                + bigEndian(UInt32(8)) + bigEndian(UInt32(100)) + [UInt8](repeating: 0, count: 40),
            Array("\0\0\0\u{C}JXL \r\n".utf8) + [0x87, 0x0A] + box("jxlc", [0xFF, 0x0A, 0x7F, 0x3C])
                + box("Exif", block),
            Array("GIF89a".utf8) + [9, 0, 9, 0, 0, 0, 0, 0x21, 0xFF, 11] + Array("XMP DataXMP".utf8)
                + Array(packet.utf8),
        ]
    }

    @Test(arguments: 0..<13)
    func flippedAndCutBytesAreSurvived(index: Int) throws {
        var numbers = SeededRandom(seed: UInt64(index))
        let original = files[index]
        let folder = try TemporaryFolder()
        var reader = MetadataReader(now: testNow)
        for _ in 0..<400 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...12, using: &numbers) {
                let at = Int.random(in: 0..<bytes.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: bytes[at] = 0xFF
                case 1: bytes[at] = UInt8.random(in: 0...255, using: &numbers)
                case 2: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
                default:
                    for next in at..<min(at + 4, bytes.count) {
                        bytes[next] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &numbers)!
                    }
                }
            }
            if Bool.random(using: &numbers) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &numbers)) }
            let path = try folder.write("file", bytes)
            _ = try reader.read(FileDescriptor.openForReading(path), byteCount: Int64(bytes.count))
        }
    }

    @Test func aFileThatShrankSinceItsStatusIsRead() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("file", JPEGFixture().bytes.prefix(30))
        var reader = MetadataReader(now: testNow)
        #expect(try reader.read(FileDescriptor.openForReading(path), byteCount: 1 << 40)?.format == .jpeg)
    }

    @Test func claimedLengthsAreNotAllocated() throws {
        // Boxes and chunks of 4 GB and more in a few bytes.
        let large = HEIFFixture().bytes
        for at in 0..<min(large.count - 4, 200) {
            var bytes = large
            bytes.replaceSubrange(at..<(at + 4), with: [0xFF, 0xFF, 0xFF, 0xFF])
            _ = try metadata(of: bytes)
        }
        let chunk: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF] + Array("eXIf".utf8) + [1, 2, 3]
        #expect(try metadata(of: pngFixture([]).dropLast(12) + chunk)?.problems.isEmpty == false)
    }

    /// A file may be long, and all of it filling: it is given up before much of it is read.
    @Test(arguments: [[0xFF], [0xFF, 0xD0], [0xFF, 0xE0, 0, 2], [0xFF, 0], [0x12]] as [[UInt8]])
    func endlessFillingIsGivenUp(filling: [UInt8]) throws {
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 2]
        while bytes.count < 4 << 20 { bytes += filling }
        let folder = try TemporaryFolder()
        let path = try folder.write("file", bytes)
        var reader = MetadataReader(now: testNow)
        let found = try reader.read(FileDescriptor.openForReading(path), byteCount: Int64(bytes.count))
        #expect(found?.problems.count == 1)
        #expect(reader.bytesRead < 1 << 19)
    }
}
