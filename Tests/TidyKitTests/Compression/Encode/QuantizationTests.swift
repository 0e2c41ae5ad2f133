internal import CJPEG.Kernels
import Testing

@testable import TidyKit

/// Rate-distortion optimised quantisation against plain rounding and against trying everything.
@Suite struct QuantizationTests {
    /// Numbers that look random and are the same in every run.
    struct Sequence {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    /// One table, what symbols cost, and the price of an error, as the encoder has them.
    struct Setting {
        let table: [UInt16]
        var quantizer = cjpeg_quantizer()
        var rates = cjpeg_rates()
        /// Of CJPEG's trellis.c.
        let errorWeight: Float = 22

        init(quality: Double) {
            table = QuantizationTables(quality: quality, effort: .best).luma
            cjpeg_quantizer_set(&quantizer, table)
            var statistics = cjpeg_statistics()
            var sequence = Sequence(state: 7)
            for _ in 0..<200 {
                let block = rounded(QuantizationTests.block(&sequence, density: 12))
                cjpeg_statistics_add(&statistics, block.values, block.nonzero)
            }
            cjpeg_rates_set(&rates, &statistics)
        }

        func rounded(_ coefficients: [Int16]) -> (values: [Int16], nonzero: UInt64) {
            var quantizer = quantizer
            var values = [Int16](repeating: -1, count: 64)
            let nonzero = cjpeg_quantize(&quantizer, coefficients, &values)
            return (values, nonzero)
        }

        func optimized(_ coefficients: [Int16]) -> (values: [Int16], nonzero: UInt64) {
            var (quantizer, rates) = (quantizer, rates)
            var values = [Int16](repeating: -1, count: 64)
            let nonzero = cjpeg_quantize_trellis(&quantizer, &rates, coefficients, &values)
            return (values, nonzero)
        }

        /// Bits of the AC symbols (T.81 F.1.2.2) and the weighed squared error in steps, written down anew.
        func cost(_ values: [Int16], of coefficients: [Int16]) -> Double {
            var (cost, run) = (0.0, 0)
            withUnsafeBytes(of: rates.ac) { bytes in
                let bits = bytes.bindMemory(to: Float.self)
                for position in 1..<64 {
                    let index = QuantizationTests.zigzag[position]
                    let error = Double(coefficients[position]) / (8 * Double(table[index])) - Double(values[position])
                    cost += Double(errorWeight) * error * error
                    if values[position] == 0 {
                        run += 1
                        continue
                    }
                    cost += Double(run / 16) * Double(bits[0xF0])
                    let magnitude = UInt16(values[position].magnitude)
                    cost += Double(bits[((run % 16) << 4) | (16 - magnitude.leadingZeroBitCount)])
                    run = 0
                }
                if run > 0 { cost += Double(bits[0]) }
            }
            return cost
        }
    }

    static let zigzag: [Int] = {
        // Diagonal by diagonal, in turns up and down (T.81 figure A.6).
        var order: [Int] = []
        for diagonal in 0..<15 {
            let cells = (0...diagonal).filter { $0 < 8 && diagonal - $0 < 8 }
            for row in diagonal % 2 == 0 ? cells.reversed() : cells { order.append(8 * row + diagonal - row) }
        }
        return order
    }()

    /// A block in eighths (CJPEG's dct.h) with about `density` of 63 coefficients that may survive.
    static func block(_ sequence: inout Sequence, density: Int) -> [Int16] {
        (0..<64).map { index in
            let isLarge = sequence.next(63) < density
            let magnitude = sequence.next(isLarge ? 1200 : 30)
            return Int16(sequence.next(2) == 0 ? magnitude : -magnitude)
        }
    }

    @Test(arguments: [10.0, 50, 75, 92]) func neverCostsMoreThanRounding(quality: Double) {
        let setting = Setting(quality: quality)
        var sequence = Sequence(state: UInt64(quality))
        var saved = 0.0
        for round in 0..<300 {
            let coefficients = Self.block(&sequence, density: 1 + round % 63)
            let plain = setting.cost(setting.rounded(coefficients).values, of: coefficients)
            let best = setting.cost(setting.optimized(coefficients).values, of: coefficients)
            #expect(best <= plain + 1e-3 * plain)
            saved += plain - best
        }
        #expect(saved > 0)
    }

    @Test func findsWhatTryingEverythingFinds() {
        let setting = Setting(quality: 60)
        var sequence = Sequence(state: 99)
        var compared = 0
        for _ in 0..<100 {
            let coefficients = Self.block(&sequence, density: 4)
            let plain = setting.rounded(coefficients).values
            let places = (1..<64).filter { plain[$0] != 0 }
            guard places.count <= 7 else { continue }
            compared += 1
            var least = Double.infinity
            for choice in 0..<(0..<places.count).reduce(1, { count, _ in count * 3 }) {
                var (values, rest) = (plain, choice)
                for place in places {
                    let step: Int16 = plain[place] > 0 ? 1 : -1
                    values[place] = rest % 3 == 0 ? 0 : rest % 3 == 1 ? plain[place] : plain[place] - step
                    rest /= 3
                }
                least = min(least, setting.cost(values, of: coefficients))
            }
            let found = setting.cost(setting.optimized(coefficients).values, of: coefficients)
            #expect(abs(found - least) < 1e-3 * least)
        }
        #expect(compared > 50)
    }

    @Test func keepsSignsAndOnlyLowersMagnitudes() {
        let setting = Setting(quality: 85)
        var sequence = Sequence(state: 3)
        for _ in 0..<200 {
            let coefficients = Self.block(&sequence, density: 30)
            let plain = setting.rounded(coefficients)
            let best = setting.optimized(coefficients)
            #expect(best.values[0] == plain.values[0])
            for position in 1..<64 {
                #expect(best.values[position] == 0 || best.values[position].signum() == plain.values[position].signum())
                #expect(best.values[position].magnitude <= plain.values[position].magnitude)
                #expect((best.nonzero >> UInt64(position) & 1 == 1) == (best.values[position] != 0))
            }
        }
    }

    @Test func zeroBlocksStayZero() {
        let setting = Setting(quality: 75)
        let zero = [Int16](repeating: 0, count: 64)
        #expect(setting.optimized(zero).values == zero)
        #expect(setting.optimized(zero).nonzero == 0)
    }

    @Test func saturatedBlocksStayInRange() {
        let setting = Setting(quality: 100)
        for sign: Int16 in [1, -1] {
            let full = [Int16](repeating: sign * 8 * 1020, count: 64)
            let best = setting.optimized(full).values
            for position in 1..<64 { #expect(best[position].magnitude <= 1023) }
        }
    }
}
