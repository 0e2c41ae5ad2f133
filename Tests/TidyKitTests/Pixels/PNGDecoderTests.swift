internal import Support
import Testing

@testable import TidyKit

@Suite struct PNGDecoderTests {
    static let drawn = DrawnPicture(width: 37, height: 29, grain: 0)

    @Test(arguments: [false, true]) func aPictureComesAsItIs(interlaced: Bool) throws {
        var fixture = PNGFixture(Self.drawn)
        fixture.isInterlaced = interlaced
        let picture = try DecodedPicture(fixture.bytes)
        #expect(picture.difference(from: Self.drawn) < 1)
        #expect(!picture.source.isGray && picture.source.hasFullChroma)
    }

    /// Where passes hold no pixel libspng tells the end one row early.
    @Test(arguments: [(1, 1), (9, 1), (1, 9), (3, 2), (8, 1)])
    func aFewInterlacedPixelsAreRead(width: Int, height: Int) throws {
        var fixture = PNGFixture(width: width, height: height) { x, y in [20 * x, 25 * y, 90] }
        fixture.isInterlaced = true
        let picture = try DecodedPicture(fixture.bytes)
        for y in 0..<height {
            for x in 0..<width { #expect(picture.isClose(x, y, to: [20 * x, 25 * y, 90]), "\(x) \(y)") }
        }
    }

    /// In a profile of light the lowest 64 of 65536 values are 12 shades of sRGB, and one of 8 bits.
    @Test(arguments: [UInt8(0), 2]) func aLinearProfileIsConvertedBeforeRounding(colorType: UInt8) throws {
        let profile =
            colorType == 2 ? ICCProfile.rgb(.sRGB, .gamma(1)) : ICCProfileFixture.linearGray
        var chunk = Array("linear\0".utf8) + [0]
        chunk += PNGFixture.zlib(try #require(profile))
        let fixture = PNGFixture(width: 64, height: 8, depth: 16, colorType: colorType) { x, _ in
            [Int](repeating: 16 * x, count: colorType == 2 ? 3 : 1)
        }
        let picture = try DecodedPicture(fixture.with("iCCP", chunk).bytes)
        #expect(Set((0..<64).map { picture.color($0, 4)[1] }).count > 20)
        #expect(picture.source.metadata.profile == nil && picture.source.notes == [SourcePicture.linearNote])
    }

    @Test func whatCouldBeSeenThroughIsToldOf() throws {
        func reason(_ alpha: Int) throws -> String? {
            let fixture = PNGFixture(width: 32, height: 32, colorType: 6) { x, _ in [10, 20, 30, x < 16 ? alpha : 255] }
            return try CompressedFixture(fixture.bytes, name: "a.png", .safe).item.reason
        }
        #expect(try reason(0) == "transparent parts became white")
        #expect(try reason(255) == nil)
    }

    @Test func aPictureWiderThanAnyJPEGIsScaledDown() throws {
        let fixture = PNGFixture(width: 65_600, height: 4, depth: 1, colorType: 0) { x, _ in [x / 100 % 2] }
        let item = try CompressedFixture(fixture.bytes, name: "a.png", .safe).item
        #expect(item.action == .recompressed && item.width == 65_500 && item.sourceWidth == 65_600)
        #expect(item.reason?.contains("65500") == true)
    }

    @Test(arguments: [1, 2, 4, 8, 16], [false, true]) func grayStaysOneComponent(depth: Int, interlaced: Bool) throws {
        let top = 1 << depth - 1
        var fixture = PNGFixture(width: 19, height: 11, depth: depth, colorType: 0) { x, y in [(x + y) * top / 28] }
        fixture.isInterlaced = interlaced
        let picture = try DecodedPicture(fixture.bytes)
        #expect(picture.source.isGray && picture.planes.isGray)
        #expect(picture.color(0, 0)[0] == 0 && picture.color(18, 10)[0] == 255)
        let middle = (9 * top / 28) * 255 / top
        #expect(abs(picture.color(5, 4)[0] - middle) <= 1)
    }

    @Test(arguments: [1, 2, 4, 8]) func aPaletteIsLookedUp(depth: Int) throws {
        let fixture = PNGFixture(width: 9, height: 3, depth: depth, colorType: 3) { x, _ in [x & 1] }
            .with("PLTE", [200, 30, 10, 10, 40, 220])
        let picture = try DecodedPicture(fixture.bytes)
        #expect(picture.isClose(0, 0, to: [200, 30, 10]) && picture.isClose(7, 2, to: [10, 40, 220]))
    }

    @Test func sixteenBitsAreRounded() throws {
        // 0x80FF is nearer to 0x81 x 257 than to 0x80 x 257: cutting the low byte would be wrong.
        let picture = try DecodedPicture(
            PNGFixture(width: 2, height: 2, depth: 16, colorType: 0) { _, _ in [0x80FF] }.bytes)
        #expect(picture.color(0, 0)[0] == 0x80 || picture.color(0, 0)[0] == 0x81)
        #expect(picture.color(0, 0)[0] == (0x80FF * 255 + 32767) / 65535)
    }

    // MARK: - Transparency

    @Test(arguments: [8, 16]) func alphaLiesOnWhite(depth: Int) throws {
        let top = 1 << depth - 1
        let picture = try DecodedPicture(
            PNGFixture(width: 3, height: 1, depth: depth, colorType: 6) { x, _ in [top, 0, 0, [top, top / 2, 0][x]] }
                .bytes)
        #expect(picture.isClose(0, 0, to: [255, 0, 0]) && picture.isClose(2, 0, to: [255, 255, 255], within: 0))
        // Half of the stored values, as browsers blend, not half of the light.
        #expect(picture.isClose(1, 0, to: [255, 128, 128], within: 2))
    }

    @Test func grayAlphaLiesOnWhite() throws {
        let picture = try DecodedPicture(
            PNGFixture(width: 2, height: 1, colorType: 4) { x, _ in [0, 255 * x] }.bytes)
        #expect(picture.planes.isGray && picture.color(0, 0)[0] == 255 && picture.color(1, 0)[0] == 0)
    }

    @Test func tRNSMakesColorsTransparent() throws {
        let key = PNGFixture(width: 2, height: 1) { x, _ in [10 + x, 20, 30] }.with("tRNS", [0, 10, 0, 20, 0, 30])
        let keyed = try DecodedPicture(key.bytes)
        #expect(keyed.isClose(0, 0, to: [255, 255, 255], within: 0) && keyed.isClose(1, 0, to: [11, 20, 30]))
        let palette = PNGFixture(width: 2, height: 1, colorType: 3) { x, _ in [x] }
            .with("PLTE", [0, 0, 0, 0, 0, 0]).with("tRNS", [0])
        let looked = try DecodedPicture(palette.bytes)
        #expect(looked.isClose(0, 0, to: [255, 255, 255], within: 0) && looked.isClose(1, 0, to: [0, 0, 0]))
    }

    // MARK: - Colour

    private static func gray(_ value: Int, gamma: Int, colorType: UInt8 = 2) -> PNGFixture {
        PNGFixture(width: 2, height: 2, colorType: colorType) { _, _ in
            colorType == 2 ? [value, value, value] : [value]
        }
        .with("gAMA", PNGFixture.bigEndian(gamma))
    }

    @Test(arguments: [UInt8(0), 2]) func gammaAloneIsConverted(colorType: UInt8) throws {
        // Linear light of 1/2 is 188 in sRGB.
        let picture = try DecodedPicture(Self.gray(128, gamma: 100_000, colorType: colorType).bytes)
        #expect(picture.isClose(0, 0, to: [188, 188, 188]))
        #expect(picture.source.metadata.profile == nil)
    }

    @Test func gammaOfSRGBIsLeftAlone() throws {
        for gamma in [45455, 45000, 45454] {
            #expect(
                try DecodedPicture(Self.gray(128, gamma: gamma).bytes).isClose(0, 0, to: [128, 128, 128], within: 0))
        }
    }

    @Test func sRGBAndAProfileCountMoreThanGamma() throws {
        let srgb = Self.gray(128, gamma: 100_000).with("sRGB", [0])
        #expect(try DecodedPicture(srgb.bytes).isClose(0, 0, to: [128, 128, 128], within: 0))
        let profile = try #require(ICCProfile.rgb(Chromaticities(primaries: 12)!, .sRGB))
        let tagged = Self.gray(128, gamma: 100_000)
            .with("iCCP", Array("P3\0\0".utf8) + PNGFixture.zlib(profile))
        let picture = try DecodedPicture(tagged.bytes)
        #expect(picture.isClose(0, 0, to: [128, 128, 128], within: 0))
        #expect(picture.source.metadata.profile == profile)
    }

    @Test func aProfileForOtherPixelsIsDropped() throws {
        let profile = try #require(ICCProfile.rgb(.sRGB, .gamma(1.8)))
        let gray = PNGFixture(width: 1, height: 1, colorType: 0) { _, _ in [7] }
            .with("iCCP", Array("x\0\0".utf8) + PNGFixture.zlib(profile))
        #expect(try DecodedPicture(gray.bytes).source.metadata.profile == nil)
    }

    @Test func primariesAreConverted() throws {
        // The red of BT.2020 is more than sRGB can show; white stays white.
        let chromaticities = [31270, 32900, 70800, 29200, 17000, 79700, 13100, 4600].flatMap(PNGFixture.bigEndian)
        let fixture = PNGFixture(width: 2, height: 1) { x, _ in x == 0 ? [255, 255, 255] : [200, 60, 60] }
            .with("gAMA", PNGFixture.bigEndian(45455)).with("cHRM", chromaticities)
        let picture = try DecodedPicture(fixture.bytes)
        #expect(picture.isClose(0, 0, to: [255, 255, 255], within: 1))
        let red = picture.color(1, 0)
        #expect(red[0] > 225 && red[1] < 50)
    }

    @Test func codePointsBecomeAProfile() throws {
        let p3 = PNGFixture(width: 1, height: 1) { _, _ in [200, 60, 60] }.with("cICP", [12, 13, 0, 1])
        #expect(try DecodedPicture(p3.bytes).source.metadata.profile == CodedColor(primaries: 12, transfer: 13).profile)
        let srgb = PNGFixture(width: 1, height: 1) { _, _ in [200, 60, 60] }.with("cICP", [1, 13, 0, 1])
        #expect(try DecodedPicture(srgb.bytes).source.metadata.profile == nil)
    }

    @Test func highDynamicRangeIsLaidIntoWhatCanBeShown() throws {
        // PQ: 203 cd/m² is white on paper, 10,000 the top of the scale.
        let values = [0, 0x949E, 65535]
        let fixture = PNGFixture(width: 3, height: 1, depth: 16) { x, _ in [values[x], values[x], values[x]] }
            .with("cICP", [9, 16, 0, 1])
        let picture = try DecodedPicture(fixture.bytes)
        let shades = (0..<3).map { picture.color($0, 0)[0] }
        #expect(shades[0] == 0 && shades[2] == 255)
        #expect((215...245).contains(shades[1]))
    }

    // MARK: - Metadata

    @Test func orientationIsAppliedOnce() throws {
        for orientation in Orientation.allCases {
            var exif = ExifFixture()
            exif.orientation(UInt16(orientation.rawValue))
            let fixture = PNGFixture(Self.drawn.stored(for: orientation)).with("eXIf", Array(exif.block().dropFirst(6)))
            let picture = try DecodedPicture(fixture.bytes)
            #expect(picture.difference(from: Self.drawn) < 1, "orientation \(orientation)")
        }
    }

    @Test func exifBehindThePixelsIsFound() throws {
        var exif = ExifFixture()
        exif.taken("2024:05:01 12:00:00")
        var fixture = PNGFixture(Self.drawn)
        fixture.lateChunks = [("eXIf", Array(exif.block().dropFirst(6)))]
        #expect(try DecodedPicture(fixture.bytes).source.metadata.exif == Array(exif.block().dropFirst(6)))
    }

    @Test func pixelsPerMetreBecomeDotsPerInch() throws {
        let fixture = PNGFixture(Self.drawn)
            .with("pHYs", PNGFixture.bigEndian(11811) + PNGFixture.bigEndian(2835) + [1])
        #expect(
            try DecodedPicture(fixture.bytes).source.metadata.density
                == JPEGFile.Density(unit: 1, horizontal: 300, vertical: 72))
    }

