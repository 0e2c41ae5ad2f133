import Support
import Testing

@testable import TidyKit

/// Which files show the same picture under other metadata.
@Suite struct CodedPictureTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func areEqual(_ left: [UInt8], _ right: [UInt8]) throws -> Bool {
        var reader = DigestReader()
        return try reader.areEqual(
            ComparedFile(try folder.write("left", left)), ComparedFile(try folder.write("right", right)))
    }

    private static func jpeg(seed: UInt64 = 1, quality: Int = 80, _ fill: (inout ExifFixture) -> Void = { _ in })
        -> [UInt8]
    {
        var exif = ExifFixture()
        fill(&exif)
        return JPEGFixture(width: 64, height: 48, seed: seed, quality: quality).with(exif).bytes
    }

    @Test func metadataOfAJPEGDoNotCount() throws {
        let plain = Self.jpeg()
        #expect(try areEqual(plain, Self.jpeg { $0.camera(make: "Acme", model: "One") }))
        #expect(try areEqual(plain, Self.jpeg { $0.taken("2024:05:01 10:00:00") }))
        #expect(try areEqual(plain, plain.inserting([0xFF, 0xFE, 0, 4, 0x61, 0x62])))
    }

    @Test func theCodedPictureOfAJPEGDoes() throws {
        let plain = Self.jpeg()
        #expect(try !areEqual(plain, Self.jpeg(seed: 2)))
        #expect(try !areEqual(plain, Self.jpeg(quality: 81)))
        #expect(try !areEqual(plain, Self.jpeg { $0.orientation(6) }))
        #expect(
            try areEqual(
                Self.jpeg { $0.orientation(6) },
                Self.jpeg {
                    $0.orientation(6)
                    $0.camera(make: "A", model: "B")
                }))
        // Adobe's marker with another transform, a profile, and a video behind the picture.
        let adobe: [UInt8] = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
        #expect(try !areEqual(plain, plain.inserting(adobe)))
        let profile: [UInt8] = [0xFF, 0xE2, 0, 20] + Array("ICC_PROFILE\0".utf8) + [1, 1, 1, 2, 3, 4]
        #expect(try !areEqual(plain, plain.inserting(profile)))
        #expect(try !areEqual(plain, plain + Array("a video".utf8)))
    }

    /// Files whose picture cannot be told from the rest are the same only byte by byte.
    @Test func damagedFilesAreComparedAsTheyAre() throws {
        let cut = Array(Self.jpeg().dropLast(2))
        #expect(try areEqual(cut, cut))
        #expect(try !areEqual(cut, cut.inserting([0xFF, 0xFE, 0, 4, 0x61, 0x62])))
        #expect(try areEqual(Array("text".utf8), Array("text".utf8)))
    }

    @Test func samplesOfAPNGCountHoweverTheyArePacked() throws {
        let plain = PNGFixture(DrawnPicture(width: 33, height: 17))
        var interlaced = plain
        interlaced.isInterlaced = true
        #expect(try areEqual(plain.bytes, interlaced.bytes))
        #expect(try areEqual(plain.bytes, plain.with("tEXt", Array("Author\0x".utf8)).bytes))
        #expect(try !areEqual(plain.bytes, plain.with("gAMA", [0, 1, 0x86, 0xA0]).bytes))
        #expect(try !areEqual(plain.bytes, PNGFixture(DrawnPicture(width: 33, height: 17, seed: 2)).bytes))
        let gray = PNGFixture(width: 4, height: 4, colorType: 0) { x, y in [16 * x + y] }
        let color = PNGFixture(width: 4, height: 4) { x, y in [16 * x + y, 16 * x + y, 16 * x + y] }
        #expect(try areEqual(gray.bytes, color.bytes))
    }

    @Test func metadataOfAWebPDoNotCount() throws {
        func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
            Array(type.utf8) + withUnsafeBytes(of: UInt32(data.count).littleEndian) { Array($0) } + data
                + (data.count % 2 == 0 ? [] : [0])
        }
        var body = WebPFixture(DrawnPicture(width: 32, height: 16)).bytes[12...]
        if body.starts(with: "VP8X".utf8) { body = body.dropFirst(18) }
        let plain = chunk("RIFF", Array("WEBP".utf8) + body)
        let extended = chunk("VP8X", [0x08, 0, 0, 0, 31, 0, 0, 15, 0, 0]) + body + chunk("EXIF", Array("MM\0*".utf8))
        let tagged = Array(chunk("RIFF", Array("WEBP".utf8) + extended))
        #expect(try areEqual(plain, tagged))
        #expect(try !areEqual(plain, WebPFixture(DrawnPicture(width: 32, height: 16, seed: 2)).bytes))
    }

    @Test func twoFormatsNeverMatch() throws {
        let picture = DrawnPicture(width: 32, height: 32)
        #expect(try !areEqual(picture.jpeg(quality: 90), Self.jpeg()))
    }
}

extension [UInt8] {
    /// With a segment behind SOI.
    fileprivate func inserting(_ segment: [UInt8]) -> [UInt8] { self[..<2] + segment + self[2...] }
}
