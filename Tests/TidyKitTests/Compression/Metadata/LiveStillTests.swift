import Support
import Testing

@testable import TidyKit

/// In place, the still of a Live Photo keeps what its video is found by; a copy elsewhere tells no more than its policy does.
@Suite struct LiveStillTests {
    private static let identifier = "11111111-2222-4333-8444-555555555555"

    private static func still(orientation: UInt16 = 1) throws -> [UInt8] {
        var exif = ExifFixture()
        exif.orientation(orientation)
        exif.set(.image, 0x010F, .ascii("Apple"))
        exif.set(.exif, 0x927C, .undefined(try #require(AppleMakerNote.bytes(identifier))))
        return JPEGFixture(picture: DrawnPicture(width: 480, height: 320, grain: 20).jpeg(quality: 92)).with(exif).bytes
    }

    private static func compressed(
        _ source: [UInt8], _ policy: MetadataPolicy, edge: Int?, isInPlace: Bool
    ) throws -> CompressedPhoto {
        let folder = try TemporaryFolder()
        let file = try FileDescriptor.openForReading(try folder.write("a.jpg", source))
        var settings = CompressionSettings()
        settings.maximumBytes = 10_000_000
        settings.maximumEdge = edge
        settings.metadata = policy
        let budget = SharedBudget(settings.decoding.memory)
        var share = budget.share(Int64(source.count))
        let compressor = PhotoCompressor(settings: settings, budget: budget, isInPlace: isInPlace)
        return try #require(try compressor.compress(source, of: file, share: &share))
    }

    @Test(arguments: MetadataPolicy.allCases, [nil, 200])
    func theIdentifierStaysInPlace(policy: MetadataPolicy, edge: Int?) throws {
        for orientation in [1, 6] as [UInt16] {
            let made = try Self.compressed(
                try Self.still(orientation: orientation), policy, edge: edge, isInPlace: true)
            #expect(try metadata(of: made.bytes)?.contentIdentifier == Self.identifier)
            let again = try Self.compressed(made.bytes, policy, edge: edge, isInPlace: true)
            #expect(again.action == .copied && again.bytes == made.bytes)
        }
    }

    @Test func aCopyElsewhereTellsItWhereAllIsKept() throws {
        for policy in MetadataPolicy.allCases {
            let made = try Self.compressed(try Self.still(), policy, edge: 200, isInPlace: false)
            #expect(try metadata(of: made.bytes)?.contentIdentifier == (policy == .all ? Self.identifier : nil))
        }
    }

    @Test func aNoteHoldsNothingButTheIdentifier() throws {
        let note = try #require(AppleMakerNote.bytes("ABCDEF"))
        #expect(note.count == 32 + 7 && note.starts(with: "Apple iOS\0".utf8))
        for wrong in ["", "abc", "a\0bcdef", String(repeating: "x", count: 200)] {
            #expect(AppleMakerNote.bytes(wrong) == nil)
        }
    }
}
