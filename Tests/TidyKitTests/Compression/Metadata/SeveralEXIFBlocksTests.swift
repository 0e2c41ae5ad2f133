import Support
import Testing

@testable import TidyKit

/// Several whole EXIF blocks in one file: as for libexif, exiv2 and browsers, the first counts.
@Suite struct SeveralEXIFBlocksTests {
    private static func block(_ fill: (inout ExifFixture) -> Void) -> [UInt8] {
        var exif = ExifFixture()
        fill(&exif)
        return exif.block()
    }

    private static let whole = Array("Exif\0\0".utf8) + EXIFPolicyTests.block(orientation: 6)

    @Test func theReaderTakesNothingOfTheSecond() throws {
        let photo = JPEGFixture().with(0xE1, Self.block { $0.camera(make: "First", model: "A") }).with(0xE1, Self.whole)
        let found = try #require(try metadata(of: photo))
        #expect(found.make == "First" && found.captureDate == nil && found.orientation == nil && found.location == nil)
    }

    @Test(arguments: MetadataPolicy.allCases, [nil, 40] as [Int?])
    func listAndCompressAgree(policy: MetadataPolicy, edge: Int?) throws {
        let first = Self.block {
            $0.orientation(8)
            $0.taken("2020:02:02 02:02:02")
        }
        let photo = JPEGFixture().with(0xE1, first).with(0xE1, Self.whole).bytes
        let source = try #require(try metadata(of: photo))
        let done = try CompressedFixture(photo, policy, edge: edge)
        #expect((source.width, source.height) == (48, 64))
        #expect((done.item.sourceWidth, done.item.sourceHeight) == (48, 64))
        if policy != .none { #expect(done.found.captureDate?.text == "2020-02-02T02:02:02") }
        if edge == nil { #expect((done.found.width, done.found.height) == (48, 64)) }
    }

    @Test(arguments: [nil, 40] as [Int?]) func noPlaceOfAnyBlockIsLeft(edge: Int?) throws {
        // The first is worth nothing under this policy, has something, or is no block at all.
        let firsts = [
            Self.block { $0.orientation(1) }, Self.block { $0.camera(make: "First", model: "A") },
            Array("Exif\0\0second".utf8), Self.whole,
        ]
        for first in firsts {
            let photo = JPEGFixture().with(0xE1, first).with(0xE1, Self.whole).with(0xE1, Self.whole).bytes
            let done = try CompressedFixture(photo, .safe, edge: edge)
            #expect(done.contents.filter { $0 == .exif }.count <= 1)
            #expect(done.exif?.directories[.gps] == nil && done.found.location == nil)
            #expect(done.bytes.firstRange(of: "MakerNoteBytes".utf8) == nil)
            let source = try #require(try metadata(of: photo))
            #expect(done.found.captureDate?.text == source.captureDate?.text)
            if edge == nil { #expect((done.found.orientation ?? .upright) == (source.orientation ?? .upright)) }
        }
    }
}
