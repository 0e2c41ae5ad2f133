internal import Support
import Testing

@testable import TidyKit

@Suite struct SimilarityTests {
    private func hash(_ fixture: JPEGFixture, _ orientation: Orientation? = nil) -> PerceptualHash? {
        fixture.bytes.withUnsafeBytes { PerceptualHash(JPEGThumbnail($0), orientation: orientation) }
    }

    @Test func scaleAndQualityChangeLittle() throws {
        let large = try #require(hash(JPEGFixture(width: 800, height: 600, seed: 3)))
        let poor = try #require(hash(JPEGFixture(width: 800, height: 600, seed: 3, quality: 25)))
        #expect(large.distance(to: poor) <= 10)
        let other = try #require(hash(JPEGFixture(width: 800, height: 600, seed: 11)))
        #expect(large.distance(to: other) > 10)
    }

    @Test func orientationTurnsThePicture() throws {
        let fixture = JPEGFixture(width: 640, height: 480, seed: 3)
        let upright = try #require(hash(fixture))
        let turned = try #require(hash(fixture, .upsideDown))
        #expect(upright.distance(to: turned) > 10)
        #expect(hash(fixture, .upright) == upright)
    }

    @Test func whatCannotBeDecodedLooksLikeNothing() {
        let whole = JPEGFixture(width: 320, height: 240).bytes
        for (bytes, isSeen) in [
            (whole, true), (Array(whole.prefix(whole.count / 2)), true), ([0xFF, 0xD8, 0xFF], false), ([], false),
        ] {
            let hash = bytes.withUnsafeBytes { PerceptualHash(JPEGThumbnail($0), orientation: nil) }
            #expect((hash != nil) == isSeen, "\(bytes.count) bytes")
        }
    }
}
