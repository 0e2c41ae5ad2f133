import Support
import Testing

@testable import TidyKit

@Suite struct SoundnessCheckTests {
    private let folder: TemporaryFolder
    private static let png = PNGFixture(DrawnPicture(width: 20, height: 10)).bytes

    init() throws { folder = try TemporaryFolder() }

    private func isBroken(
        _ content: [UInt8], _ format: MediaFormat, pixels: Int? = 20, detector: DamageDetector? = nil
    ) throws -> Bool? {
        let path = try folder.write("a", content)
        var photo = Photo(path: path, identity: try FileStatus.of(path).identity, format: format)
        (photo.width, photo.height) = (pixels, pixels)
        var (opened, bytes) = (0, Int64(0))
        return try SoundnessCheck(damageDetector: detector).isBroken(photo, opened: &opened, bytes: &bytes)
    }

    @Test func aPNGMustReachItsLastChunk() throws {
        #expect(try isBroken(Self.png, .png) == false)
        #expect(try isBroken(Array(Self.png.dropLast(12)), .png) == true)
        #expect(try isBroken(Array(Self.png.dropLast()), .png) == true)
    }

    @Test func boxesMustEndWithinTheFile() throws {
        let movie = box("ftyp", Array("qt  ".utf8)) + box("moov", [0, 0, 0, 0])
        #expect(try isBroken(movie, .mov) == false)
        #expect(try isBroken(Array(movie.dropLast()), .mov) == true)
        // There is no index without `moov`.
        #expect(try isBroken(box("ftyp", Array("qt  ".utf8)), .mov) == true)
    }

    @Test func aPhotoWithoutSizeIsBrokenAndAJPEGNeedsADecoder() throws {
        #expect(try isBroken(Self.png, .png, pixels: nil) == true)
        #expect(try isBroken([0xFF, 0xD8], .jpeg) == nil)
    }

    /// Only formats that it knows, and only if it can decide.
    @Test func theDetectorDecidesFirst() throws {
        let damaged = DamageDetector(formats: [.png]) { (_, _) throws(POSIXError) in true }
        #expect(try isBroken(Self.png, .png, detector: damaged) == true)
        #expect(try isBroken([0xFF, 0xD8], .jpeg, detector: damaged) == nil)
        let undecided = DamageDetector(formats: [.png]) { (_, _) throws(POSIXError) in nil }
        #expect(try isBroken(Self.png, .png, detector: undecided) == false)
    }
}
