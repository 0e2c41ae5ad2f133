internal import Support
import Testing

@testable import TidyKit

/// TIFF files of every kind, and those that claim what they do not hold.
@Suite(.enabled(if: PictureReducer.obstacle(.tiff) == nil, "libtiff6 is not installed"))
struct TIFFDecoderTests {
    private static let drawn = DrawnPicture(width: 72, height: 50, seed: 5, grain: 0)

    private func planes(_ tiff: DrawnTIFF) throws -> Planes {
        try TIFFDecoder.picture(tiff.bytes, DecodingOptions()).decode(SourcePicture.Reduction())
    }

    /// The mean difference of brightness from the drawn picture.
    private func difference(_ planes: Planes) -> Double {
        let (luma, plane) = (Self.drawn.luma.samples, planes.components[0].plane)
        var sum = 0
        for y in 0..<50 { for x in 0..<72 { sum += abs(Int(luma[72 * y + x]) - Int(plane.row(y)[x])) } }
        return Double(sum) / Double(luma.count)
    }

    @Test(arguments: DrawnTIFF.Kind.allCases, [false, true]) func everyKindIsDecoded(
        _ kind: DrawnTIFF.Kind, _ isBig: Bool
    ) throws {
        var tiff = DrawnTIFF(Self.drawn, kind)
        tiff.isBig = isBig
        for tileEdge in [nil, 16] {
            tiff.tileEdge = tileEdge
            #expect(difference(try planes(tiff)) < (kind == .bilevel ? 110 : 3), "\(kind) \(tileEdge ?? 0)")
        }
    }

    @Test func deepAndPlanarPicturesAreDecoded() throws {
        for kind in [DrawnTIFF.Kind.gray, .rgb] {
            for isPlanar in [false, true] {
                var tiff = DrawnTIFF(Self.drawn, kind)
                (tiff.depth, tiff.isPlanar) = (16, isPlanar)
                #expect(difference(try planes(tiff)) < 3)
            }
        }
    }

    /// Tags of size whose pictures take more memory than there is, in a file of 11 kB.
    @Test(arguments: [[256: 65_535, 257: 65_535], [256: Int(UInt32.max), 257: 1], [256: 60_000, 257: 8000]])
    func aSizeThatTheFileDoesNotHoldTakesNoMemory(_ size: [Int: Int]) throws {
        var tiff = DrawnTIFF(Self.drawn)
        tiff.replaced = size
        let folder = try TemporaryFolder()
        let bytes = tiff.bytes
        let file = try FileDescriptor.openForReading(try folder.write("large.tif", bytes))
        #expect(throws: PictureError.self) {
            try PictureReducer(memory: 100_000_000).picture(
                file, byteCount: Int64(bytes.count), .tiff, duration: nil)
        }
    }

    /// One tile of four gigabytes for a picture of 72 × 50.
    @Test func aTileThatIsFarLargerThanThePictureIsNotAllocated() throws {
        var tiff = DrawnTIFF(Self.drawn)
        tiff.tileEdge = 16
        tiff.replaced = [322: 32_768, 323: 32_768]
        #expect(throws: PictureError.self) { try planes(tiff) }
    }

    @Test func partsThatOverlapAndDirectoriesInALoopAreHarmless() throws {
        var tiff = DrawnTIFF(Self.drawn)
        tiff.tileEdge = 16
        let count = (72 + 15) / 16 * ((50 + 15) / 16)
        #expect(count == 20)
        // One offset for all of them: the count of values differs from the number of tiles.
        tiff.replaced = [324: 8]
        _ = try? planes(tiff)
        var loop = DrawnTIFF(Self.drawn)
        let length = loop.bytes.count
        // The directory itself: it begins where the header says.
        let start = loop.bytes.withView { $0.int32(4, .little) } ?? 0
        loop.next = start
        #expect(loop.bytes.count == length)
        #expect(difference(try planes(loop)) < 3)
    }
}
