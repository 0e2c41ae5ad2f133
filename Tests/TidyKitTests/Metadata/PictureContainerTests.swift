import Support
import Testing
import TidyKit

@Suite struct PictureContainerTests {
    private let block = tiffBlock { exif in
        exif.taken("2024:05:01 12:00:00")
        exif.orientation(6)
    }
    private let packet = Array(xmpPacket(#"xmp:Rating="4" xmp:CreateDate="2020-02-02T02:02:02""#).utf8)

    @Test func pngWithExifBehindThePicture() throws {
        let found = try metadata(of: pngFixture([("eXIf", block)]))
        #expect(found?.captureDate?.text == "2024-05-01T12:00:00")
        #expect([found?.width, found?.height] == [20, 30])
        #expect(found?.problems == [])
    }

    @Test func findsChunksAfterManyPiecesOfImageData() throws {
        let pieces = (0..<400).map { _ in ("IDAT", [UInt8](repeating: 0x49, count: 8192)) }
        let bytes = pngFixture(pieces + [("eXIf", block)])
        let folder = try TemporaryFolder()
        let path = try folder.write("file", bytes)
        var reader = MetadataReader(now: testNow)
        let found = try reader.read(FileDescriptor.openForReading(path), byteCount: Int64(bytes.count))
        #expect(found?.captureDate?.text == "2024-05-01T12:00:00")
        #expect(found?.problems == [])
        #expect(reader.bytesRead < 400_000)
        // Without its end, the pieces are walked, and the file has a problem.
        #expect(try metadata(of: Array(bytes.dropLast(40 + block.count)))?.problems.count == 1)
    }

    @Test func pngTexts() throws {
        let international = Array("XML:com.adobe.xmp\0".utf8) + [0, 0, 0, 0] + packet
        #expect(try metadata(of: pngFixture([("iTXt", international)]))?.rating == 4)
        // ImageMagick writes EXIF as hexadecimal text.
        let exif = Array("Exif\0\0".utf8) + block
        let hex = exif.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let profile = Array("Raw profile type exif\0\nexif\n      \(exif.count)\n\(hex)\n".utf8)
        #expect(try metadata(of: pngFixture([("tEXt", profile)]))?.captureDate?.text == "2024-05-01T12:00:00")
        let created = Array("Creation Time\02021:03:04 05:06:07".utf8)
        #expect(try metadata(of: pngFixture([("tEXt", created)]))?.captureDate?.text == "2021-03-04T05:06:07")
        // The form of mail, which the specification suggests.
        for (date, expected) in [
            ("Sun, 04 Mar 2012 05:06:07 -0330", "2012-03-04T05:06:07-03:30"),
            ("4 Mar 2012 05:06 GMT", "2012-03-04T05:06:00Z"), ("Sun, 4 mar 2012 05:06:07", "2012-03-04T05:06:07"),
            ("Sun, 04 Mar 2012 05:06:07 PDT", "2012-03-04T05:06:07-07:00"), ("Sun, 31 Feb 2012 05:06:07 GMT", nil),
            ("Sun, 04 Mar 2012 25:06:07 GMT", nil), ("04 Mar 12 05:06", nil), ("Sunday", nil), (", , ,", nil),
        ] as [(String, String?)] {
            let text = Array("Creation Time\0\(date)".utf8)
            #expect(try metadata(of: pngFixture([("tEXt", text)]))?.captureDate?.text == expected, "\(date)")
        }
        // A zlib stream of stored bytes (RFC 1951, section 3.2.4), which any inflater reads.
        let length = UInt16(packet.count)
        let stored =
            [0x78, 0x01, 0x01] + littleEndian(length) + littleEndian(~length) + packet + bigEndian(adler32(packet))
        let compressed = Array("XML:com.adobe.xmp\0".utf8) + [1, 0, 0, 0] + stored
        #expect(try metadata(of: pngFixture([("iTXt", compressed)]))?.rating == 4)
        let damaged = try metadata(of: pngFixture([("iTXt", Array(compressed.dropLast(40)))]))
        #expect(damaged?.rating == nil && damaged?.problems.count == 1)
    }

    private func adler32(_ bytes: [UInt8]) -> UInt32 {
        let sums = bytes.reduce((UInt32(1), UInt32(0))) { sums, byte in
            let low = (sums.0 + UInt32(byte)) % 65521
            return (low, (sums.1 + low) % 65521)
        }
        return sums.1 << 16 | sums.0
    }

    @Test func webP() throws {
        let canvas: [UInt8] = [0x08, 0, 0, 0, 63, 1, 0, 47, 0, 0]
        let extended = try metadata(of: webPFixture([("VP8X", canvas), ("EXIF", block), ("XMP ", packet)]))
        // 320 x 48, held upright.
        #expect([extended?.width, extended?.height] == [48, 320])
        #expect(extended?.captureDate?.text == "2024-05-01T12:00:00" && extended?.rating == 4)
        let prefixed = try metadata(of: webPFixture([("VP8X", canvas), ("EXIF", Array("Exif\0\0".utf8) + block)]))
        #expect(prefixed?.orientation == .rotatedRight)
        let lossy: [UInt8] = [0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x41, 0x20, 0x00]
        #expect(try metadata(of: webPFixture([("VP8 ", lossy)]))?.width == 0x140)
        let lossless: [UInt8] = [0x2F] + littleEndian(UInt32(319 | 47 << 14))
        #expect(try metadata(of: webPFixture([("VP8L", lossless)]))?.height == 48)
    }

    @Test func gif() throws {
        let screen = Array("GIF89a".utf8) + littleEndian(UInt16(320)) + littleEndian(UInt16(48)) + [0x80, 0, 0]
        let table = [UInt8](repeating: 0, count: 6)
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 8, 0, 8, 0, 0, 2, 3, 9, 9, 9, 0]
        let xmp = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + packet + [1] + [0]
        let found = try metadata(of: screen + table + image + xmp + [0x3B])
        #expect(found?.format == .gif && found?.width == 320 && found?.height == 48 && found?.rating == 4)
    }

    @Test func bitmap() throws {
        let file = Array("BM".utf8) + [UInt8](repeating: 0, count: 12)
        let rest: [UInt8] = [1, 0, 24, 0]
        let info = littleEndian(UInt32(40)) + littleEndian(Int32(320)) + littleEndian(Int32(-48)) + rest
        let found = try metadata(of: file + info)
        #expect(found?.format == .bmp && found?.width == 320 && found?.height == 48)
        let core = littleEndian(UInt32(12)) + littleEndian(UInt16(320)) + littleEndian(UInt16(48)) + rest
        #expect(try metadata(of: file + core)?.height == 48)
        #expect(try metadata(of: Array("BMW is a maker of cars, and this is a text about it.".utf8)) == nil)
    }
}
