internal import Glibc
import Support
import Testing

@testable import TidyKit

@Suite struct JPEGEncoderTests {
    static func planes(
        width: Int, height: Int, chroma: Planes.Chroma, isGray: Bool = false, grain: Int = 6
    ) throws -> Planes {
        let picture = DrawnPicture(width: width, height: height, seed: 5, grain: grain)
        let builder = try PlaneBuilder(width: width, height: height)
        for y in 0..<height { builder.setRow(y, rgb: Array(picture.rgb[3 * width * y..<3 * width * (y + 1)])) }
        var planes = builder.planes
        if isGray { planes.components.removeLast(2) }
        if chroma == .half, !isGray { planes = try planes.thinned(horizontal: 2, vertical: 2) }
        for component in planes.components { component.plane.padRows() }
        return planes
    }

    static func decoded(_ stream: [UInt8]) throws -> Planes {
        try stream.withUnsafeBytes { raw in
            try JPEGDecoder.open(raw, memory: 0).planes(SourcePicture.Reduction(), profile: nil, allowDamaged: false)
        }
    }

    /// Peak signal to noise ratio of luma in dB.
    static func fidelity(_ a: Planes, _ b: Planes) -> Double {
        var sum = 0.0
        let (a, b) = (a.components[0].plane, b.components[0].plane)
        for y in 0..<a.height {
            for x in 0..<a.width {
                let difference = Double(a.row(y)[x]) - Double(b.row(y)[x])
                sum += difference * difference
            }
        }
        return 10 * log10(255 * 255 / max(sum / Double(a.width * a.height), 1e-9))
    }

    struct Shape: Sendable {
        var width: Int
        var height: Int
        var chroma = Planes.Chroma.half
        var isGray = false
    }

    static let shapes = [
        Shape(width: 64, height: 48), Shape(width: 1, height: 1), Shape(width: 7, height: 9),
        Shape(width: 17, height: 33), Shape(width: 33, height: 17, chroma: .full), Shape(width: 250, height: 8),
        Shape(width: 41, height: 23, isGray: true),
    ]

    @Test(arguments: shapes, [true, false])
    func streamsDecodeToThePicture(shape: Shape, isProgressive: Bool) throws {
        let planes = try Self.planes(
            width: shape.width, height: shape.height, chroma: shape.chroma, isGray: shape.isGray)
        for effort in CompressionSettings.Effort.allCases {
            let encoder = try JPEGEncoder(
                planes, chroma: shape.chroma, isProgressive: isProgressive, effort: effort)
            let result = try #require(try encoder.encode(quality: 90, capacity: 1 << 20))
            let decoded = try Self.decoded(result)
            #expect(decoded.width == shape.width && decoded.height == shape.height)
            #expect(decoded.components.count == planes.components.count)
            #expect(Self.fidelity(planes, decoded) > 31)
        }
    }

    /// Values of every width, from blocks of one colour to stripes from black to white.
    @Test func largeValuesArriveWhole() throws {
        let plane = try Plane(width: 128, height: 64)
        for y in 0..<64 {
            for x in 0..<128 {
                let swing = x / 8 * 8 + 7
                plane.row(y)[x] = UInt8(128 + (x % 2 == 0 ? swing : -swing) * (y < 32 ? 1 : 0))
            }
        }
        let planes = Planes(width: 128, height: 64, components: [Planes.Component(plane)])
        for isProgressive in [true, false] {
            let encoder = try JPEGEncoder(planes, chroma: .half, isProgressive: isProgressive, effort: .fast)
            let result = try #require(try encoder.encode(quality: 100, capacity: 1 << 20))
            #expect(Self.fidelity(planes, try Self.decoded(result)) > 48)
        }
    }

