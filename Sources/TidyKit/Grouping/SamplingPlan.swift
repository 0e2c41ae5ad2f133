/// How many bits to choose and how often, so that a pair at the distance is found with the recall that is stated.
struct SamplingPlan {
    let bits: Int
    let rounds: Int
    let bucketBits: Int
    /// False where comparing all pairs takes less time.
    let paysOff: Bool

    /// That one round finds a pair at the distance.
    let chance: Double

    /// The recall of pairs at the distance itself; closer ones are found more surely. `logarithm` is that of the share
    /// that may be missed, negated: the rounds that it takes, times the chance of one of them.
    static func goal(at distance: Int) -> (recall: Double, logarithm: Double) {
        distance <= 31 ? (0.999999, 13.82) : (0.995, 5.3)
    }

    init(count: Int, distance: Int, queries: Int) {
        let share = 1 - Double(min(distance, 250)) / 256
        var best = (cost: Double.infinity, bits: 1, rounds: 1.0)
        var found = 1.0
        for bits in 1...30 {
            found *= share
            let rounds = (Self.goal(at: distance).logarithm / found).rounded(.up)
            // Of a lookup and of a comparison, in nanoseconds.
            let cost = rounds * (25 + 4 * Double(count) / Double(1 << max(0, bits - 4)))
            if cost < best.cost { best = (cost, bits, rounds) }
        }
        bits = best.bits
        rounds = Int(min(best.rounds, 1e9))
        chance = Self.power(share, bits)
        // Of a pair with all its turns, in nanoseconds.
        let all = Double(count) / 2 * Double(queries - 1) * 5
        paysOff = count > 1000 && best.cost * Double(queries) < all
        bucketBits = min(24, max(4, Int.bitWidth - count.leadingZeroBitCount))
    }

    private static func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<exponent).reduce(1) { power, _ in power * base }
    }
}

/// The bits of a hash that one round looks at, mixed into the number of a bucket. A word whose first such bit is set is
/// negated before: mirrored pictures, of which some words are negated, come into one bucket. That costs a bit of each
/// word and saves three of four queries.
struct BitSample {
    private let mask: SIMD4<UInt64>
    /// The number of the first bit in each word of the mask.
    private let first: SIMD4<UInt64>
    private let shift: UInt64
    let bucketCount: Int

    init(_ plan: SamplingPlan, round: Int) {
        // Seeds that follow each other would give sequences that overlap.
        var seeds = SplitMix64(state: UInt64(round))
        var random = SplitMix64(state: seeds.next())
        var mask = SIMD4<UInt64>()
        var left = plan.bits
        while left > 0 {
            let bit = random.next() >> 58
            if mask[left % 4] >> bit & 1 == 0 {
                mask[left % 4] |= 1 << bit
                left -= 1
            }
        }
        self.mask = mask
        first = SIMD4((0..<4).map { UInt64(mask[$0].trailingZeroBitCount & 63) })
        shift = UInt64(64 - plan.bucketBits)
        bucketCount = 1 << plan.bucketBits
    }

    func bucket(of words: SIMD4<UInt64>) -> Int {
        let negation = SIMD4<UInt64>() &- (words &>> first & 1)
        let seen = (words ^ negation) & mask
        var mixed = seen[0] &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 32 ^ seen[1]) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 32 ^ seen[2]) &* 0x94D0_49BB_1331_11EB
        mixed = (mixed ^ mixed >> 32 ^ seen[3]) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: ((mixed ^ mixed >> 32) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }
}

/// The same numbers in each run, so that the same library gives the same groups.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
