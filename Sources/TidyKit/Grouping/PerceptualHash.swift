/// PDQ, a hash of what a picture looks like: 256 bits, one for each of the 16 × 16 lowest frequencies, set where the
/// coefficient is above the median of them all (Meta, "The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing
/// Algorithm", 2019). Scaling, recompression and small edits change few bits; hashes of strangers differ in about 128.
package struct PerceptualHash: Hashable, Sendable {
    /// One word for each parity of row and column, rows first: even and even, even and odd, odd and even, odd and odd.
    /// The bit of row `i` and column `j`, both counted from 0 for frequency 1, is bit `8 * (i / 2) + j / 2` of its
    /// word. A mirrored picture then has the same words, some of them negated.
    package var words: SIMD4<UInt64>

    package init(words: SIMD4<UInt64>) { self.words = words }

    /// - Parameter frequencies: 256 coefficients of the DCT, row by row, without the mean.
    init(frequencies: [Float]) {
        let median = frequencies.sorted()[127]
        words = SIMD4()
        for row in 0..<16 {
            for column in 0..<16 where frequencies[16 * row + column] > median { setBit(row, column) }
        }
    }

    /// Row and column are counted from 0.
    mutating func setBit(_ row: Int, _ column: Int) {
        words[row % 2 * 2 + column % 2] |= 1 << UInt64(row / 2 * 8 + column / 2)
    }

    /// In how many of the 256 bits two hashes differ.
    @inlinable package func distance(to other: PerceptualHash) -> Int {
        let difference = words ^ other.words
        return difference[0].nonzeroBitCount + difference[1].nonzeroBitCount + difference[2].nonzeroBitCount
            + difference[3].nonzeroBitCount
    }

    /// The smallest distance in any of the eight turns: that of four mirrorings costs as much as one, because each
    /// negates two of the four words, or none, and of a negated word all bits differ that did not.
    /// - Parameter transposed: of this hash, which the caller keeps for many comparisons.
    @inlinable package func turnedDistance(to other: PerceptualHash, transposed: SIMD4<UInt64>) -> Int {
        min(Self.mirroredDistance(words ^ other.words), Self.mirroredDistance(transposed ^ other.words))
    }

    @inlinable static func mirroredDistance(_ difference: SIMD4<UInt64>) -> Int {
        let (a, b) = (difference[0].nonzeroBitCount, difference[1].nonzeroBitCount)
        let (c, d) = (difference[2].nonzeroBitCount, difference[3].nonzeroBitCount)
        return min(
            min(a + b + c + d, 128 - a - b + c + d), min(128 - a - c + b + d, 128 - b - c + a + d))
    }

    /// The hashes of the picture turned and mirrored in all eight ways, itself first. A mirrored axis negates every
    /// other frequency along it, and a coefficient that is negated falls on the other side of the median, which is
    /// close to zero: that costs a few bits and saves the pixels.
    package var turns: [PerceptualHash] {
        [words, transposed].flatMap { words in Self.mirrors.map { PerceptualHash(words: words ^ $0) } }
    }

    /// The bits that mirroring negates: none, top to bottom, left to right, both.
    static let mirrors: [SIMD4<UInt64>] = [
        SIMD4(0, 0, 0, 0), SIMD4(.max, .max, 0, 0), SIMD4(.max, 0, .max, 0), SIMD4(0, .max, .max, 0),
    ]

    /// The bits of the picture with rows and columns exchanged.
    package var transposed: SIMD4<UInt64> {
        SIMD4(Self.transpose(words[0]), Self.transpose(words[2]), Self.transpose(words[1]), Self.transpose(words[3]))
    }

    /// A matrix of 8 × 8 bits, by exchanging blocks of 4, 2 and 1 (Warren, "Hacker's Delight", section 7-3).
    private static func transpose(_ matrix: UInt64) -> UInt64 {
        var bits = matrix
        for (shift, mask) in [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)] {
            let change = (bits ^ bits >> UInt64(shift)) & UInt64(mask)
            bits ^= change ^ change << UInt64(shift)
        }
        return bits
    }
}
