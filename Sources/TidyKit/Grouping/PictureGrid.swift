/// A picture of 64 × 64 samples, slightly blurred: enough to see whether two pictures whose hashes are close show the
/// same.
package struct PictureGrid: Hashable, Sendable {
    package static let side = HashGrid.side
    /// Brightness 0…255, row by row.
    package let samples: [UInt8]

    /// Nil unless there are 64 × 64 of them.
    package init?(samples: [UInt8]) {
        guard samples.count == Self.side * Self.side else { return nil }
        self.samples = samples
    }

    /// Blurs with 1 2 1 both ways: cells of a crop lie between those of the whole.
    init(_ grid: HashGrid) {
        let side = Self.side
        func blurred(_ source: [Float], step: Int, line: Int) -> [Float] {
            var target = source
            for number in 0..<side {
                for place in 0..<side {
                    let at = number * line + place * step
                    let before = place > 0 ? at - step : at
                    let after = place + 1 < side ? at + step : at
                    target[at] = (source[before] + 2 * source[at] + source[after]) / 4
                }
            }
            return target
        }
        let across = blurred(grid.samples, step: 1, line: side)
        samples = blurred(across, step: side, line: 1).map { UInt8(min(max($0, 0), 255).rounded()) }
    }

    /// The grid of the picture in turn number `turn` of `PerceptualHash.turns`.
    func turned(_ turn: Int) -> PictureGrid {
        if turn == 0 { return self }
        let side = Self.side
        var turned = [UInt8](repeating: 0, count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                let row = turn & 1 != 0 ? side - 1 - y : y
                let column = turn & 2 != 0 ? side - 1 - x : x
                turned[y * side + x] = samples[turn < 4 ? row * side + column : column * side + row]
            }
        }
        return PictureGrid(samples: turned) ?? self
    }
}
