/// What makes photos a group: the value of `--duplicate`, `--similar` or `--burst`.
package enum GroupingKind: Hashable, Sendable {
    case sameBytes
    /// The same coded or decoded picture, whatever the metadata.
    case samePixels
    /// The largest distance between two hashes, in bits of 256.
    case similar(Int)
    /// The longest time from one shot to the next, in seconds.
    case burst(Double)

    /// The distance of `--similar` without a number.
    package static let similarDistance = 90
    /// The time of `--burst` without a number.
    package static let burstSeconds = 1.0
}
