/// A picture of 64 × 64 blurred samples: enough to see whether two pictures whose hashes are close show the
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

    /// Half the width of the triangle that averages, in samples of the grid. Fine patterns (a fence, gravel, bark) must
    /// be gone before the picture is sampled: a blur afterwards cannot tell them from what the coarse samples make of
    /// them, which a crop of one per cent changes.
    private static let reach = 1.75

    init(_ luma: LumaView) {
        samples = HashGrid(luma, reach: Self.reach).samples.map { UInt8(min(max($0, 0), 255).rounded()) }
    }

    /// The grid of the picture in turn number `turn` of `PerceptualHash.turns`.
    func turned(_ turn: Int) -> PictureGrid {
        if turn == 0 { return self }
        let side = Self.side
        var turned = [UInt8](repeating: 0, count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                turned[y * side + x] = samples[GridTurn.index(turn, x: x, y: y, side: side)]
            }
        }
        return PictureGrid(samples: turned) ?? self
    }
}
