/// How sharp a picture is, by what blurring it once more takes away: of a sharp one much, of a blurred one little (F.
/// Crété et al., "The blur effect: perception and estimation with a new no-reference perceptual blur metric", 2007).
enum Sharpness {
    /// The window of the second blur, in samples to either side.
    private static let reach = 4

    /// 0 (blurred, or nothing to see) to 100, of the direction that is blurred more.
    static func measure(_ luma: LumaView) -> Double {
        guard luma.width > 4 * reach, luma.height > 4 * reach else { return 0 }
        let across = share(lines: luma.height, length: luma.width, line: luma.stride, step: 1, luma.samples)
        let down = share(lines: luma.width, length: luma.height, line: 1, step: luma.stride, luma.samples)
        return 100 * min(across, down)
    }

    /// The share of the steps between neighbours that a box of nine samples takes away.
    private static func share(lines: Int, length: Int, line: Int, step: Int, _ samples: [UInt8]) -> Double {
        var (all, lost) = (0, 0)
        let width = 2 * reach + 1
        samples.withUnsafeBufferPointer { samples in
            for number in 0..<lines {
                let row = samples.baseAddress! + number * line
                var sum = 0
                for place in 0..<width { sum += Int(row[place * step]) }
                for place in reach..<(length - reach - 1) {
                    let next = sum + Int(row[(place + reach + 1) * step]) - Int(row[(place - reach) * step])
                    let original = abs(Int(row[(place + 1) * step]) - Int(row[place * step])) * width
                    all += original
                    lost += max(0, original - abs(next - sum))
                    sum = next
                }
            }
        }
        return all == 0 ? 0 : Double(lost) / Double(all)
    }
}
