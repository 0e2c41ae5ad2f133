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

/// A picture of 16 × 16 samples: enough to see that two pictures whose hashes are close by chance show something else,
/// so that they need not be decoded.
package struct PictureOutline: Hashable, Sendable {
    package static let side = 16
    /// Brightness 0…255, row by row.
    package let samples: [UInt8]

    /// The least correlation of two thumbnails of one picture: Docs/Similarity.md has the measurement.
    private static let leastCorrelation: Float = 0.75
    /// Rows or columns at an edge that a caption covers.
    private static let caption = 2

    /// Nil unless there are 16 × 16 of them.
    package init?(samples: [UInt8]) {
        guard samples.count == Self.side * Self.side else { return nil }
        self.samples = samples
    }

    init(_ grid: HashGrid) {
        let cells = HashGrid.side / Self.side
        samples = (0..<Self.side * Self.side).map { index in
            let start = index / Self.side * cells * HashGrid.side + index % Self.side * cells
            var sum: Float = 0
            for row in 0..<cells {
                for column in 0..<cells { sum += grid.samples[start + row * HashGrid.side + column] }
            }
            return UInt8(min(max(sum / Float(cells * cells), 0), 255).rounded())
        }
    }

    /// False where the two show different pictures. A caption along one edge does not count.
    /// - Parameter turn: the number of the turn of this one, as in `PerceptualHash.turns`.
    func mayShow(_ other: PictureOutline, turn: Int) -> Bool {
        let all = 0..<Self.side
        let parts = [
            (all, all), (all.dropFirst(Self.caption), all), (all.dropLast(Self.caption), all),
            (all, all.dropFirst(Self.caption)), (all, all.dropLast(Self.caption)),
        ]
        return parts.contains { correlation(with: other, turn, rows: $0.0, columns: $0.1) >= Self.leastCorrelation }
    }

    private func correlation(
        with other: PictureOutline, _ turn: Int, rows: Range<Int>, columns: Range<Int>
    ) -> Float {
        var (left, right, lefts, rights, both): (Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0)
        for y in rows {
            for x in columns {
                let own = Int(samples[GridTurn.index(turn, x: x, y: y, side: Self.side)])
                let theirs = Int(other.samples[y * Self.side + x])
                left += own
                right += theirs
                lefts += own * own
                rights += theirs * theirs
                both += own * theirs
            }
        }
        let count = rows.count * columns.count
        let product = Float(count * lefts - left * left) * Float(count * rights - right * right)
        return product > 0 ? Float(count * both - left * right) / product.squareRoot() : 0
    }
}

/// Where the samples of a square grid lie when it is turned.
enum GridTurn {
    /// The index of the sample that turn number `turn` of `PerceptualHash.turns` puts to `x`, `y`.
    static func index(_ turn: Int, x: Int, y: Int, side: Int) -> Int {
        let row = turn & 1 != 0 ? side - 1 - y : y
        let column = turn & 2 != 0 ? side - 1 - x : x
        return turn < 4 ? row * side + column : column * side + row
    }
}