    // MARK: - Damage

    @Test func anyCutIsTold() throws {
        let whole = PNGFixture(Self.drawn).bytes
        for length in [9, 20, 40, 100, whole.count / 2, whole.count - 13, whole.count - 12, whole.count - 1] {
            #expect(isDamaged(Array(whole[..<length])), "cut to \(length)")
        }
    }

    @Test func everyFlippedBitIsTold() throws {
        var exif = ExifFixture()
        exif.taken("2024:05:01 12:00:00")
        let whole = PNGFixture(DrawnPicture(width: 8, height: 6))
            .with("eXIf", Array(exif.block().dropFirst(6))).bytes
        for position in 8..<whole.count {
            var flipped = whole
            flipped[position] ^= 0x10
            #expect(failure(flipped) != nil, "byte \(position)")
        }
    }

    @Test func damageIsTakenWhereItIsAllowed() throws {
        let whole = PNGFixture(Self.drawn).bytes
        var settings = CompressionSettings()
        settings.decoding.allowsDamaged = true
        let picture = try DecodedPicture(Array(whole[..<(whole.count / 2)]), settings)
        #expect(picture.isClose(3, 3, to: (0..<3).map { Int(Self.drawn.rgb[(3 * 37 + 3) * 3 + $0]) }))
        #expect(picture.isClose(3, 28, to: [255, 255, 255]))
        #expect(failure(Array(whole[..<40]), allowingDamage: true) != nil)
    }

