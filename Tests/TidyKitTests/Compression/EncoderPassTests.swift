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
            planes, chroma: chroma, isProgressive: true, effort: effort, workers: IdleWorkers(threads),
            keptPixels: keptPixels)
    }

    private struct Outcome: Equatable {
        var counts: [Double] = []
        var streams: [[UInt8]] = []
    }

    /// Looks and streams as a search takes them.
    private static func outcome(_ encoder: consuming JPEGEncoder) throws -> Outcome {
        var outcome = Outcome()
        outcome.counts.append(encoder.sample(quality: 40))
        outcome.counts.append(encoder.count(quality: 70))
        for quality in [70.0, 74, 74] {
            outcome.streams.append(try #require(try encoder.encode(quality: quality, capacity: 1 << 22)))
        }
        outcome.counts.append(encoder.sample(quality: 90))
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
    func aStreamIsWrittenFromTheBlocksThatWereCounted(effort: CompressionSettings.Effort) throws {
        let planes = try JPEGEncoderTests.planes(width: 640, height: 480, chroma: .half, grain: 12)
        let encoder = try Self.encoder(planes, effort)
        let count = encoder.count(quality: 75)
        _ = encoder.sample(quality: 60)
        let first = try #require(try encoder.encode(quality: 75, capacity: 1 << 20))
        #expect(abs(Double(first.count) / (count * FitModel.streamShare) - 1) < 0.001)
        #expect(try encoder.encode(quality: 75, capacity: first.count) == nil)
        #expect(try encoder.encode(quality: 75, capacity: 1 << 20) == first)
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
