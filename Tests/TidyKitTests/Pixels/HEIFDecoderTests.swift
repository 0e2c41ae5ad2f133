internal import Support
import Testing

@testable import TidyKit

/// Over files that libheif writes; a machine whose libheif cannot encode skips them.
@Suite(.enabled(if: EncodedHEIF.canBeMade, "this libheif has no encoders"))
struct HEIFDecoderTests {
    static let drawn = DrawnPicture(width: 96, height: 64, grain: 0)
    /// Not AV1 of 10 bits, at which Debian 12's encoder stops.
    @Test(arguments: [(EncodedHEIF.Coding.hevc, 8), (.hevc, 10), (.av1, 8)]) func aPictureComesAsItIs(
        coding: EncodedHEIF.Coding, depth: Int
    ) throws {
        var fixture = EncodedHEIF(Self.drawn)
        fixture.coding = coding
        fixture.depth = depth
        let picture = try DecodedPicture(try #require(fixture.bytes))
        #expect(picture.difference(from: Self.drawn) < 5)
        #expect(!picture.source.hasFullChroma && picture.planes.components[1].plane.width == 48)
    }

    @Test(arguments: [EncodedHEIF.Coding.hevc, .av1]) func fullChromaIsKept(coding: EncodedHEIF.Coding) throws {
        var fixture = EncodedHEIF(Self.drawn)
        fixture.coding = coding
        fixture.chroma = .full
        let picture = try DecodedPicture(try #require(fixture.bytes))
        #expect(picture.source.hasFullChroma && picture.planes.components[1].plane.width == 96)
        #expect(picture.difference(from: Self.drawn) < 4)
    }

    @Test(arguments: [EncodedHEIF.Coding.hevc, .av1]) func grayStaysOneComponent(coding: EncodedHEIF.Coding) throws {
        var fixture = EncodedHEIF(width: 64, height: 64) { x, _ in [Double(x) / 63] }
        fixture.coding = coding
        fixture.chroma = .gray
        let picture = try DecodedPicture(try #require(fixture.bytes))
        #expect(picture.planes.isGray && picture.source.isGray)
        #expect(abs(picture.color(32, 32)[0] - 130) < 5)
    }

    /// libheif 1.15 hands luma on as it is stored.
    @Test(arguments: [EncodedHEIF.Coding.hevc, .av1]) func grayOfVideoRangeIsSpread(coding: EncodedHEIF.Coding) throws {
        var fixture = EncodedHEIF(width: 64, height: 64) { x, _ in [(16 + 219 * Double(x / 16) / 3) / 255] }
        fixture.coding = coding
        fixture.chroma = .gray
        fixture.color = (1, 13, 1, isFullRange: false)
        let picture = try DecodedPicture(try #require(fixture.bytes))
        #expect(picture.color(4, 32)[0] < 6 && picture.color(60, 32)[0] > 249)
        #expect(abs(picture.color(24, 32)[0] - 85) < 5)
    }

    @Test(arguments: Orientation.allCases) func tenBitsAreTurnedAndMirrored(orientation: Orientation) throws {
        var fixture = EncodedHEIF(Self.drawn.stored(for: orientation))
        fixture.depth = 10
        fixture.orientation = orientation
        #expect(try DecodedPicture(try #require(fixture.bytes)).difference(from: Self.drawn) < 6)
    }

    @Test(arguments: Orientation.allCases) func theDecoderTurnsAndNobodyElse(orientation: Orientation) throws {
        var fixture = EncodedHEIF(Self.drawn.stored(for: orientation))
        fixture.orientation = orientation
        var exif = ExifFixture()
        exif.orientation(UInt16(orientation.rawValue))
        fixture.exif = Array(exif.block().dropFirst(6))
        let picture = try DecodedPicture(try #require(fixture.bytes))
        #expect(picture.difference(from: Self.drawn) < 6)
        #expect(picture.source.orientation == .upright)
        #expect(picture.source.metadata.exif == fixture.exif)
    }

    @Test func oddSizesAreCutToTheirSize() throws {
        let drawn = DrawnPicture(width: 95, height: 61, grain: 0)
        let picture = try DecodedPicture(try #require(EncodedHEIF(drawn).bytes))
        #expect(picture.planes.width == 95 && picture.planes.height == 61)
        #expect(picture.difference(from: drawn) < 5)
    }

    @Test func alphaLiesOnWhite() throws {
        let fixture = EncodedHEIF(width: 64, height: 64) { x, _ in [0.8, 0.1, 0.1, x < 32 ? 1 : 0] }
        let picture = try DecodedPicture(try #require(fixture.bytes))
        #expect(picture.isClose(10, 32, to: [204, 26, 26], within: 6))
        #expect(picture.isClose(50, 32, to: [255, 255, 255], within: 4))
    }

    @Test(arguments: [(1, true), (1, false), (6, false), (9, true)])
    func otherMatricesAndRangesComeToTheSameColors(matrix: Int, isFullRange: Bool) throws {
        var fixture = EncodedHEIF(Self.drawn)
        fixture.coding = .av1
        fixture.color = (1, 13, matrix, isFullRange: isFullRange)
        #expect(try DecodedPicture(try #require(fixture.bytes)).difference(from: Self.drawn) < 5)
    }

    @Test func codePointsBecomeAProfile() throws {
        var fixture = EncodedHEIF(Self.drawn)
        fixture.color = (12, 13, 6, isFullRange: true)
        let wide = try DecodedPicture(try #require(fixture.bytes))
        #expect(wide.source.metadata.profile == CodedColor(primaries: 12, transfer: 13).profile)
        fixture.color = (1, 13, 6, isFullRange: true)
        #expect(try DecodedPicture(try #require(fixture.bytes)).source.metadata.profile == nil)
    }

    /// Little CMS dates what it makes by the second; a second run must give the same bytes.
    @Test func aProfileOfCodePointsHasNoTimeOfItsOwn() throws {
        let profile = try #require(CodedColor(primaries: 12, transfer: 13).profile)
        #expect(profile[24..<36] == [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    }

    @Test func aProfileCountsMoreThanCodePoints() throws {
        var fixture = EncodedHEIF(Self.drawn)
        fixture.profile = ICCProfile.rgb(Chromaticities(primaries: 12)!, .gamma(2.2))
        #expect(fixture.profile != nil)
        #expect(try DecodedPicture(try #require(fixture.bytes)).source.metadata.profile == fixture.profile)
    }

    @Test func highDynamicRangeIsLaidIntoWhatCanBeShown() throws {
        // PQ: 0.58 is white on paper, 1 the top of the scale.
        var fixture = EncodedHEIF(width: 96, height: 32) { x, _ in
            let value = x < 32 ? 0 : x < 64 ? 0.58 : 1
            return [value, value, value]
        }
        fixture.depth = 10
        fixture.color = (9, 16, 9, isFullRange: true)
        let picture = try DecodedPicture(try #require(fixture.bytes))
        let shades = [16, 48, 80].map { picture.color($0, 16)[0] }
        #expect(shades[0] < 8 && (215...245).contains(shades[1]) && shades[2] > 250)
        #expect(picture.source.metadata.profile == nil)
    }

    // MARK: - Faults

    /// A file whose metadata describe an item that is no picture, as phones write them since 2023.
    private static func withForeignReference() throws -> [UInt8] {
        var fixture = EncodedHEIF(drawn)
        var exif = ExifFixture()
        exif.taken("2024:05:01 12:00:00")
        fixture.exif = Array(exif.block().dropFirst(6))
        var bytes = try #require(fixture.bytes)
        let type = try #require(bytes.firstRange(of: "cdsc".utf8))
        // from_item_ID, reference_count, to_item_ID: the metadata now describe themselves.
        let fields = type.upperBound
        bytes[fields + 4] = bytes[fields]
        bytes[fields + 5] = bytes[fields + 1]
        return bytes
    }

    @Test func referencesThatLibheifRefusesAreHiddenFromIt() throws {
        let bytes = try Self.withForeignReference()
        let picture = try DecodedPicture(bytes)
        #expect(picture.difference(from: Self.drawn) < 5)
        #expect(picture.source.metadata.exif != nil)
    }

    @Test func onlyTheTypesOfReferencesAreRenamed() throws {
        let bytes = try Self.withForeignReference()
        let hidden = try #require(HEIFReferences.hidden(["cdsc"], in: bytes))
        #expect(hidden.count == bytes.count && zip(hidden, bytes).filter { $0 != $1 }.count == 4)
        #expect(HEIFReferences.hidden(["auxl"], in: bytes) == nil)
        // A length that leads out of the file ends the walk.
        for cut in 0..<400 { _ = HEIFReferences.hidden(["cdsc", "auxl"], in: Array(bytes[..<cut])) }
    }

    @Test(arguments: [EncodedHEIF.Coding.hevc, .av1]) func anyCutIsTold(coding: EncodedHEIF.Coding) throws {
        var fixture = EncodedHEIF(DrawnPicture(width: 96, height: 64, grain: 20))
        fixture.coding = coding
        let whole = try #require(fixture.bytes)
        for length in stride(from: 0, to: whole.count, by: 37) {
            #expect(failure(Array(whole[..<length])) != nil, "cut to \(length) of \(whole.count)")
        }
    }

    /// Neither coding has a checksum: what tells damage is that the data end where they should not.
    @Test(arguments: [EncodedHEIF.Coding.hevc, .av1])
    func damagedPixelsAreToldOrAllowed(coding: EncodedHEIF.Coding) throws {
        var fixture = EncodedHEIF(DrawnPicture(width: 256, height: 192, grain: 20))
        fixture.coding = coding
        let whole = try #require(fixture.bytes)
        let data = try #require(whole.firstRange(of: "mdat".utf8)).upperBound
        let places = Array(stride(from: data + (whole.count - data) / 8, to: whole.count - 64, by: 211))
        let (silent, allowed) = try flippedBits(of: whole, at: places)
        #expect(30 * silent <= 1, "\(silent)")
        #expect(allowed > 0)
    }

    @Test func aMissingLibraryIsNamed() {
        guard case .failure(.unsupported(let reason)) = HEIFLibrary.open("libheif-of-no-machine.so.9") else {
            Issue.record("a library was opened that is not there")
            return
        }
        #expect(reason.contains("libheif1"))
    }
}
