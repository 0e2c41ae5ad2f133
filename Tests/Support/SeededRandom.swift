internal import TidyKit

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014): the same numbers for
/// the same seed on every machine, which `SystemRandomNumberGenerator` does not promise.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// For tests whose seed chance may choose: it is printed, and `PHOTOTIDY_SEED` repeats a run.
    package static func byChance(_ test: String = #function) -> SeededRandom {
        let given = Environment.value("PHOTOTIDY_SEED").flatMap { UInt64($0.displayText) }
        let random = SeededRandom(seed: given ?? UInt64.random(in: 0..<1_000_000))
        // In front of the test, because what ends the whole program prints nothing behind it.
        print("PHOTOTIDY_SEED=\(random.seed) repeats \(test)")
        return random
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
