/// Whether two grids show the same picture, perhaps cropped by some per cent, brighter, or with a caption; not so where
/// a part of the scene has moved, or where only the form is the same: pages of text, screens of one app.
/// Docs/Similarity.md has the measurements behind the numbers.
struct LookAlikeCheck {
    /// Cells that a block may be displaced by: 6 % of the picture.
    private static let reach = 4
    private static let block = 8
    private static let blocks = PictureGrid.side / block
    /// Standard deviation that is noise, in steps of brightness: an even sky matches another. It is less in a picture
    /// of little contrast, such as gray text on a dark screen, where it would hide what there is to see.
    private static let maximumNoise: Float = 6
    private static let noiseShare: Float = 0.15
    /// The correlation that a block needs at the least.
    private static let leastScore: Float = 0.8
    /// The correlation that all blocks need at their own place, where nothing was cropped.
    private static let surelySame: Float = 0.93
    /// Blocks that may differ: a date stamp, a logo.
    private static let maximumOdd = 1
    /// Odd blocks of an edge row that make it a caption.
    private static let leastOfCaption = 4
    /// The correlation of the coarse pictures below which the blocks need not be looked at.
    private static let leastCoarse: Float = 0.82

    static func areAlike(_ left: PictureGrid, _ right: PictureGrid) -> Bool {
        let (left, right) = (Bordered(left), Bordered(right))
        // Either way round: a caption lies outside what the displaced picture shows, but not what the other one does.
        guard left.isCoarselyLike(right) || right.isCoarselyLike(left) else { return false }
        let noise = min(maximumNoise, noiseShare * min(left.deviation, right.deviation))
        let (first, second) = (Windows(left, noise: noise), Windows(right, noise: noise))
        let here = first.scores(in: second, reach: 0)
        if here.allSatisfy({ $0[0] >= surelySame }) { return true }
        return isFound(first, in: second) || isFound(second, in: first)
    }

    /// True where all blocks of one picture are in the other, displaced as by one crop, but for odd ones and a caption.
    private static func isFound(_ picture: Windows, in other: Windows) -> Bool {
        let scores = picture.scores(in: other, reach: reach)
        let crop = Crop(scores, isTextured: picture.isTextured)
        let isOdd = scores.indices.map { crop.score(of: $0, scores[$0]) < leastScore }
        return oddBlocks(isOdd) <= maximumOdd
    }

    /// How many blocks are odd beside a caption along one edge. A caption is no higher than one row of blocks: what
    /// covers more of a picture may be another picture.
    static func oddBlocks(_ isOdd: [Bool]) -> Int {
        let all = isOdd.count { $0 }
        let edges =
            [
                { $0 }, { (blocks - 1) * blocks + $0 }, { $0 * blocks }, { $0 * blocks + blocks - 1 },
            ] as [(Int) -> Int]
        let captions = edges.map { place in (0..<blocks).count { isOdd[place($0)] } }
        return all - (captions.filter { $0 >= leastOfCaption }.max() ?? 0)
    }

    /// The displacement that most blocks agree about: a shift, and a stretch along each axis.
    private struct Crop {
        private var across = (start: Float(0), slope: Float(0))
        private var down = (start: Float(0), slope: Float(0))

        init(_ scores: [[Float]], isTextured: [Bool]) {
            let width = 2 * reach + 1
            var seen: [(column: Int, row: Int, x: Int, y: Int)] = []
            for (index, shifts) in scores.enumerated() where isTextured[index] {
                guard let best = shifts.indices.max(by: { shifts[$0] < shifts[$1] }), shifts[best] > leastScore else {
                    continue
                }
                seen.append((index % blocks, index / blocks, best % width - reach, best / width - reach))
            }
            guard seen.count >= 6 else { return }
            across = Self.line(seen.map { ($0.column, $0.x) })
            down = Self.line(seen.map { ($0.row, $0.y) })
        }

        /// By medians, which the blocks of what moved do not change.
        private static func line(_ points: [(place: Int, shift: Int)]) -> (start: Float, slope: Float) {
            func median(_ values: [Float]) -> Float {
                let sorted = values.sorted()
                return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
            }
            let (low, high) = (points.filter { $0.place < blocks / 2 }, points.filter { $0.place >= blocks / 2 })
            guard low.count >= 3, high.count >= 3 else { return (median(points.map { Float($0.shift) }), 0) }
            let rise = median(high.map { Float($0.shift) }) - median(low.map { Float($0.shift) })
            let run = median(high.map { Float($0.place) }) - median(low.map { Float($0.place) })
            let slope = rise / max(run, 1)
            return (median(points.map { Float($0.shift) - slope * Float($0.place) }), slope)
        }

        /// The best score of a block within one cell of where the crop puts it.
        func score(of index: Int, _ shifts: [Float]) -> Float {
            let width = 2 * reach + 1
            let x = Int((across.start + across.slope * Float(index % blocks)).rounded()) + reach
            let y = Int((down.start + down.slope * Float(index / blocks)).rounded()) + reach
            let (column, row) = (min(max(x, 0), width - 1), min(max(y, 0), width - 1))
            var best: Float = -1
            for near in max(0, row - 1)...min(width - 1, row + 1) {
                for place in max(0, column - 1)...min(width - 1, column + 1) {
                    best = max(best, Self.peak(shifts, near * width + place, width))
                }
            }
            return best
        }

