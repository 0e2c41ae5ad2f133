internal import CJPEG
import Testing

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

    @Test func leavesFlatAreasAndRaisesFineOnes() {
        let flat = [UInt8](repeating: 77, count: 64)
        #expect(Self.restored(flat, width: 8, height: 8, stride: 8) == flat)
        // Period 4, amplitude 40: an eighth more.
        let wave: [UInt8] = [128, 168, 128, 88, 128, 168, 128, 88, 128]
        let restored = Self.restored(wave, width: 9, height: 1, stride: 9)
        #expect(restored[1...7] == [173, 128, 83, 128, 173, 128, 83])
    }
}
