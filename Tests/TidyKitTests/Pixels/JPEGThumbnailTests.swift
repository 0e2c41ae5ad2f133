import Support
import Testing

@testable import TidyKit

@Suite struct JPEGThumbnailTests {
    private func strict(_ bytes: [UInt8], _ denominator: Int) throws -> Planes {
        try bytes.withUnsafeBytes { raw in
            try JPEGDecoder.open(raw, memory: 1 << 28).planes(
                SourcePicture.Reduction(denominator: denominator), profile: nil, allowDamaged: true)
        }
    }

    private func mean(_ plane: Plane) -> Double {
        var sum = 0
        for y in 0..<plane.height { for x in 0..<plane.width { sum += Int(plane.row(y)[x]) } }
        return Double(sum) / Double(plane.width * plane.height)
    }

    @Test("Sizes and samples are those of the strict decoder", arguments: [(161, 119), (640, 479), (64, 64)])
    func agreesWithTheStrictDecoder(width: Int, height: Int) throws {
        let bytes = DrawnPicture(width: width, height: height, grain: 24).jpeg(quality: 85)
        let planes = try #require(try JPEGThumbnail.planes(bytes, least: 160))
        let denominator = width >= 320 ? 4 : 1
        let expected = try strict(bytes, denominator)
        #expect(planes.width == expected.width && planes.height == expected.height)
        #expect(planes.components.count == expected.components.count)
        for (own, other) in zip(planes.components, expected.components) {
            #expect(abs(mean(own.plane) - mean(other.plane)) < 1.5)
        }
    }

    @Test func whatIsCutOffIsDecodedAsFarAsItGoes() throws {
        let bytes = DrawnPicture(width: 160, height: 120, grain: 24).jpeg(quality: 85)
        let whole = try #require(try JPEGThumbnail.planes(bytes, least: 160)).components[0].plane
        let cut = try #require(try JPEGThumbnail.planes(Array(bytes[..<(bytes.count / 2)]), least: 160))
        #expect((0..<160).allSatisfy { cut.components[0].plane.row(0)[$0] == whole.row(0)[$0] })
    }

    @Test func largeAndForeignFilesAreLeftToTheStrictDecoder() throws {
        let large = DrawnPicture(width: 1200, height: 900, grain: 24).jpeg(quality: 50)
        #expect(try JPEGThumbnail.planes(large, least: 160)?.width == nil)
        for bytes in [[], [0xFF], Array("no JPEG".utf8), Array(repeating: 0xFF, count: 4096)] as [[UInt8]] {
            #expect(try JPEGThumbnail.planes(bytes, least: 160)?.width == nil)
        }
    }
}
