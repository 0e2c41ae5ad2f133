internal import Glibc
internal import Support
import Testing

@testable import TidyKit

/// The thumbnail of a HEIC or AVIF, read without the rest of the file.
@Suite(.enabled(if: EncodedHEIF.canBeMade, "libheif has no encoders here")) struct HEIFThumbnailTests {
    private static let drawn = DrawnPicture.rectangles(seed: 4, width: 640, height: 480)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func made(_ coding: EncodedHEIF.Coding = .hevc, thumbnailEdge: Int? = 160) throws -> [UInt8] {
        var heif = EncodedHEIF(Self.drawn)
        heif.coding = coding
        heif.thumbnailEdge = thumbnailEdge
        return try #require(heif.bytes)
    }

    /// - Parameter length: of the file, with a hole behind its bytes.
    private func thumbnail(_ bytes: [UInt8], length: Int64? = nil) throws -> ReducedPicture? {
        let path = try folder.write("picture", bytes)
        if let length { #expect(path.withCString { truncate($0, off_t(length)) } == 0) }
        return try PictureReducer().thumbnail(
            try FileDescriptor.openForReading(path), byteCount: length ?? Int64(bytes.count), .heic, width: 640,
            height: 480)
    }

    @Test(arguments: [EncodedHEIF.Coding.hevc, .av1]) func itIsFound(_ coding: EncodedHEIF.Coding) throws {
        let found = try #require(try thumbnail(try made(coding)))
        #expect(found.width == 160 && found.height == 120)
        let hash = PictureSignature(found, isOfThumbnail: true)?.whole
        #expect(hash.map { $0.distance(to: Self.drawn.hash) < 30 } == true)
        #expect(try thumbnail(try made(coding, thumbnailEdge: nil)) == nil)
    }

    /// A file of which no memory could hold the whole, such as a long motion photo.
    @Test func theRestOfTheFileIsNotRead() throws {
        #expect(try thumbnail(try made(), length: 1 << 40) != nil)
    }

    /// The same picture as `made`, with another type in place of a box's or a reference's.
    private func renamed(_ type: String, to other: String, in bytes: [UInt8]) throws -> [UInt8] {
        let code = Array(type.utf8)
        let place = try #require(bytes.indices.dropLast(3).first { Array(bytes[$0..<$0 + 4]) == code })
        var bytes = bytes
        bytes.replaceSubrange(place..<place + 4, with: Array(other.utf8))
        return bytes
    }

    /// libheif would believe the directory, and decode what the stream says.
    @Test func aThumbnailThatIsLargeInItsStreamIsNone() throws {
        // The picture itself as the thumbnail of its thumbnail.
        var heif = EncodedHEIF(DrawnPicture(width: 1200, height: 900, seed: 5, grain: 0))
        heif.thumbnailEdge = 160
        var bytes = try #require(heif.bytes)
        #expect(try thumbnail(bytes) != nil)
        let code = Array("thmb".utf8)
        let place = try #require(bytes.indices.dropLast(12).first { Array(bytes[$0..<$0 + 4]) == code })
        // From, count and to, of two bytes each.
        bytes.swapAt(place + 5, place + 9)
        let primary = try #require(bytes.indices.dropLast(12).first { Array(bytes[$0..<$0 + 4]) == Array("pitm".utf8) })
        bytes[primary + 9] = bytes[place + 9]
        #expect(try thumbnail(bytes) == nil)
    }

    @Test func itemsThatClaimTheFileAgainAndAgainAreNotRead() throws {
        var heif = EncodedHEIF(Self.drawn)
        heif.thumbnailEdge = 160
        heif.exif = [UInt8]("II*\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let bytes = try #require(heif.bytes)
        #expect(try thumbnail(bytes) != nil)
        // A thumbnail coded as nothing that is known, and a directory without its items.
        #expect(try thumbnail(try renamed("thmb", to: "xxxx", in: bytes)) == nil)
        #expect(try thumbnail(try renamed("iloc", to: "xxxx", in: bytes)) == nil)
    }

    @Test func damageEndsNothing() throws {
        let bytes = try made()
        var random = SeededRandom(seed: 9)
        for step in 0..<80 {
            var damaged = bytes
            if step % 4 == 0 { damaged.removeLast(Int(random.next() % UInt64(bytes.count))) }
            let near = step % 2 == 0 ? min(damaged.count, 700) : damaged.count
            for _ in 0..<3 where near > 0 { damaged[Int(random.next() % UInt64(near))] = UInt8(random.next() & 255) }
            _ = try? thumbnail(damaged)
        }
    }
}
