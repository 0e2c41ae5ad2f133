internal import Glibc

/// Faint grain and gradients: two adjacent qualities may take very different bytes, when a quantisation step passes a
/// value that most blocks contain. If no quality fills the target, a size does, because bytes change smoothly with
/// pixels.
extension SizeFit {
    /// After this many counts, no further quality of a size is tried to fill the target.
    private static let countsOfOneSize = 8

    private var fillsTarget: Bool {
        corrected.contains {
            $0.measure.isWhole && fits($0) && Double($0.bytes) >= Self.minimumFill * Double(limits.target)
        }
    }

    /// The first other size, after the bracket of qualities is exhausted.
    func sizeBetween(_ fitting: FitResult, _ failing: FitResult) -> FitTrial? {
        let isSpent = failing.trial.quality - fitting.trial.quality < 0.15 || counts >= Self.countsOfOneSize
        guard !fillsTarget, isSpent, fitting.trial.edge > limits.smallestEdge else { return nil }
        // Two sizes with different qualities may span a jump too.
        let power = FitModel.pixelPower(
            flatShare: FitModel.flatShare(fitting.trial, bytes: Double(fitting.bytes)))
        let larger = edge(fitting.trial.edge, bytes: Double(fitting.bytes), power: power)
        if larger > fitting.trial.edge, larger < limits.fullEdge {
            return limits.trial(edge: larger, chroma: fitting.trial.chroma, quality: fitting.trial.quality)
        }
        let smaller = edge(failing.trial.edge, bytes: Double(failing.bytes), power: power)
        guard smaller < failing.trial.edge else { return nil }
        return limits.trial(edge: smaller, chroma: failing.trial.chroma, quality: failing.trial.quality)
    }

    /// The next size from two sizes that were counted at the same quality.
    func sizeAtSameQuality(_ last: FitTrial) -> FitTrial? {
        let same = corrected.filter {
            $0.measure.isWhole && $0.trial.chroma == last.chroma && abs($0.trial.quality - last.quality) < 0.05
        }.sorted { $0.trial.edge < $1.trial.edge }
        guard !fillsTarget, last.quality >= limits.floorQuality, same.count > 1 else { return nil }
        let next: Int
        if let index = same.lastIndex(where: fits) {
            let fitting = same[index]
            next =
                index == same.count - 1
                ? min(edge(fitting, by: same[index - 1]), limits.fullEdge)
                : edgeBetween(fitting, same[index + 1], tried: same.count)
        } else {
            next = edge(same[0], by: same[1])
        }
        guard !results.contains(where: { $0.trial.edge == next }) else { return nil }
        return limits.trial(edge: next, chroma: last.chroma, quality: last.quality)
    }

    /// An edge between a size that fits and one that does not, adjacent to neither: by secants in logarithms, sometimes
    /// by bisection, because patterns as fine as the pixels take many times the bytes within a few per cent of the
    /// size.
    private func edgeBetween(_ fitting: FitResult, _ failing: FitResult, tried: Int) -> Int {
        let (low, high) = (fitting.trial.edge, failing.trial.edge)
        guard high - low > 1 else { return low }
        let (fits, fails) = (log(Double(max(fitting.bytes, 1))), log(Double(max(failing.bytes, 2))))
        let share = tried % 3 == 1 ? 0.5 : (log(secantTarget) - fits) / max(fails - fits, 1e-6)
        let edge = Double(low) * pow(Double(high) / Double(low), share)
        let tenth = 0.1 * Double(high - low)
        return max(low + 1, min(Int(max(Double(low) + tenth, min(edge, Double(high) - tenth))), high - 1))
    }

    /// The edge that fills the target, from two sizes at the same quality.
    private func edge(_ result: FitResult, by other: FitResult) -> Int {
        let power =
            log(Double(other.bytes) / Double(result.bytes))
            / (2 * log(Double(other.trial.edge) / Double(result.trial.edge)))
        return edge(result.trial.edge, bytes: Double(result.bytes), power: max(0.5, min(power, 4)))
    }
}

/// Which trial is written, and which stream becomes the file.
extension SizeFit {
    /// A trial that fits by less than this by its count is not written: the standard deviation of a stream is 0.001.
    private static let countTolerance = 0.0012

    /// For counts and estimates, the result must be `corrected`.
    func fits(_ result: FitResult) -> Bool {
        result.measure == .stream
            ? result.bytes <= limits.target : Double(result.bytes) <= (1 - Self.countTolerance) * Double(limits.target)
    }

    /// All results, with the latest correction from counts to streams.
    var corrected: [FitResult] {
        results.map { result in
            guard result.measure != .stream else { return result }
            return FitResult(
                trial: result.trial, bytes: Int(Double(result.bytes) * correction), measure: result.measure)
        }
    }

    /// The best trial that fits by its count, if it is better than all that were written. If none fits, the smallest
    /// once, for the message.
    var toWrite: FitTrial? {
        let counted = corrected.filter { $0.measure == .count }
        var choice: FitResult?
        for result in counted where fits(result) {
            if choice.map({ isBetter(result, than: $0.trial, $0.bytes) }) ?? true { choice = result }
        }
        if let found = choice, let best, !isBetter(found, than: best, bestBytes) { choice = nil }
        if choice == nil, best == nil, streams == 0 { choice = counted.min { $0.bytes < $1.bytes } }
        return choice.map { limits.trial(like: $0.trial, quality: $0.trial.quality, step: .write) }
    }

    /// Whether `result` is better than `best`, which takes `bestBytes`; both fit.
    func isBetter(_ result: FitResult, than best: FitTrial, _ bestBytes: Int) -> Bool {
        let (trial, bytes) = (result.trial, result.bytes)
        let floor = limits.floorQuality
        if (best.quality >= floor) != (trial.quality >= floor) { return trial.quality >= floor }
        if trial.hasSize(of: best) { return trial.quality > best.quality }
        // For another size: if both fill the target, more pixels win, otherwise more bytes.
        let isFull = Double(min(bytes, bestBytes)) >= Self.minimumFill * Double(limits.target)
        return isFull ? trial.width * trial.height >= best.width * best.height : bytes > bestBytes
    }
}

/// The results of one size.
struct SizeBracket {
    /// In ascending order of quality.
    let results: [FitResult]
    /// The best quality that fits, and the worst above it that does not. If bytes are not monotonic, only qualities
    /// above the best that fits matter.
    let fitting: FitResult?
    let failing: FitResult?

    init(_ results: [FitResult], fits: (FitResult) -> Bool) {
        let sorted = results.sorted { $0.trial.quality < $1.trial.quality }
        let fitting = sorted.last { $0.measure.isWhole && fits($0) }
        self.results = sorted
        self.fitting = fitting
        failing = sorted.first {
            $0.measure.isWhole && !fits($0) && $0.trial.quality > (fitting?.trial.quality ?? 0)
        }
    }

    /// The secant has not converged.
    var isSlow: Bool { results.count { $0.measure.isWhole } > 3 }

    /// The two best qualities that were counted took the same bytes.
    var isLevel: Bool {
        let whole = results.filter { $0.measure.isWhole }.suffix(2)
        guard whole.count == 2, let first = whole.first, let last = whole.last else { return false }
        return abs(last.bytes - first.bytes) <= last.bytes / 500
    }
}
