internal import Support
import Testing

@testable import TidyKit

/// What is compared of a picture, whatever its format.
@Suite struct PictureReducerTests {
    private static let drawn = DrawnPicture(width: 320, height: 240, seed: 5, grain: 0)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func reduced(_ bytes: [UInt8], _ format: MediaFormat) throws -> ReducedPicture {
        let file = try FileDescriptor.openForReading(try folder.write("picture", bytes))
        return try PictureReducer().picture(file, byteCount: Int64(bytes.count), format, duration: nil)
    }

    private func thumbnail(_ bytes: [UInt8], _ width: Int, _ height: Int) throws -> ReducedPicture? {
        let file = try FileDescriptor.openForReading(try folder.write("picture", bytes))
        return try PictureReducer().thumbnail(
            file, byteCount: Int64(bytes.count), .jpeg, width: width, height: height)
    }

    /// The mean difference of brightness from the drawn picture.
    private func difference(_ picture: ReducedPicture, from drawn: DrawnPicture = drawn) -> Double {
        guard picture.width == drawn.width, picture.height == drawn.height else { return 255 }
        let luma = drawn.luma.samples
        return Double(zip(picture.luma, luma).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(luma.count)
    }

    static let files: [(MediaFormat, @Sendable () -> [UInt8]?, Double)] = [
        (.jpeg, { drawn.jpeg() }, 2), (.jpeg, { drawn.jpeg(isProgressive: true) }, 2),
        (.png, { PNGFixture(drawn).bytes }, 1), (.webp, { WebPFixture(drawn).bytes }, 3),
        (.bmp, { drawn.bitmap }, 1), (.tiff, { drawn.tiff }, 1), (.gif, { drawn.gif() }, 26),
        (.gif, { drawn.gif(isInterlaced: true) }, 26), (.heic, { EncodedHEIF(drawn).bytes }, 4),
    ]

    @Test(arguments: files.indices) func everyFormatComesAsItIs(_ index: Int) throws {
        let (format, make, tolerance) = Self.files[index]
        guard let bytes = make(), PictureReducer.obstacle(format) == nil else { return }
        let picture = try reduced(bytes, format)
        #expect(difference(picture) < tolerance, "\(format): \(difference(picture))")
        #expect(picture.blue.count == 256 && picture.red.count == 256)
    }

    /// Nothing but an error may come of it.
    @Test(arguments: files.indices) func damagedFilesEndNothing(_ index: Int) throws {
        let (format, make, _) = Self.files[index]
        guard let bytes = make() else { return }
        var random = SeededRandom(seed: 3)
        for step in 0..<60 {
            var damaged = bytes
            if step % 3 == 0 { damaged.removeLast(Int(random.next() % UInt64(bytes.count))) }
            for _ in 0..<4 where !damaged.isEmpty {
                let near = step % 2 == 0 ? min(damaged.count, 96) : damaged.count
                damaged[Int(random.next() % UInt64(near))] = UInt8(truncatingIfNeeded: random.next())
            }
            _ = try? reduced(damaged, format)
            _ = try? thumbnail(damaged, 320, 240)
        }
    }

    @Test func aLargePictureIsScaledToOneEdge() throws {
        let picture = try reduced(DrawnPicture(width: 2000, height: 1500, seed: 5, grain: 0).jpeg(), .jpeg)
        #expect(picture.width == ReducedPicture.longEdge && picture.height == 720)
        let hash = PictureSignature(picture, isOfThumbnail: false)?.whole
        #expect(hash.map { $0.distance(to: Self.drawn.hash) < 12 } == true)
    }

    @Test func colourIsTheSameInAllSizes() throws {
        func color(_ bytes: [UInt8]) throws -> ColorSignature? {
            PictureSignature(try reduced(bytes, .jpeg), isOfThumbnail: false)?.color
        }
        let (large, small) = (try color(Self.drawn.jpeg()), try color(Self.drawn.resized(160, 120).jpeg()))
        let (left, right) = (try #require(large), try #require(small))
        #expect(abs(Int(left.blue) - Int(right.blue)) <= 2 && abs(Int(left.red) - Int(right.red)) <= 2)
        #expect(left != .gray)
    }

    // MARK: Thumbnails

    @Test func theThumbnailOfExifIsFound() throws {
        let small = Self.drawn.resized(160, 120)
        let found = try #require(try thumbnail(Self.drawn.jpeg(thumbnail: small.jpeg()), 320, 240))
        #expect(difference(found, from: small) < 2)
        #expect(try thumbnail(Self.drawn.jpeg(), 320, 240) == nil)
    }

    /// A picture of 3:2 in a thumbnail of 4:3, as many cameras write it.
    @Test func barsAreCutOff() throws {
        let wide = DrawnPicture(width: 300, height: 200, seed: 5, grain: 0)
        let small = wide.resized(160, 106)
        let barred = DrawnPicture(
            width: 160, height: 120,
            rgb: [UInt8](repeating: 0, count: 7 * 160 * 3) + small.rgb + [UInt8](repeating: 0, count: 7 * 160 * 3))
        let found = try #require(try thumbnail(wide.jpeg(thumbnail: barred.jpeg()), 300, 200))
        #expect(found.width == 160 && found.height == 106)
        #expect(difference(found, from: small) < 4)
        // Turned by its tag, the picture is reported upright.
        #expect(try thumbnail(wide.jpeg(thumbnail: barred.jpeg()), 200, 300) != nil)
    }

    /// A program that crops a picture may leave the thumbnail of the whole.
    @Test func aThumbnailOfAnotherAspectIsNone() throws {
        let small = Self.drawn.resized(160, 120)
        #expect(try thumbnail(Self.drawn.jpeg(thumbnail: small.jpeg()), 300, 300) == nil)
        #expect(try thumbnail(Self.drawn.jpeg(thumbnail: small.jpeg()), 320, 200) == nil)
    }
}