    @Test func bestTakesFewerBytesForTheSameLook() throws {
        let planes = try Self.planes(width: 320, height: 240, chroma: .half, grain: 12)
        var sizes: [Int] = []
        for effort in [CompressionSettings.Effort.fast, .best] {
            let encoder = try JPEGEncoder(planes, chroma: .half, isProgressive: true, effort: effort)
            sizes.append(try #require(try encoder.encode(quality: 75, capacity: 1 << 20)).count)
        }
        #expect(sizes[1] < sizes[0])
    }

    /// Counts stand for streams: one that is wrong by more costs another encode, or leaves bytes of the target unused. Sizes
    /// that end in the middle of an MCU, and pictures where nearly all blocks end at once.
    @Test(
        arguments: shapes.map {
            Shape(width: 8 * $0.width + 5, height: 8 * $0.height + 3, chroma: $0.chroma, isGray: $0.isGray)
        },
        [true, false])
    func countsAreWhatStreamsTake(shape: Shape, isProgressive: Bool) throws {
        for grain in [0, 3, 12, 40] {
            let planes = try Self.planes(
                width: shape.width, height: shape.height, chroma: shape.chroma, isGray: shape.isGray, grain: grain)
            for effort in CompressionSettings.Effort.allCases {
                let encoder = try JPEGEncoder(
                    planes, chroma: shape.chroma, isProgressive: isProgressive, effort: effort)
                for quality in [10.0, 50, 75, 92] {
                    let count = encoder.count(quality: quality)
                    let stream = try #require(try encoder.encode(quality: quality, capacity: 1 << 22))
                    let wrong = Double(stream.count) / (count * FitModel.streamShare) - 1
                    #expect(
                        abs(wrong) < 0.005 || abs(Double(stream.count) - count) < 24,
                        "\(shape) \(grain) \(quality) \(stream.count)")
                }
            }
        }
    }

    /// What optimisation spares in a part of the rows it spares in all.
    @Test(arguments: CompressionSettings.Effort.allCases)
    func anEstimateIsCloseToTheCountOfAllRows(effort: CompressionSettings.Effort) throws {
        let planes = try Self.planes(width: 640, height: 480, chroma: .half, grain: 12)
        for quality in [60.0, 85] {
            let sampled = try JPEGEncoder(planes, chroma: .half, isProgressive: false, effort: effort)
                .estimate(quality: quality)
            let whole = try JPEGEncoder(planes, chroma: .half, isProgressive: false, effort: effort)
                .count(quality: quality)
            #expect(abs(sampled / whole - 1) < 0.04)
        }
    }

    /// Blocks of one colour take a short cut: all 256 values of it, beside blocks that do not.
    @Test(arguments: CompressionSettings.Effort.allCases)
    func flatBlocksKeepTheirValue(effort: CompressionSettings.Effort) throws {
        let planes = try Self.planes(width: 256 * 8, height: 16, chroma: .full)
        let luma = planes.components[0].plane
        for y in 0..<8 {
            for x in 0..<luma.width { luma.row(y)[x] = UInt8(x / 8) }
        }
        let encoder = try JPEGEncoder(planes, chroma: .full, isProgressive: true, effort: effort)
        let decoded = try Self.decoded(try #require(try encoder.encode(quality: 99, capacity: 1 << 20)))
        for y in 0..<8 {
            for x in 0..<luma.width {
                let value = Int(decoded.components[0].plane.row(y)[x])
                #expect(abs(value - x / 8) <= 1, "column \(x)")
            }
        }
        #expect(Self.fidelity(planes, decoded) > 40)
    }

    @Test func givesUpPastTheCapacity() throws {
        let planes = try Self.planes(width: 320, height: 240, chroma: .half, grain: 12)
        let encoder = try JPEGEncoder(planes, chroma: .half, isProgressive: true, effort: .best)
        #expect(try encoder.encode(quality: 75, capacity: 2000) == nil)
        let stream = try #require(try encoder.encode(quality: 75, capacity: 1 << 20))
        #expect(try encoder.encode(quality: 75, capacity: stream.count + 1) == stream)
        for capacity in [0, 1, 2] { #expect(try encoder.encode(quality: 75, capacity: capacity) == nil) }
    }

    @Test func isDeterministic() throws {
        let planes = try Self.planes(width: 200, height: 150, chroma: .half)
        let streams = try (0..<2).map { _ in
            let encoder = try JPEGEncoder(planes, chroma: .half, isProgressive: true, effort: .best)
            return try #require(try encoder.encode(quality: 80, capacity: 1 << 20))
        }
        #expect(streams[0] == streams[1])
    }
}
