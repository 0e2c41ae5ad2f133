import Support
import Testing

@testable import TidyKit

/// How the passes over a picture are made is not seen in what comes out.
@Suite struct EncoderPassTests {
    private static func encoder(
        _ planes: Planes, _ effort: CompressionSettings.Effort, chroma: Planes.Chroma = .half, threads: Int = 0,
        keptPixels: Int = .max
    ) throws -> JPEGEncoder {
        try JPEGEncoder(
            planes, chroma: chroma, isProgressive: true, effort: effort,
            resources: JPEGEncoder.Resources(workers: IdleWorkers(threads), keptPixels: keptPixels))
    }

    private struct Outcome: Equatable {
        var counts: [Double] = []
        var streams: [[UInt8]] = []
    }

    /// Looks and streams as a search takes them.
    private static func outcome(_ encoder: consuming JPEGEncoder) throws -> Outcome {
        var outcome = Outcome()
        outcome.counts.append(encoder.estimate(quality: 40))
        outcome.counts.append(encoder.count(quality: 70))
        for quality in [70.0, 74, 74] {
            outcome.streams.append(try #require(try encoder.encode(quality: quality, capacity: 1 << 22)))
        }
        outcome.counts.append(encoder.estimate(quality: 90))
        outcome.streams.append(try #require(try encoder.encode(quality: 90, capacity: 1 << 22)))
        return outcome
    }

    /// Large enough for several parts of each component; sizes that end within a block, and one of few rows.
    static let shapes = [
        JPEGEncoderTests.Shape(width: 700, height: 521),
        JPEGEncoderTests.Shape(width: 521, height: 443, chroma: .full),
        JPEGEncoderTests.Shape(width: 18_001, height: 13),
        JPEGEncoderTests.Shape(width: 700, height: 521, isGray: true),
    ]

    @Test(arguments: shapes, CompressionSettings.Effort.allCases)
    func threadsAndKeptValuesChangeNothing(
        shape: JPEGEncoderTests.Shape, effort: CompressionSettings.Effort
    ) throws {
        let planes = try JPEGEncoderTests.planes(
            width: shape.width, height: shape.height, chroma: shape.chroma, isGray: shape.isGray, grain: 12)
        let alone = try Self.outcome(try Self.encoder(planes, effort, chroma: shape.chroma))
        #expect(try Self.outcome(try Self.encoder(planes, effort, chroma: shape.chroma, threads: 3)) == alone)
        #expect(try Self.outcome(try Self.encoder(planes, effort, chroma: shape.chroma, keptPixels: 0)) == alone)
        #expect(
            try Self.outcome(try Self.encoder(planes, effort, chroma: shape.chroma, threads: 1, keptPixels: 0)) == alone
        )
        #expect(JPEGEncoderTests.fidelity(planes, try JPEGEncoderTests.decoded(alone.streams[3])) > 31)
    }

    /// A count learns what symbols cost, so that quantising again would give other blocks.
    @Test(arguments: CompressionSettings.Effort.allCases)
    func writesTheStreamFromCountedBlocks(effort: CompressionSettings.Effort) throws {
        let planes = try JPEGEncoderTests.planes(width: 640, height: 480, chroma: .half, grain: 12)
        let encoder = try Self.encoder(planes, effort)
        let count = encoder.count(quality: 75)
        _ = encoder.estimate(quality: 60)
        let first = try #require(try encoder.encode(quality: 75, capacity: 1 << 20))
        #expect(abs(Double(first.count) / (count * FitModel.streamShare) - 1) < 0.001)
        #expect(try encoder.encode(quality: 75, capacity: first.count) == nil)
        #expect(try encoder.encode(quality: 75, capacity: 1 << 20) == first)
    }

    /// The bytes of a stream without those that are stuffed behind 0xFF, which a count takes for one in 256 of the codes.
    private static func asCounted(_ stream: [UInt8]) -> Double {
        var (codes, markers, index) = (0, 2, 2)
        while index + 3 < stream.count {
            let isScan = stream[index + 1] == 0xDA
            let length = 2 + Int(stream[index + 2]) << 8 + Int(stream[index + 3])
            markers += length
            index += length
            guard isScan else { continue }
            while stream[index] != 0xFF || stream[index + 1] == 0 {
                codes += 1
                index += stream[index] == 0xFF ? 2 : 1
            }
        }
        return Double(markers + 2) + Double(codes) * (1 + 1.0 / 256)
    }

    /// Every symbol of every scan: the blocks that fill up MCUs, runs of ended blocks, those that corrections cut short. What
    /// is left is about a byte a table: the code that libjpeg gives to no symbol, and what fills the last byte of a scan.
    @Test(
        arguments: [JPEGEncoderTests.Shape(width: 262, height: 481), .init(width: 137, height: 41, chroma: .full)],
        [true, false])
    func countsMissNoSymbol(shape: JPEGEncoderTests.Shape, isProgressive: Bool) throws {
        for grain in [0, 3, 40] {
            let planes = try JPEGEncoderTests.planes(
                width: shape.width, height: shape.height, chroma: shape.chroma, grain: grain)
            let encoder = try JPEGEncoder(planes, chroma: shape.chroma, isProgressive: isProgressive, effort: .fast)
            for quality in [20.0, 60, 95] {
                let count = encoder.count(quality: quality)
                let stream = try #require(try encoder.encode(quality: quality, capacity: 1 << 20))
                #expect(
                    (0..<(isProgressive ? 12 : 6)).contains(Int(count - Self.asCounted(stream))), "\(grain) \(quality)")
            }
        }
    }

    /// One bright sample a block: all values are large, and nothing but their last bits comes in the last scan.
    @Test func correctionsCutRunsShort() throws {
        let plane = try Plane(width: 512, height: 512)
        for y in 0..<512 {
            for x in 0..<512 { plane.row(y)[x] = x % 8 == 3 && y % 8 == 2 ? 255 : 0 }
        }
        let planes = Planes(width: 512, height: 512, components: [Planes.Component(plane)])
        let encoder = try Self.encoder(planes, .fast)
        let count = encoder.count(quality: 100)
        let stream = try #require(try encoder.encode(quality: 100, capacity: 1 << 20))
        #expect((0..<6).contains(Int(count - Self.asCounted(stream))))
    }

    /// Blocks of one quality are not those of another, and larger ones find room.
    @Test func anotherQualityIsQuantisedAnew() throws {
        let planes = try JPEGEncoderTests.planes(width: 640, height: 480, chroma: .half, grain: 12)
        let encoder = try Self.encoder(planes, .fast)
        for quality in [10.0, 100, 50, 75, 99] {
            _ = encoder.count(quality: 60)
            let stream = try #require(try encoder.encode(quality: quality, capacity: 1 << 21))
            #expect(try Self.encoder(planes, .fast).encode(quality: quality, capacity: 1 << 21) == stream)
        }
    }
}
