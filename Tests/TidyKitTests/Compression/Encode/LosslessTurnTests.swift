import Support
import Testing

@testable import TidyKit

/// `--metadata none` takes the Orientation tag away: where the blocks allow it, the picture is turned without loss.
@Suite struct LosslessTurnTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var subsampling: DrawnPicture.Subsampling
        /// Of an MCU.
        var unit: (width: Int, height: Int)
        var isProgressive = false
        var testDescription: String { "\(subsampling)\(isProgressive ? ", progressive" : "")" }
    }

    private static let cases = [
        Case(subsampling: .s420, unit: (16, 16)), Case(subsampling: .s420, unit: (16, 16), isProgressive: true),
        Case(subsampling: .s444, unit: (8, 8)), Case(subsampling: .s422, unit: (16, 8)),
        Case(subsampling: .s440, unit: (8, 16)), Case(subsampling: .s411, unit: (32, 8)),
        Case(subsampling: .gray, unit: (8, 8)), Case(subsampling: .gray, unit: (8, 8), isProgressive: true),
    ]

    /// A photo with a tag, heavy enough in metadata that the turned one is no larger.
    private static func photo(_ shape: Case, _ width: Int, _ height: Int, _ orientation: Orientation) -> [UInt8] {
        let picture = DrawnPicture(width: width, height: height, grain: 20)
            .jpeg(quality: 90, subsampling: shape.subsampling, isProgressive: shape.isProgressive)
        var exif = ExifFixture()
        exif.orientation(UInt16(orientation.rawValue))
        exif.set(.exif, 0x9286, .undefined([UInt8](repeating: 65, count: 500)))
        return JPEGFixture(picture: picture).with(exif).bytes
    }

    private static func planes(_ bytes: [UInt8]) throws -> Planes {
        try SourcePicture.decodeJPEG(
            bytes, SourcePicture.Reduction(), profile: nil, options: DecodingOptions())
    }

    /// The largest difference between samples of two pictures; nil where their planes are of other sizes.
    private static func difference(_ a: Planes, _ b: Planes) -> Int? {
        guard a.components.count == b.components.count else { return nil }
        var most = 0
        for (left, right) in zip(a.components, b.components) {
            guard (left.plane.width, left.plane.height) == (right.plane.width, right.plane.height) else { return nil }
            for y in 0..<left.plane.height {
                for x in 0..<left.plane.width {
                    most = max(most, abs(Int(left.plane.row(y)[x]) - Int(right.plane.row(y)[x])))
                }
            }
        }
        return most
    }

    @Test(arguments: cases, Orientation.allCases)
    func whatFitsTheBlocksIsTurnedWithoutLoss(shape: Case, orientation: Orientation) throws {
        let (width, height) = (3 * shape.unit.width, 2 * shape.unit.height)
        // Whole MCUs, then one pixel less along each axis in turn.
        for (cutX, cutY) in [(0, 0), (1, 0), (0, 1)] {
            let source = Self.photo(shape, width - cutX, height - cutY, orientation)
            let done = try CompressedFixture(source, .none)
            let isWhole =
                (cutX == 0 || !orientation.reversesColumns) && (cutY == 0 || !orientation.reversesRows)
            #expect(done.item.action == (isWhole ? .rewritten : .recompressed), "\(cutX), \(cutY)")
            #expect(done.item.quality == nil || !isWhole)
            #expect(done.bytes.count <= source.count)
            #expect(done.exif == nil && done.found.orientation == nil)
            guard isWhole else { continue }
            // The inverse DCT rounds columns first, halves always up: only rows can be reversed to the last bit.
            let expected = try Self.planes(source).upright(from: orientation)
            let difference = try #require(Self.difference(try Self.planes(done.bytes), expected))
            #expect(difference <= (orientation.swapsAxes || orientation.reversesColumns ? 1 : 0))
            let file = try #require(JPEGFile(done.bytes))
            #expect(file.segments.contains { $0.marker == 0xC2 } == shape.isProgressive)
            #expect(done.contents == [.jfif])
        }
    }

    @Test func turningBackGivesTheSameCoefficients() throws {
        let back: [Orientation: Orientation] = [.rotatedRight: .rotatedLeft, .rotatedLeft: .rotatedRight]
        let shape = Self.cases[0]
        for orientation in Orientation.allCases {
            let source = Self.photo(shape, 64, 32, orientation)
            let once = try CompressedFixture(source, .none).bytes
            var exif = ExifFixture()
            exif.orientation(UInt16((back[orientation] ?? orientation).rawValue))
            exif.set(.exif, 0x9286, .undefined([UInt8](repeating: 65, count: 500)))
            let twice = try CompressedFixture(JPEGFixture(picture: once).with(exif).bytes, .none).bytes
            #expect(Self.difference(try Self.planes(twice), try Self.planes(source)) == 0, "\(orientation)")
        }
    }

    @Test func theHeadStaysAndTheDensityTurns() throws {
        var exif = ExifFixture()
        exif.orientation(6)
        exif.set(.exif, 0x9286, .undefined([UInt8](repeating: 65, count: 500)))
        let picture = DrawnPicture(width: 64, height: 32, grain: 20).jpeg()
        let profile = [UInt8](repeating: 7, count: 300)
        var source = JPEGFixture(picture: picture).with(exif).with(profile: profile).with(0xFE, [1, 2, 3]).bytes
        // Density 72 x 300 in the JFIF segment, which now stands behind the others.
        let jfif = try #require(JPEGFile(source)?.segments.first { $0.content(in: source) == .jfif })
        source.replaceSubrange(jfif.payload.lowerBound + 8..<jfif.payload.lowerBound + 12, with: [0, 72, 1, 44])
        let done = try CompressedFixture(source, .none)
        #expect(done.item.action == .rewritten)
        let file = try #require(JPEGFile(done.bytes))
        #expect(Set(done.contents.map { "\($0)" }) == ["icc", "jfif"])
        #expect(file.profile(in: done.bytes) == profile)
        let turned = try #require(file.segments.first { $0.content(in: done.bytes) == .jfif })
        #expect(done.bytes[turned.payload].dropFirst(8).prefix(4).elementsEqual([1, 44, 0, 72]))
        #expect(try CompressedFixture(done.bytes, .none).item.action == .copied)
    }

    @Test func damageIsAnErrorAndATargetIsKept() throws {
        let source = Self.photo(Self.cases[0], 320, 320, .rotatedRight)
        let bench = try CompressionRunTests.Bench(target: Int64(source.count))
        bench.settings.metadata = .none
        // Zeros in the middle of the scan; the end is there.
        var damaged = source
        for index in source.count / 2..<source.count / 2 + 40 { damaged[index] = 0 }
        try bench.add("damaged.jpg", damaged)
        #expect(try bench.run().map(\.action) == [.failed])
        let small = try CompressionRunTests.Bench(target: Int64(source.count) * 3 / 4)
        small.settings.metadata = .none
        try small.add("a.jpg", source)
        let item = try #require(try small.run().first)
        #expect(item.action == .recompressed)
        #expect(try #require(item.bytes) <= Int64(source.count) * 3 / 4)
    }
}
