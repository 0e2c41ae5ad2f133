/// A picture of 64 × 64 samples of brightness, from which the hash is made.
struct HashGrid {
    static let side = 64
    /// Brightness 0…255, row by row.
    private(set) var samples: [Float]

    /// The part of a picture between `inset` and `1 - inset` of its width and height, averaged with a triangle as
    /// wide as one sample of the grid: what the two box filters of PDQ amount to, for any size and place.
    /// - Parameters:
    ///   - offset: moves the cells to the right and down, in widths and heights. The reference moves them by 1.5 of
    ///     512 pixels; ours are centred, so that a picture turned by its pixels keeps its hash.
    ///   - reach: half the width of the triangle, in samples of the grid.
    init(_ luma: LumaView, inset: Double = 0, offset: Double = 0, reach: Double = 0.5) {
        let part = (inset, offset, reach)
        let (columns, rows) = (Self.weights(luma.width, part), Self.weights(luma.height, part))
        samples = [Float](repeating: 0, count: Self.side * Self.side)
        var narrow = [Float](repeating: 0, count: luma.height * Self.side)
        luma.samples.withUnsafeBufferPointer { input in
            for y in rows.first!.start..<rows.last!.end {
                let row = input.baseAddress! + y * luma.stride
                for (x, cell) in columns.enumerated() {
                    var sum: Float = 0
                    for (offset, weight) in cell.weights.enumerated() {
                        sum += weight * Float(row[cell.start + offset])
                    }
                    narrow[y * Self.side + x] = sum
                }
            }
        }
        for (y, cell) in rows.enumerated() {
            for (offset, weight) in cell.weights.enumerated() {
                let row = (cell.start + offset) * Self.side
                for x in 0..<Self.side { samples[y * Self.side + x] += weight * narrow[row + x] }
            }
        }
    }

    private struct Cell {
        var start: Int
        var weights: [Float]
        var end: Int { start + weights.count }
    }

    /// What each cell of the grid takes of `length` samples; the weights of a cell add up to 1.
    private static func weights(_ length: Int, _ part: (inset: Double, offset: Double, reach: Double)) -> [Cell] {
        let first = Double(length) * (part.inset + part.offset)
        let span = Double(length) * (1 - 2 * part.inset)
        let reach = max(span / Double(side) * part.reach, 1)
        return (0..<side).map { index in
            let centre = first + (Double(index) + 0.5) * span / Double(side) - 0.5
            let start = min(max(Int((centre - reach).rounded(.up)), 0), length - 1)
            let end = max(min(Int((centre + reach).rounded(.down)), length - 1), start)
            var weights = (start...end).map { Float(max(1 - abs(Double($0) - centre) / reach, 0)) }
            let sum = weights.reduce(0, +)
            if sum > 0 { for index in weights.indices { weights[index] /= sum } } else { weights[0] = 1 }
            return Cell(start: start, weights: weights)
        }
    }

    /// 0…100: how much there is to see, by the sum of the steps between neighbours. `PictureSignature.leastQuality` is
    /// what a comparison needs.
    var quality: Int {
        var sum = 0
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                let sample = samples[y * Self.side + x]
                if y + 1 < Self.side { sum += abs(Int((sample - samples[(y + 1) * Self.side + x]) * 100 / 255)) }
                if x + 1 < Self.side { sum += abs(Int((sample - samples[y * Self.side + x + 1]) * 100 / 255)) }
            }
        }
        return min(sum / 90, 100)
    }

    var hash: PerceptualHash {
        var half = [Float](repeating: 0, count: 16 * Self.side)
        var frequencies = [Float](repeating: 0, count: 256)
        Self.cosines.withUnsafeBufferPointer { cosines in
            for row in 0..<16 {
                for k in 0..<Self.side {
                    let factor = cosines[row * Self.side + k]
                    for x in 0..<Self.side { half[row * Self.side + x] += factor * samples[k * Self.side + x] }
                }
                for column in 0..<16 {
                    var sum: Float = 0
                    for k in 0..<Self.side { sum += half[row * Self.side + k] * cosines[column * Self.side + k] }
                    frequencies[16 * row + column] = sum
                }
            }
        }
        return PerceptualHash(frequencies: frequencies)
    }

    /// Row `i` is the cosine of frequency `i + 1` over 64 samples (DCT-II); the scale does not matter to a median.
    private static let cosines: [Float] = (0..<16 * side).map { index in
        let (frequency, place) = (index / side + 1, index % side)
        return Float(cosine(Double(frequency * (2 * place + 1) % (4 * side)) / Double(4 * side)))
    }

    /// cos(2π·turn), by its series: this room knows no C library.
    private static func cosine(_ turn: Double) -> Double {
        let angle = (turn > 0.5 ? turn - 1 : turn) * 2 * Double.pi
        var (term, sum) = (1.0, 1.0)
        for n in stride(from: 2.0, through: 30, by: 2) {
            term *= -angle * angle / (n * (n - 1))
            sum += term
        }
        return sum
    }
}

/// Samples of brightness, 0…255, in rows.
package struct LumaView: Sendable {
    package let width: Int
    package let height: Int
    /// Samples from one row to the next.
    package let stride: Int
    package let samples: [UInt8]

    /// Nil where there is nothing to see.
    package init?(width: Int, height: Int, stride: Int? = nil, samples: [UInt8]) {
        let stride = stride ?? width
        guard width > 0, height > 0, stride >= width, samples.count >= (height - 1) * stride + width else { return nil }
        self.width = width
        self.height = height
        self.stride = stride
        self.samples = samples
    }
}
