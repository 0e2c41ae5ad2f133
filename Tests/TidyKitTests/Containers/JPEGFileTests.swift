import Support
import Testing

@testable import TidyKit

@Suite struct JPEGFileTests {
    static let rich = JPEGFixture()
        .with(0xE1, Array("Exif\0\0".utf8) + EXIFPolicyTests.block())
        .with(profile: [UInt8](repeating: 7, count: 70_000))
        .with(xmp: "<x:xmpmeta/>")
        .with(0xED, Array("Photoshop 3.0\0x".utf8))
        .with(0xFE, Array("a comment".utf8))

    @Test func aProfileInSeveralSegmentsIsPutTogether() throws {
        let bytes = Self.rich.bytes
        let file = try #require(JPEGFile(bytes))
        #expect(file.profile(in: bytes) == [UInt8](repeating: 7, count: 70_000))
        #expect(file.hasEnd)
    }

    @Test func safeKeepsThePixelsAndDropsWhatTalks() throws {
        let bytes = Self.rich.bytes
        let kept = try #require(JPEGFile(bytes)).rewritten(bytes, .safe)
        let file = try #require(JPEGFile(kept))
        let contents = file.segments.compactMap { $0.content(in: kept) }
        #expect(contents.filter { [.xmp, .photoshop, .comment].contains($0) }.isEmpty)
        #expect(contents.contains(.exif))
        #expect(file.profile(in: kept) == [UInt8](repeating: 7, count: 70_000))
        let last = try #require(JPEGFile(bytes)?.segments.last)
        let scan = last.range
        #expect(kept.suffix(scan.count + 2) == bytes[scan] + [0xFF, 0xD9])
        #expect(file.rewritten(kept, .safe) == kept)
    }

    @Test func noneKeepsOnlyTheProfileAndTheStructure() throws {
        let bytes = Self.rich.bytes
        let kept = try #require(JPEGFile(bytes)).rewritten(bytes, .none)
        let contents = try #require(JPEGFile(kept)).segments.compactMap { $0.content(in: kept) }
        #expect(Set(contents.map { "\($0)" }).isSubset(of: ["jfif", "icc"]))
    }

    @Test func whatStandsBehindThePictureGoesWithSafe() throws {
        var fixture = Self.rich
        fixture.trailer = Array("a video of the moment".utf8)
        let kept = try #require(JPEGFile(fixture.bytes)).rewritten(fixture.bytes, .safe)
        #expect(kept.suffix(2) == [0xFF, 0xD9])
        let plain = try #require(JPEGFile(Self.rich.bytes))
        #expect(kept == plain.rewritten(Self.rich.bytes, .safe))
    }

    @Test func aFileCutShortHasNoEnd() throws {
        let bytes = Array(Self.rich.bytes.dropLast(20))
        let file = try #require(JPEGFile(bytes))
        #expect(!file.hasEnd)
        #expect(JPEGFile([0xFF, 0xD8]) == nil)
        #expect(JPEGFile(Array("not a JPEG".utf8)) == nil)
    }

    @Test func noFileHasMoreSegmentsThanMemory() throws {
        var bytes: [UInt8] = [0xFF, 0xD8]
        for _ in 0..<100_010 { bytes.append(contentsOf: [0xFF, 0xE0, 0, 2]) }
        let file = try #require(JPEGFile(bytes + [0xFF, 0xD9]))
        #expect(file.segments.count == 100_000)
        #expect(!file.hasEnd)
    }

    @Test func segmentsOfEveryLengthEndInTime() {
        let bytes = Self.rich.bytes
        for end in stride(from: 2, to: 2000, by: 7) {
            let cut = Array(bytes[..<end])
            if let file = JPEGFile(cut) { _ = file.rewritten(cut, .safe) }
        }
    }
}
