internal import Glibc
import Support
import Testing

@testable import TidyKit

/// What `--color srgb` does to tones, and to what a photo says of its colours.
@Suite struct ConvertedColorTests {
    private static func compressed(
        _ source: [UInt8], _ color: DecodingOptions.ColorRule, _ policy: MetadataPolicy = .safe
    ) throws -> (item: CompressionItem, bytes: [UInt8]) {
        let bench = try CompressionRunTests.Bench(target: 1_000_000)
        bench.settings.decoding.color = color
        bench.settings.metadata = policy
        bench.settings.chroma = .full
        try bench.add("a.jpg", source)
        return (try #require(try bench.run().first), try bench.output("a.jpg"))
    }

    private static func luma(_ bytes: [UInt8]) throws -> [UInt8] {
        let planes = try SourcePicture.decodeJPEG(
            bytes, SourcePicture.Reduction(), profile: nil, options: DecodingOptions())
        let plane = planes.components[0].plane
        return (0..<plane.height).flatMap { y in (0..<plane.width).map { plane.row(y)[$0] } }
    }

    /// A gray profile whose stored values are light itself (ICC.1:2001-04, section 6.3.2.1).
    private static let linearGray: [UInt8] = {
        func words(_ values: [Int]) -> [UInt8] { values.flatMap { PNGFixture.bigEndian($0) } }
        let curve = Array("curv".utf8) + words([0, 1]) + [1, 0, 0, 0]
        let white = Array("XYZ ".utf8) + words([0, 0xF6D6, 0x10000, 0xD32D])
        let table = words([2]) + Array("wtpt".utf8) + words([156, 20]) + Array("kTRC".utf8) + words([176, 14])
        let header =
            words([192, 0, 0x0210_0000]) + Array("mntrGRAYXYZ ".utf8) + words([0, 0, 0]) + Array("acsp".utf8)
            + words([0, 0, 0, 0, 0, 0, 0, 0xF6D6, 0x10000, 0xD32D]) + [UInt8](repeating: 0, count: 48)
        return header + table + white + curve
    }()

    /// Editors leave the profile of the colours in a picture that they made gray.
    @Test(arguments: [linearGray, ICCProfile.rgb(.sRGB, .gamma(1))])
    func grayIsConvertedByItsProfileAndStaysGray(profile: [UInt8]?) throws {
        #expect(Self.linearGray.count == 192)
        let picture = DrawnPicture(width: 96, height: 64, grain: 4).jpeg(quality: 95, subsampling: .gray)
        let source = JPEGFixture(picture: picture).with(profile: try #require(profile)).bytes
        let (item, bytes) = try Self.compressed(source, .srgb)
        #expect(item.action == .recompressed)
        let file = try #require(JPEGFile(bytes))
        #expect(file.profile(in: bytes) == nil)
        let (old, new) = (try Self.luma(source), try Self.luma(bytes))
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        // IEC 61966-2-1; no tone of the picture is as dark as its straight part.
        let expected = mean(old.map { 255 * (1.055 * pow(Double($0) / 255, 1 / 2.4) - 0.055) })
        #expect(abs(mean(new.map(Double.init)) - expected) < 4)
        #expect(expected - mean(old.map(Double.init)) > 20)
        #expect(try Self.compressed(source, .keep).item.action == .copied)
    }

    /// Adobe RGB as cameras say it: Uncalibrated, and R03.
    /// - Parameter other: what stands in place of the profile of Adobe RGB; nothing where it is empty.
    private static func adobeRGB(_ other: [UInt8]? = nil) throws -> [UInt8] {
        let main = EXIFDirectories.Entry(tag: 0x010F, type: 2, count: 6, value: Array("Maker\0".utf8))
        var block = EXIFDirectories(isBigEndian: true)
        block.directories[.main] = [main]
        block.set(0xA001, in: .exif, type: 3, to: 0xFFFF)
        block.directories[.interoperability] = [
            EXIFDirectories.Entry(tag: 1, type: 2, count: 4, value: Array("R03\0".utf8)),
            EXIFDirectories.Entry(tag: 2, type: 7, count: 4, value: Array("0100".utf8)),
        ]
        let primaries = Chromaticities((0.64, 0.33), (0.21, 0.71), (0.15, 0.06), white: Chromaticities.d65)
        let profile = try #require(ICCProfile.rgb(primaries, .gamma(2.2)))
        let xmp = #"<x exif:ColorSpace="65535" photoshop:ICCProfile="Adobe RGB (1998)" xmp:Rating="4"/>"#
        let photo = JPEGFixture(width: 96, height: 64, grain: 20)
            .with(0xE1, Array("Exif\0\0".utf8) + block.serialized()).with(xmp: xmp)
        return (other?.isEmpty == true ? photo : photo.with(profile: other ?? profile)).bytes
    }

    @Test(arguments: [MetadataPolicy.safe, .all]) func noClaimOfAnotherSpaceIsLeft(policy: MetadataPolicy) throws {
        let source = try Self.adobeRGB()
        let (item, bytes) = try Self.compressed(source, .srgb, policy)
        #expect(item.action == .recompressed)
        let file = try #require(JPEGFile(bytes))
        #expect(file.profile(in: bytes) == nil)
        let block = try #require(file.exifBlock(in: bytes).flatMap { EXIFDirectories($0.bytes) })
        #expect(block.entry(0xA001, in: .exif).flatMap(block.number) == 1)
        #expect(EXIFPolicyTests.text(block, 1, .interoperability) ?? "R98" == "R98")
        #expect(bytes.firstRange(of: "65535".utf8) == nil && bytes.firstRange(of: "Adobe RGB".utf8) == nil)
        #expect((bytes.firstRange(of: #"xmp:Rating="4""#.utf8) != nil) == (policy == .all))
    }

    @Test func whatKeepsItsProfileKeepsItsClaims() throws {
        let (_, bytes) = try Self.compressed(try Self.adobeRGB(), .keep)
        try Self.expectClaims(bytes)
        #expect(JPEGFile(bytes)?.profile(in: bytes) != nil)
    }

    private static func expectClaims(_ bytes: [UInt8]) throws {
        let file = try #require(JPEGFile(bytes))
        let block = try #require(file.exifBlock(in: bytes).flatMap { EXIFDirectories($0.bytes) })
        #expect(block.entry(0xA001, in: .exif).flatMap(block.number) == 0xFFFF)
        #expect(EXIFPolicyTests.text(block, 1, .interoperability) == "R03")
    }

    /// Without a profile, or with one that is of no use, the numbers of the pixels stay what they were.
    @Test(arguments: [[], [UInt8](repeating: 7, count: 300), linearGray], [MetadataPolicy.safe, .all])
    func whatWasNotConvertedKeepsItsClaims(profile: [UInt8], policy: MetadataPolicy) throws {
        let bench = try CompressionRunTests.Bench(target: 1_000_000)
        bench.settings.decoding.color = .srgb
        bench.settings.metadata = policy
        bench.settings.maximumEdge = 80
        try bench.add("a.jpg", try Self.adobeRGB(profile))
        #expect(try bench.run().map(\.action) == [.recompressed])
        let bytes = try bench.output("a.jpg")
        try Self.expectClaims(bytes)
        #expect(JPEGFile(bytes)?.profile(in: bytes) == (profile.isEmpty ? nil : profile))
        #expect((bytes.firstRange(of: "Adobe RGB".utf8) != nil) == (policy == .all))
    }
}