    @Test func pixelsAreCountedBeforeAnythingIsMade() {
        for (width, height) in [(0x7FFF_FFFF, 0x7FFF_FFFF), (50_000, 50_000)] {
            let header = PNGFixture.bigEndian(width) + PNGFixture.bigEndian(height) + [8, 6, 0, 0, 1]
            let bytes = PNGFixture.signature + PNGFixture.chunk("IHDR", header) + PNGFixture.chunk("IDAT", [1])
            guard case .tooManyPixels = failure(bytes + PNGFixture.chunk("IEND", [])) else {
                Issue.record("\(width) x \(height) was not refused for its size")
                continue
            }
        }
    }

    @Test func anAnimationIsNoted() throws {
        let control = PNGFixture.bigEndian(2) + PNGFixture.bigEndian(0)
        let picture = try DecodedPicture(PNGFixture(Self.drawn).with("acTL", control).bytes)
        #expect(picture.source.notes == ["first frame of an animation"])
    }
}

/// A gray profile whose values are light (ICC.1:2010): a curve of no points.
enum ICCProfileFixture {
    static let linearGray: [UInt8]? = {
        func number(_ value: Int) -> [UInt8] { PNGFixture.bigEndian(value) }
        let white = Array("XYZ ".utf8) + number(0) + number(0xF6D6) + number(0x10000) + number(0xD32D)
        let curve = Array("curv".utf8) + number(0) + number(0)
        var body: [UInt8] = number(2) + Array("wtpt".utf8) + number(156) + number(20)
        body += Array("kTRC".utf8) + number(176) + number(12) + white + curve
        var header = number(128 + body.count) + number(0) + number(0x0210_0000) + Array("mntrGRAYXYZ ".utf8)
        header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        header += number(0xF6D6) + number(0x10000) + number(0xD32D)
        return header + [UInt8](repeating: 0, count: 128 - header.count) + body
    }()
}
