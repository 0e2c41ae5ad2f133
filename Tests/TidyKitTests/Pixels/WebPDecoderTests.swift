internal import Support
import Testing

@testable import TidyKit

@Suite struct WebPDecoderTests {
    static let drawn = DrawnPicture(width: 67, height: 45, grain: 0)

    @Test func losslessComesAsItIs() throws {
        let picture = try DecodedPicture(WebPFixture(Self.drawn, .lossless).bytes)
        #expect(picture.difference(from: Self.drawn) < 1)
        #expect(picture.source.hasFullChroma)
    }

    @Test func lossyKeepsItsPlanes() throws {
        let picture = try DecodedPicture(WebPFixture(Self.drawn, .lossy(quality: 98)).bytes)
        #expect(picture.difference(from: Self.drawn) < 4)
        #expect(!picture.source.hasFullChroma)
        #expect(picture.planes.components[1].plane.width == 34 && picture.planes.components[1].coveredWidth == 33.5)
    }

    @Test func lossyCoversTheFullRange() throws {
        let rgba = [UInt8](repeating: 255, count: 4 * 64) + (0..<64).flatMap { _ in [UInt8(0), 0, 0, 255] }
        let picture = try DecodedPicture(WebPFixture(width: 8, height: 16, rgba: rgba, .lossy(quality: 100)).bytes)
        #expect(
            picture.isClose(3, 1, to: [255, 255, 255], within: 2) && picture.isClose(3, 14, to: [0, 0, 0], within: 2))
    }

    @Test(arguments: [WebPFixture.Coding.lossless, .lossy(quality: 100)])
    func alphaLiesOnWhite(coding: WebPFixture.Coding) throws {
        let rgba = (0..<32 * 32).flatMap { index -> [UInt8] in [200, 30, 30, [255, 128, 0][min(2, index % 32 / 11)]] }
        let picture = try DecodedPicture(WebPFixture(width: 32, height: 32, rgba: rgba, coding).bytes)
        #expect(picture.isClose(4, 16, to: [200, 30, 30], within: 8))
        #expect(picture.isClose(16, 16, to: [227, 142, 142], within: 8))
        #expect(picture.isClose(28, 16, to: [255, 255, 255], within: 3))
    }

    @Test func anAnimationGivesItsFirstFrame() throws {
        let picture = try DecodedPicture(WebPFixture(Self.drawn, .lossless).animated.bytes)
        #expect(picture.difference(from: Self.drawn) < 1)
        #expect(picture.source.notes == ["first frame of an animation"])
    }

    @Test func appliesOrientationOnceIfExifHasAPrefix() throws {
        var exif = ExifFixture()
        exif.orientation(6)
        for block in [exif.block(), Array(exif.block().dropFirst(6))] {
            let fixture = WebPFixture(Self.drawn.stored(for: .rotatedRight), .lossless).with("EXIF", block)
            let picture = try DecodedPicture(fixture.bytes)
            #expect(picture.difference(from: Self.drawn) < 1)
            #expect(picture.source.metadata.exif == Array(exif.block().dropFirst(6)))
        }
    }

    @Test func theProfileIsKept() throws {
        let profile = try #require(ICCProfile.rgb(Chromaticities(primaries: 12)!, .sRGB))
        #expect(
            try DecodedPicture(WebPFixture(Self.drawn).with("ICCP", profile).bytes).source.metadata.profile == profile)
        #expect(
            try DecodedPicture(WebPFixture(Self.drawn).with("ICCP", [1, 2, 3, 4]).bytes).source.metadata.profile == nil)
    }

    @Test(arguments: [WebPFixture.Coding.lossless, .lossy(quality: 90)]) func anyCutIsTold(coding: WebPFixture.Coding) {
        let fixture = WebPFixture(Self.drawn, coding)
        for whole in [fixture.bytes, fixture.animated.bytes] {
            for length in [13, 31, 60, whole.count / 2, whole.count - 2] {
                #expect(failure(Array(whole[..<length])) != nil, "cut to \(length) of \(whole.count)")
            }
        }
    }

    /// WebP has no checksum: what tells damage is that the data end where they should not.
    @Test(arguments: [false, true]) func damagedPixelsAreToldOrAllowed(animated: Bool) throws {
        // What stands behind the picture is not taken for more of it.
        let fixture = WebPFixture(DrawnPicture(width: 192, height: 128, grain: 20))
            .with("XMP ", [UInt8](repeating: 0x5A, count: 2000))
        let whole = animated ? fixture.animated.bytes : fixture.bytes
        let start = try #require(whole.firstRange(of: "VP8 ".utf8)).upperBound
        let count = (whole.count - start - 2008) / (animated ? 2 : 1)
        let places = Array(stride(from: start + count / 8, to: start + count - 600, by: 97))
        let (silent, allowed) = try flippedBits(of: whole, at: places)
        #expect(30 * silent <= 1, "\(silent)")
        #expect(allowed > 0)
    }

    @Test func aCutPictureIsTakenWhereItIsAllowed() throws {
        let whole = WebPFixture(DrawnPicture(width: 64, height: 256, grain: 20)).bytes
        var settings = CompressionSettings()
        settings.decoding.allowsDamaged = true
        let picture = try DecodedPicture(Array(whole[..<(whole.count * 3 / 4)]), settings)
        #expect(picture.planes.height == 256)
        #expect(picture.color(5, 5) != picture.color(5, 255))
        #expect(picture.isClose(5, 255, to: [255, 255, 255]))
    }
}
