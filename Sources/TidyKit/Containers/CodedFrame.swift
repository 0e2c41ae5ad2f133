/// The size in pixels of the frames that a decoder allocates for a coded stream, which may differ from the size that
/// the container claims (`ispe`).
struct CodedFrame: Equatable {
    var width = 0
    var height = 0

    /// Clamped to the range of Int.
    var pixels: Int {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : pixels
    }

    /// Becomes at least as wide and as high as `other`.
    mutating func widen(_ other: CodedFrame) {
        width = max(width, other.width)
        height = max(height, other.height)
    }
}

/// The header of a stream is missing or contradicts itself.
struct UnreadableFrame: Error {}

/// How many units all streams of a file may have together, to bound the time. Photos have a few hundred.
struct UnitBudget {
    private var left = 2_000_000

    /// Counts one unit; throws if the budget is used up.
    mutating func spend() throws(UnreadableFrame) {
        guard left > 0 else { throw UnreadableFrame() }
        left -= 1
    }
}

/// Reads the bits of a coded header, most significant first. Nil past the end.
struct BitReader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter count: 0…32.
    mutating func read(_ count: Int) -> Int? {
        guard at + count <= 8 * bytes.count else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[at / 8] >> (7 - UInt8(at % 8)) & 1)
            at += 1
        }
        return value
    }

    mutating func flag() -> Bool? { read(1).map { $0 == 1 } }

    mutating func skip(_ count: Int) -> Bool {
        guard count <= 8 * bytes.count - at else { return false }
        at += count
        return true
    }

    /// `ue(v)` of HEVC (H.265, section 9.2), `uvlc()` of AV1 (section 4.10.3). Nil for more than 32 bits, which no
    /// valid header contains.
    mutating func exponential() -> Int? {
        var zeros = 0
        while true {
            guard let bit = read(1), zeros <= 32 else { return nil }
            if bit == 1 { break }
            zeros += 1
        }
        guard zeros < 32 else { return nil }
        return read(zeros).map { (1 << zeros) - 1 + $0 }
    }
}
