internal import Support
import Testing

@testable import TidyKit

/// Previews of RAW photos, of which the first is often not what it says.
@Suite struct EmbeddedPreviewsTests {
    private static let drawn = DrawnPicture.rectangles(seed: 3, width: 640, height: 480)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func reduced(_ bytes: [UInt8], _ format: MediaFormat) throws -> (
        whole: ReducedPicture?, small: ReducedPicture?
    ) {
        let file = try FileDescriptor.openForReading(try folder.write("raw", bytes))
        let (reducer, count) = (PictureReducer(), Int64(bytes.count))
        return (
            try? reducer.picture(file, byteCount: count, format, duration: nil),
            try reducer.thumbnail(file, byteCount: count, format, width: 640, height: 480)
        )
    }

    private func isAlike(_ picture: ReducedPicture?) -> Bool {
        guard let picture, let hash = PictureSignature(picture, isOfThumbnail: true)?.whole else { return false }
        return hash.distance(to: Self.drawn.hash) < 40
    }

    @Test func aBrokenPreviewFallsThroughToTheNext() throws {
        let (small, large) = (Self.drawn.resized(160, 120).jpeg(), Self.drawn.jpeg())
        let files: [(MediaFormat, [UInt8])] = [
            (.dng, RawFixture.dng(RawFixture.broken, large)), (.dng, RawFixture.dng(large, RawFixture.broken)),
            (.cr3, RawFixture.cr3(RawFixture.broken, large)), (.cr3, RawFixture.cr3(small, large)),
            (.raf, RawFixture.raf(large)),
        ]
        for (format, bytes) in files {
            let (whole, thumbnail) = try reduced(bytes, format)
            #expect(isAlike(whole), "\(format)")
            #expect(isAlike(thumbnail), "\(format)")
        }
        #expect(try reduced(RawFixture.cr3(small, large), .cr3).small?.width == 160)
    }

    @Test func placesOutsideTheFileAreLeftOut() throws {
        let large = Self.drawn.jpeg()
        for offset in [1 << 30, 0x7FFF_FFFF, 0, 84] {
            let (whole, thumbnail) = try reduced(RawFixture.raf(large, offset: offset), .raf)
            #expect(whole == nil && thumbnail == nil)
        }
    }

    /// A preview is a picture of its own, and may claim any size.
    @Test func aPreviewOfAHugeSizeTakesNoMemory() throws {
        var huge = Self.drawn.jpeg()
        let frame = try #require(huge.indices.dropLast().first { huge[$0] == 0xFF && huge[$0 + 1] == 0xC0 })
        huge.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
        let (whole, thumbnail) = try reduced(RawFixture.raf(huge), .raf)
        #expect(whole == nil && thumbnail == nil)
    }

    /// The thumbnail of EXIF, within a JPEG, is decoded only where it is small: no scan is tried for a large one.
    @Test func aThumbnailOfEXIFThatIsLargeIsNone() throws {
        let drawn = DrawnPicture(width: 1300, height: 900, seed: 5, grain: 0)
        let bytes = Self.drawn.jpeg(thumbnail: drawn.jpeg(quality: 20))
        try #require(bytes.count > 1000)
        let file = try FileDescriptor.openForReading(try folder.write("jpeg", bytes))
        let found = try PictureReducer().thumbnail(
            file, byteCount: Int64(bytes.count), .jpeg, width: 1300, height: 900)
        #expect(found == nil)
    }
}
