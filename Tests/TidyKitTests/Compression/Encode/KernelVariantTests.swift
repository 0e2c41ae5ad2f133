internal import CJPEG.Kernels
import Glibc
import Testing

@testable import TidyKit

/// A file must not depend on the processor: the AVX2 and the portable variant of each kernel agree bit for bit.
@Suite struct KernelVariantTests {
    /// Samples that look random, with stretches that are alike.
    static func samples(_ count: Int, seed: UInt64) -> [UInt8] {
        var sequence = QuantizationTests.Sequence(state: seed)
        var (samples, left, level) = ([UInt8](), 0, 0)
        while samples.count < count {
            if left == 0 { (left, level) = (1 + sequence.next(90), sequence.next(256)) }
            left -= 1
            samples.append(UInt8(level ^ (left % 3 == 0 ? sequence.next(256) : 0)))
        }
        return samples
    }

    @Test func forwardTransform() {
        let samples = Self.samples(8 * 4096, seed: 3)
        samples.withUnsafeBufferPointer { samples in
            for x in 0..<4088 {
                var (wide, portable) = ([Int16](repeating: 7, count: 64), [Int16](repeating: 7, count: 64))
                let isFull = cjpeg_forward_dct(samples.baseAddress! + x, 4096, &wide)
                #expect(cjpeg_forward_dct_portable(samples.baseAddress! + x, 4096, &portable) == isFull)
                #expect(wide == portable)
            }
        }
    }

    /// Against the definition (T.81, A.3.3): order and size of all 64 values.
    @Test func forwardTransformIsTheStandards() {
        let samples = Self.samples(64, seed: 11)
        var values = [Int16](repeating: 0, count: 64)
        #expect(cjpeg_forward_dct(samples, 8, &values))
        func basis(_ frequency: Int, _ position: Int) -> Double {
            let wave = cos(Double((2 * position + 1) * frequency) * Double.pi / 16)
            return frequency == 0 ? 0.5.squareRoot() / 2 : wave / 2
        }
        for position in 0..<64 {
            let natural = QuantizationTests.zigzag[position]
            var sum = 0.0
            for y in 0..<8 {
                for x in 0..<8 {
                    sum += (Double(samples[8 * y + x]) - 128) * basis(natural % 8, x) * basis(natural / 8, y)
                }
            }
            #expect(abs(8 * sum - Double(values[position])) < 0.52, "position \(position)")
        }
    }

    @Test(arguments: [10.0, 50, 75, 92]) func quantization(quality: Double) {
        let setting = QuantizationTests.Setting(quality: quality)
        var (quantizer, rates) = (setting.quantizer, setting.rates)
        var sequence = QuantizationTests.Sequence(state: UInt64(quality))
        for round in 0..<600 {
            let block = QuantizationTests.block(&sequence, density: round % 64)
            var (wide, portable) = ([Int16](repeating: 7, count: 64), [Int16](repeating: 7, count: 64))
            var nonzero = cjpeg_quantize(&quantizer, block, &wide)
            #expect(cjpeg_quantize_portable(&quantizer, block, &portable) == nonzero)
            #expect(wide == portable)
            nonzero = cjpeg_quantize_trellis(&quantizer, &rates, block, &wide)
            #expect(cjpeg_quantize_trellis_portable(&quantizer, &rates, block, &portable) == nonzero)
            #expect(wide == portable)
        }
    }

    @Test(arguments: [1, 2, 15, 31, 32, 33, 67, 1500]) func halving(width: Int) {
        let (above, below) = (Self.samples(width, seed: 5), Self.samples(width, seed: 6))
        let count = (width + 1) / 2
        var (wide, portable) = ([UInt8](repeating: 7, count: count), [UInt8](repeating: 9, count: count))
        cjpeg_halve_rows(above, below, Int32(width), &wide)
        cjpeg_halve_rows_portable(above, below, Int32(width), &portable)
        #expect(wide == portable)
        let expected = (0..<count).map { x in
            let right = min(2 * x + 1, width - 1)
            return (Int(above[2 * x]) + Int(above[right]) + Int(below[2 * x]) + Int(below[right]) + 2) / 4
        }
        #expect(wide.map(Int.init) == expected)
    }

    @Test(arguments: [(1, 1), (37, 5), (1025, 40)]) func restoredDetail(width: Int, height: Int) {
        var wide = Self.samples(width * height, seed: 8)
        var portable = wide
        cjpeg_restore_detail(&wide, width, Int32(width), Int32(height))
        cjpeg_restore_detail_portable(&portable, width, Int32(width), Int32(height))
        #expect(wide == portable)
    }

    /// Sizes around those of the tiles, all eight ways, and nothing written beside the picture.
    @Test(arguments: [(1, 1), (3, 40), (16, 32), (32, 16), (33, 17), (47, 70), (131, 97)])
    func turnedPlane(width: Int, height: Int) {
        let samples = Self.samples((width + 3) * height, seed: 9)
        for way in 0..<8 {
            let turn = cjpeg_turn(swaps_axes: way & 1 != 0, reverses_columns: way & 2 != 0, reverses_rows: way & 4 != 0)
            let (columns, rows) = turn.swaps_axes ? (height, width) : (width, height)
            let stride = columns + 5
            var expected = [UInt8](repeating: 7, count: stride * rows)
            for y in 0..<rows {
                for x in 0..<columns {
                    let (column, row) = turn.swaps_axes ? (y, x) : (x, y)
                    let from = (turn.reverses_rows ? height - 1 - row : row) * (width + 3)
                    expected[y * stride + x] = samples[from + (turn.reverses_columns ? width - 1 - column : column)]
                }
            }
            for kernel in [cjpeg_turn_plane, cjpeg_turn_plane_portable] {
                var turned = [UInt8](repeating: 7, count: stride * rows)
                samples.withUnsafeBufferPointer {
                    let plane = cjpeg_plane(
                        samples: $0.baseAddress, stride: width + 3, width: Int32(width), height: Int32(height))
                    kernel(plane, turn, &turned, stride)
                }
                #expect(turned == expected, "way \(way)")
            }
        }
    }
}
