import Support
import Testing

@testable import TidyKit

/// `--duplicate=pixels`: files of one picture are no copies where one of them holds data that the other one lacks.
@Suite struct AttachedDataTests {
    private let folder: TemporaryFolder
    private static let drawn = DrawnPicture(width: 64, height: 48)

    init() throws { folder = try TemporaryFolder() }

    private func areEqual(_ left: [UInt8], _ right: [UInt8]) throws -> Bool {
        var reader = DigestReader()
        return try reader.areEqual(
            ComparedFile(try folder.write("left", left)), ComparedFile(try folder.write("right", right)))
    }

    // MARK: - JPEG

    private static let jpeg = JPEGFixture(width: 64, height: 48)

    @Test(
        arguments: [
            (0xE1, "FLIR\0\u{1}\0\u{1}thermal samples"), (0xE3, "thermal samples"), (0xEB, "JP\0\u{1}\0\0\0\u{1}jumb"),
            (0xE2, "FPXR\0\0"), (0xE2, "urn:iso:std:iso:ts:21496:-1\0gain map"),
            (0xE1, "http://ns.adobe.com/xmp/extension/\0x"),
            (0xE0, "CIFF"), (0xED, "Adobe_CM"), (0xE2, "ICC_PROFILE\0\u{1}\u{2}half a profile"),
        ] as [(UInt8, String)])
    func aSegmentThatIsNoPlainMetadataCounts(_ marker: UInt8, _ body: String) throws {
        let other = Self.jpeg.with(marker, Array(body.utf8)).bytes
        #expect(try areEqual(other, other))
        #expect(try !areEqual(Self.jpeg.bytes, other))
        #expect(try !areEqual(Self.jpeg.with(marker, Array((body + "!").utf8)).bytes, other))
    }

    @Test(
        arguments: [
            (0xE1, "http://ns.adobe.com/xap/1.0/\0<x/>"), (0xED, "Photoshop 3.0\0"), (0xE0, "JFXX\0"),
            (0xFE, "a comment"),
            (0xE2, "MPF\0"),
        ] as [(UInt8, String)])
    func aSegmentOfPlainMetadataDoesNot(_ marker: UInt8, _ body: String) throws {
        #expect(try areEqual(Self.jpeg.bytes, Self.jpeg.with(marker, Array(body.utf8)).bytes))
    }

    @Test func aPathThatWasDrawnInPhotoshopCounts() throws {
        func resource(_ number: Int) -> [UInt8] {
            Array("Photoshop 3.0\08BIM".utf8) + [UInt8(number >> 8), UInt8(number & 255), 0, 0, 0, 0, 0, 2, 1, 2]
        }
        #expect(try areEqual(Self.jpeg.bytes, Self.jpeg.with(0xED, resource(1028)).bytes))
        #expect(try !areEqual(Self.jpeg.bytes, Self.jpeg.with(0xED, resource(2000)).bytes))
    }

    @Test func bytesBetweenSegmentsCountUnlessTheyAreFill() throws {
        let plain = Self.jpeg.bytes
        #expect(try areEqual(plain, plain[..<2] + [0xFF, 0xFF] + plain[2...]))
        #expect(try !areEqual(plain, plain[..<2] + Array("hidden".utf8) + plain[2...]))
    }

    /// EXIF alone says that these samples are in Adobe RGB; with a profile, the profile counts.
    @Test func theColourSpaceOfEXIFCountsWhereNoProfileSaysMore() throws {
        func exif(_ space: UInt16, _ index: String) -> ExifFixture {
            var exif = ExifFixture()
            exif.set(.exif, 0xA001, .short([space]))
            exif.set(.interoperability, 1, .ascii(index))
            return exif
        }
        let adobe = exif(0xFFFF, "R03")
        #expect(try !areEqual(Self.jpeg.bytes, Self.jpeg.with(adobe).bytes))
        #expect(try areEqual(Self.jpeg.bytes, Self.jpeg.with(exif(0xFFFF, "R98")).bytes))
        #expect(try areEqual(Self.jpeg.bytes, Self.jpeg.with(exif(1, "R98")).bytes))
        let profiled = Self.jpeg.with(profile: try #require(ICCProfile.rgb(.sRGB, .gamma(2.2))))
        #expect(try areEqual(profiled.bytes, profiled.with(adobe).bytes))
    }

    // MARK: - Other formats

    @Test(
        .enabled(if: EncodedHEIF.canBeMade, "this libheif has no encoders"),
        arguments: ["sefd", "mdat", "mpvd", "uuid", ""])
    func whatStandsBehindAHEIFCounts(_ type: String) throws {
        let plain = try #require(EncodedHEIF(Self.drawn).bytes)
        func box(_ type: String, _ body: String) -> [UInt8] {
            type.isEmpty ? Array(body.utf8) : PNGFixture.bigEndian(8 + body.utf8.count) + Array((type + body).utf8)
        }
        let other = plain + box(type, "a film or a log")
        #expect(try areEqual(other, other))
        #expect(try !areEqual(plain, other))
        #expect(try !areEqual(plain + box(type, "a film or a dog"), other))
        #expect(try areEqual(plain, plain + box("free", "padding")))
    }

    @Test(arguments: [
        ("tEXt", "mxfile\0<diagram/>", false), ("tEXt", "parameters\0a cat", false), ("prVt", "anything", false),
        ("tEXt", "Comment\0" + String(repeating: "x", count: 5000), false), ("tEXt", "Comment\0short", true),
        ("iTXt", "XML:com.adobe.xmp\0\0\0\0\0" + String(repeating: "x", count: 5000), true), ("eXIf", "MM\0*", true),
        ("zTXt", "Raw profile type exif\0\0", true), ("tEXt", "Artist\0me", true), ("tIME", "1234567", true),
    ])
    func aChunkOfAPNGCountsUnlessItIsPlainMetadata(_ type: String, _ data: String, isPlain: Bool) throws {
        let plain = PNGFixture(Self.drawn)
        #expect(try areEqual(plain.bytes, plain.with(type, Array(data.utf8)).bytes) == isPlain)
    }

    @Test func whatStandsBehindTheEndCounts() throws {
        let files = [PNGFixture(Self.drawn).bytes, WebPFixture(Self.drawn).bytes, Self.drawn.gif()]
        for file in files {
            let other = file + Array("a film".utf8)
            #expect(try areEqual(other, other))
            #expect(try !areEqual(file, other))
            #expect(try !areEqual(file + Array("a dogs".utf8), other))
        }
    }

    @Test func anUnknownChunkOfAWebPCounts() throws {
        let plain = WebPFixture(Self.drawn).bytes
        func with(_ chunk: [UInt8]) -> [UInt8] {
            let length = withUnsafeBytes(of: UInt32(plain.count - 8 + chunk.count).littleEndian) { Array($0) }
            return plain[..<4] + length + plain[8...] + chunk
        }
        #expect(try areEqual(plain, with(Array("XMP ".utf8) + [2, 0, 0, 0, 1, 2])))
        #expect(try !areEqual(plain, with(Array("C2PA".utf8) + [2, 0, 0, 0, 1, 2])))
    }
}