        /// A score with what a displacement between whole cells would add: the top of the parabolas through its
        /// neighbours.
        private static func peak(_ shifts: [Float], _ at: Int, _ width: Int) -> Float {
            let score = shifts[at]
            var top = score
            func add(_ before: Float, _ after: Float) {
                let bend = 2 * score - before - after
                guard bend > 1e-6, score >= before, score >= after else { return }
                top += (after - before) * (after - before) / (8 * bend)
            }
            if at % width > 0, at % width < width - 1 { add(shifts[at - 1], shifts[at + 1]) }
            if at >= width, at + width < shifts.count { add(shifts[at - width], shifts[at + width]) }
            return top
        }
    }

    /// A grid with its edge samples repeated around it.
    private struct Bordered {
        static let side = PictureGrid.side + 2 * reach
        private(set) var samples: [Float]

        init(_ grid: PictureGrid) {
            let side = Self.side
            samples = [Float](repeating: 0, count: side * side)
            for y in 0..<side {
                let row = min(max(y - reach, 0), PictureGrid.side - 1) * PictureGrid.side
                for x in 0..<side {
                    samples[y * side + x] = Float(grid.samples[row + min(max(x - reach, 0), PictureGrid.side - 1)])
                }
            }
        }

        /// Standard deviation of the brightness.
        var deviation: Float {
            let (count, mean) = (Float(samples.count), samples.reduce(0, +) / Float(samples.count))
            return (samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
        }

        /// By the inner 14 × 14 means of 4 × 4 cells, at one of 25 displacements of the other by up to four cells.
        func isCoarselyLike(_ other: Bordered) -> Bool {
            let own = means(dx: 0, dy: 0)
            for dy in stride(from: -4, through: 4, by: 2) {
                for dx in stride(from: -4, through: 4, by: 2)
                where Self.correlation(own, other.means(dx: dx, dy: dy)) >= leastCoarse { return true }
            }
            return false
        }

        private func means(dx: Int, dy: Int) -> [Float] {
            var means: [Float] = []
            means.reserveCapacity(196)
            samples.withUnsafeBufferPointer { samples in
                for row in 1..<15 {
                    for column in 1..<15 {
                        let at = (row * 4 + reach + dy) * Self.side + column * 4 + reach + dx
                        var sum: Float = 0
                        for y in 0..<4 { for x in 0..<4 { sum += samples[at + y * Self.side + x] } }
                        means.append(sum)
                    }
                }
            }
            return means
        }

        private static func correlation(_ left: [Float], _ right: [Float]) -> Float {
            let count = Float(left.count)
            let (x, y) = (left.reduce(0, +) / count, right.reduce(0, +) / count)
            var (both, lefts, rights): (Float, Float, Float) = (0, 0, 0)
            for (a, b) in zip(left, right) {
                both += (a - x) * (b - y)
                lefts += (a - x) * (a - x)
                rights += (b - y) * (b - y)
            }
            return lefts > 0 && rights > 0 ? both / (lefts * rights).squareRoot() : 0
        }
    }

    /// The mean and the deviation of each block of 8 × 8, wherever it lies.
    private struct Windows {
        private static let side = Bordered.side
        private static let places = side - block + 1
        private let samples: [Float]
        /// The variance that noise has.
        private let floor: Float
        private var means: [Float]
        private var variances: [Float]

        init(_ grid: Bordered, noise: Float) {
            let places = Self.places
            samples = grid.samples
            floor = noise * noise
            means = [Float](repeating: 0, count: places * places)
            variances = means
            let area = Float(block * block)
            samples.withUnsafeBytes { bytes in
                for y in 0..<places {
                    for x in 0..<places {
                        var (sum, squares) = (SIMD8<Float>(), SIMD8<Float>())
                        for row in 0..<block {
                            let line = Self.line(bytes, y + row, x)
                            sum += line
                            squares += line * line
                        }
                        let mean = sum.sum() / area
                        means[y * places + x] = mean
                        variances[y * places + x] = max(0, squares.sum() / area - mean * mean)
                    }
                }
            }
        }

        private static func line(_ bytes: UnsafeRawBufferPointer, _ y: Int, _ x: Int) -> SIMD8<Float> {
            bytes.loadUnaligned(fromByteOffset: (y * side + x) * MemoryLayout<Float>.stride, as: SIMD8<Float>.self)
        }

        /// Of each block at its own place: there is something in it that can be found again.
        var isTextured: [Bool] {
            (0..<blocks * blocks).map { index in
                variances[(index / blocks * block + reach) * Self.places + index % blocks * block + reach] > 100
            }
        }

        /// Of each block how well it agrees with the other picture, displaced by up to `reach` cells each way, row by
        /// row.
        func scores(in other: Windows, reach: Int) -> [[Float]] {
            (0..<blocks * blocks).map { index in
                let (top, left) = (
                    index / blocks * block + LookAlikeCheck.reach, index % blocks * block + LookAlikeCheck.reach
                )
                let place = top * Self.places + left
                let (mean, variance) = (means[place], variances[place] + floor)
                var shifts: [Float] = []
                shifts.reserveCapacity((2 * reach + 1) * (2 * reach + 1))
                samples.withUnsafeBytes { own in
                    other.samples.withUnsafeBytes { others in
                        for y in -reach...reach {
                            for x in -reach...reach {
                                var products = SIMD8<Float>()
                                for row in 0..<block {
                                    products +=
                                        (Self.line(own, top + row, left) - mean)
                                        * Self.line(others, top + y + row, left + x)
                                }
                                let common = products.sum() / Float(block * block) + floor
                                let against = other.variances[(top + y) * Self.places + left + x] + floor
                                shifts.append(common / (variance * against).squareRoot())
                            }
                        }
                    }
                }
                return shifts
            }
        }
    }
}
