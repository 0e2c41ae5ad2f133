import Support
import Testing

@testable import TidyKit

/// EXIF blocks that go on over several APP1 segments.
@Suite struct SplitEXIFTests {
    private static let header = Array("Exif\0\0".utf8)

    /// A block whose Exif IFD, and with it the date, stands behind the first segment.
    private static func block() throws -> [UInt8] {
        var block = try #require(EXIFDirectories(EXIFPolicyTests.block(orientation: 1)))
        let large = EXIFDirectories.Entry(
            tag: 0xC4A5, type: 7, count: 72_000, value: [UInt8](repeating: 0x55, count: 72_000))
        block.directories[.main]?.append(large)
        let bytes = block.serialized()
        #expect(try #require(EXIFDirectories(bytes)?.valueOffsets[.exif]?[0x9003]) > 70_000)
        return bytes
    }

    private static func photo() throws -> [UInt8] {
        let block = try block()
        return stride(from: 0, to: block.count, by: 65_527)
            .reduce(JPEGFixture(width: 640, height: 480, grain: 24)) { jpeg, start in
                jpeg.with(0xE1, header + block[start..<min(start + 65_527, block.count)])
            }
            .bytes
    }

    /// What our own reader finds of `photo`, once compressed.
    private func compressed(
        _ policy: MetadataPolicy, edge: Int? = nil, target: Int64 = 1_000_000
    ) throws -> (item: CompressionItem, bytes: [UInt8], found: MediaMetadata) {
        let bench = try CompressionRunTests.Bench(target: target)
        bench.settings.metadata = policy
        bench.settings.maximumEdge = edge
        try bench.add("a.jpg", Self.photo())
        let item = try #require(try bench.run().first)
        let bytes = try bench.output("a.jpg")
        return (item, bytes, try #require(try metadata(of: bytes)))
    }

    @Test func safeKeepsTheDateOfNewPixels() throws {
        let (item, bytes, found) = try compressed(.safe, edge: 400)
        #expect(item.action == .recompressed)
        #expect(found.captureDate?.text == "2024-05-01T12:00:00.25+02:00" && found.make == "Maker")
        #expect(found.location == nil)
        let file = try #require(JPEGFile(bytes))
        #expect(file.segments.filter { $0.content(in: bytes) == .exif }.map { $0.payload.count < 2000 } == [true])
    }

    @Test func safeKeepsTheDateOfOldPixels() throws {
        let (item, bytes, found) = try compressed(.safe)
        #expect(item.action == .rewritten)
        #expect(found.captureDate?.text == "2024-05-01T12:00:00.25+02:00" && found.make == "Maker")
        #expect(found.location == nil)
        let file = try #require(JPEGFile(bytes))
        #expect(file.segments.filter { $0.content(in: bytes) == .exif }.map { $0.payload.count < 2000 } == [true])
        #expect(file.rewritten(bytes, .safe) == bytes)
    }

    @Test func allIsSplitAgainAndCounted() throws {
        let (item, bytes, found) = try compressed(.all, edge: 400, target: 85_000)
        #expect(item.action == .recompressed)
        #expect(bytes.count <= 85_000 && bytes.count > 75_000)
        #expect(found.captureDate?.text == "2024-05-01T12:00:00.25+02:00" && found.location != nil)
        let file = try #require(JPEGFile(bytes))
        let pieces = file.segments.filter { $0.content(in: bytes) == .exif }
        #expect(pieces.count == 2 && pieces[0].payload.count == 65_533)
        // The same block but for what was changed in place: the size of the picture.
        let (block, source) = (try #require(file.exifBlocks(in: bytes).first?.bytes), try Self.block())
        #expect(block.count == source.count)
        #expect(EXIFDirectories(block)?.entry(0xC4A5, in: .main)?.count == 72_000)
        #expect(zip(block, source).filter { $0 != $1 }.count <= 8)
    }

    @Test func allCopiesWhatFits() throws {
        let (item, bytes, found) = try compressed(.all)
        #expect(item.action == .copied)
        #expect(try bytes == Self.photo())
        #expect(found.captureDate != nil && found.location != nil)
    }

    @Test func noPieceBeginsLikeABlock() throws {
        var block = try Self.block()
        for at in 65_520..<65_530 { block[at] = UInt8(ascii: "M") }
        let bytes = [0xFF, 0xD8] + JPEGFile.segments(exif: block) + JPEGFixture().picture.dropFirst(2)
        #expect(try #require(JPEGFile(bytes)).exifBlocks(in: bytes).map(\.bytes) == [block])
        #expect(try metadata(of: bytes)?.captureDate != nil)
    }

    @Test func aBlockWithAStrangeHeaderKeepsItsDate() throws {
        for head in [[0, 0] + Self.header, Array("exif\0\0".utf8)] {
            let bytes = JPEGFixture().with(0xE1, head + EXIFPolicyTests.block()).bytes
            let kept = try #require(JPEGFile(bytes)).rewritten(bytes, .safe)
            #expect(try metadata(of: kept)?.captureDate != nil)
        }
    }
}
