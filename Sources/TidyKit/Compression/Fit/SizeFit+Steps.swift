internal import Glibc

/// Faint grain and gradients: two qualities that lie next to each other may take very unlike bytes, as a table entry passes
/// what all blocks hold. Where none fills the target, the size does, for pixels change bytes smoothly.
extension SizeFit {
    /// From this many counts on a size is not searched any further for a quality that fills the target.
    private static let patience = 8

    private var isFilled: Bool {
        corrected.contains { $0.measure.isWhole && fits($0) && Double($0.bytes) >= Self.filled * Double(limits.target) }
    }

    /// The first other size, once the qualities between what fits and what does not are used up.
    func sizeBetween(_ fitting: FitResult, _ failing: FitResult) -> FitTrial? {
        let isSpent = failing.trial.quality - fitting.trial.quality < 0.15 || counts >= Self.patience
        guard !isFilled, isSpent, fitting.trial.edge > limits.smallestEdge else { return nil }
        // What two sizes of unlike qualities have shown may be a step too.
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

    /// The next size, where two have been counted at one quality: by what they have shown of its pixels.
    func sizeAtSameQuality(_ last: FitTrial) -> FitTrial? {
        let same = corrected.filter {
            $0.measure.isWhole && $0.trial.chroma == last.chroma && abs($0.trial.quality - last.quality) < 0.05
        }.sorted { $0.trial.edge < $1.trial.edge }
        guard !isFilled, last.quality >= limits.floorQuality, same.count > 1 else { return nil }
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

    /// Between a size that fits and one that does not, next to neither of them: by secants in logarithms, and now and then
    /// by a half, for patterns as fine as the pixels take many times as much within a few per cent of the size.
    private func edgeBetween(_ fitting: FitResult, _ failing: FitResult, tried: Int) -> Int {
        let (low, high) = (fitting.trial.edge, failing.trial.edge)
        guard high - low > 1 else { return low }
        let (fits, fails) = (log(Double(max(fitting.bytes, 1))), log(Double(max(failing.bytes, 2))))
        let share = tried % 3 == 1 ? 0.5 : (log(aimedBytes) - fits) / max(fails - fits, 1e-6)
        let edge = Double(low) * pow(Double(high) / Double(low), share)
        let tenth = 0.1 * Double(high - low)
        return max(low + 1, min(Int(max(Double(low) + tenth, min(edge, Double(high) - tenth))), high - 1))
    }

    /// The edge at which the target is filled, by what two sizes at one quality took.
    private func edge(_ result: FitResult, by other: FitResult) -> Int {
        let power =
            log(Double(other.bytes) / Double(result.bytes))
            / (2 * log(Double(other.trial.edge) / Double(result.trial.edge)))
        return edge(result.trial.edge, bytes: Double(result.bytes), power: max(0.5, min(power, 4)))
    }
}
