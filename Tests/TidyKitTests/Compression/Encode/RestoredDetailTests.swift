internal import CJPEG.Kernels
import Testing

@testable import TidyKit

/// What scaled decodes weaken comes back by a filter of three samples each way.
@Suite struct RestoredDetailTests {
    static func restored(_ samples: [UInt8], width: Int, height: Int, stride: Int) -> [UInt8] {
        var samples = samples
        cjpeg_restore_detail(&samples, stride, Int32(width), Int32(height))
        return samples
    }

    /// One direction at a time, as the definition has it.
    static func expected(_ samples: [UInt8], width: Int, height: Int, stride: Int) -> [UInt8] {
        func filtered(_ source: [UInt8], _ dx: Int, _ dy: Int) -> [UInt8] {
            var result = source
            for y in 0..<height {
                for x in 0..<width {
                    func sample(_ x: Int, _ y: Int) -> Int {
                        Int(source[max(0, min(height - 1, y)) * stride + max(0, min(width - 1, x))])
                    }
                    let value = 18 * sample(x, y) - sample(x - dx, y - dy) - sample(x + dx, y + dy) + 8
                    result[y * stride + x] = UInt8(max(0, min(255, value >> 4)))
                }
            }
            return result
        }
        return filtered(filtered(samples, 1, 0), 0, 1)
    }

    /// Sizes around the pieces in which rows are filtered, and the smallest.
    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2), (37, 5), (1023, 3), (1024, 3), (1025, 3), (2500, 2)])
    func equalsItsDefinition(width: Int, height: Int) {
        let stride = width + 3
        var state: UInt32 = 1
        let samples = (0..<stride * height).map { _ -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        let restored = Self.restored(samples, width: width, height: height, stride: stride)
        #expect(restored == Self.expected(samples, width: width, height: height, stride: stride))
    }

    /// Chroma that is halved as it is read: means over 2 x 2 samples, the edge repeated where a size is odd.
    @Test(arguments: [[64, 48], [33, 17], [17, 34], [1, 1]], [1, 2, 4])
    func halvedChromaIsTheMeanOfWhatItReplaces(size: [Int], denominator: Int) throws {
        let picture = try JPEGEncoderTests.planes(width: size[0], height: size[1], chroma: .full)
        let encoder = try JPEGEncoder(picture, chroma: .full, isProgressive: false, effort: .fast)
        let stream = try #require(try encoder.encode(quality: 95, capacity: 1 << 20))
        let whole = try Self.decoded(stream, SourcePicture.Reduction(denominator: denominator))
        let halved = try Self.decoded(
            stream, SourcePicture.Reduction(denominator: denominator, halvesChroma: true))
        #expect(halved.width == whole.width && halved.height == whole.height)
        for index in 0..<3 {
            let (one, other) = (halved.components[index], whole.components[index])
            let step = index == 0 ? 1 : 2
            #expect(one.plane.width == (other.plane.width + step - 1) / step)
            #expect(one.plane.height == (other.plane.height + step - 1) / step)
            #expect(one.coveredWidth == other.coveredWidth / Double(step))
            // Detail was restored at another density: they are near, not alike.
            #expect(Self.meanDifference(one.plane, other.plane, step: step) < 4, "component \(index)")
        }
    }

    static func decoded(_ stream: [UInt8], _ reduction: SourcePicture.Reduction) throws -> Planes {
        try stream.withUnsafeBytes { raw in
            try JPEGDecoder.open(raw, memory: 0).planes(reduction, profile: nil, allowDamaged: false)
        }
    }

    /// Between samples of one plane and the means over `step` x `step` of another.
    static func meanDifference(_ plane: Plane, _ source: Plane, step: Int) -> Double {
        var total = 0
        for y in 0..<plane.height {
            for x in 0..<plane.width {
                var sum = 0
                for dy in 0..<step {
                    let row = source.row(min(source.height - 1, step * y + dy))
                    for dx in 0..<step {
                        let column: Int = min(source.width - 1, step * x + dx)
                        sum += Int(row[column])
                    }
                }
                total += abs(sum / (step * step) - Int(plane.row(y)[x]))
            }
        }
        return Double(total) / Double(plane.width * plane.height)
    }

    @Test func leavesFlatAreasAndRaisesFineOnes() {
        let flat = [UInt8](repeating: 77, count: 64)
        #expect(Self.restored(flat, width: 8, height: 8, stride: 8) == flat)
        // Period 4, amplitude 40: an eighth more.
        let wave: [UInt8] = [128, 168, 128, 88, 128, 168, 128, 88, 128]
        let restored = Self.restored(wave, width: 9, height: 1, stride: 9)
        #expect(restored[1...7] == [173, 128, 83, 128, 173, 128, 83])
    }
}
