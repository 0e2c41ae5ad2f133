/// How large a decoder makes the picture of a coded stream, in pixels: what it takes memory for, whatever the file around the
/// stream says (`ispe`).
struct CodedFrame: Equatable {
    var width = 0
    var height = 0

    /// Saturates.
    var pixels: Int {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : pixels
    }

    /// As wide and as high as either.
    mutating func widen(_ other: CodedFrame) {
        width = max(width, other.width)
        height = max(height, other.height)
    }
}

/// What a stream breaks off with: its header contradicts itself or is not there.
struct UnreadableFrame: Error {}

/// Units that a stream may hold, over all streams of a file: a bound on time. Photos have some hundred.
struct UnitBudget {
    private var left = 2_000_000

    mutating func take() throws(UnreadableFrame) {
        guard left > 0 else { throw UnreadableFrame() }
        left -= 1
    }
}
