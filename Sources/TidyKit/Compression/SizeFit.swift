internal import Glibc

/// The search for the best picture that fits a number of bytes, apart from any pixel.
///
/// It asks for trials (`next`) and is told how long each came out (`record`). Quality comes down from the top to the
/// floor at full size; if that does not fit, the size comes down until the floor fits, and what is left is spent on
/// quality; at the smallest edge quality goes on down to `lowest`. Bytes follow a power of the table factor and a power
/// of the pixels: each step is a secant in logarithms, kept inside the bracket of what is known to fit and not to fit,
/// so that it also ends where bytes do not follow quality.
struct SizeFit {
    struct Limits {
        /// Bytes that the stream may take.
        var target: Int
        /// The largest size allowed, in pixels.
        var width: Int
        var height: Int
        /// Long edge below which the picture is not scaled as long as quality can go down.
        var minimumEdge: Int
        var topQuality: Double
        var floorQuality: Double
        /// The source has chroma at full density, which is worth keeping at full size.
        var prefersFullChroma = false
        /// Keeps the density of chroma whatever the size.
        var fixedChroma: Planes.Chroma?
    }

    struct Trial: Equatable {
        var width: Int
        var height: Int
        var chroma: Planes.Chroma
        var quality: Double

        func hasSize(of other: Trial) -> Bool {
            width == other.width && height == other.height && chroma == other.chroma
        }
    }

    /// How a fitting trial stands to be the one: at or above the floor first, then pixels, then bytes.
    private struct Result {
        var trial: Trial
        var bytes: Int
        var isExact: Bool
    }

    let limits: Limits
    private var results: [Result] = []
    private var pending: Trial?
    private var rescales = 0
    /// Bytes fall with this power of the table factor; measured anew at each size with two trials.
    private var slope = 0.6
    /// The best fitting trial so far, and its index among all trials.
    private(set) var best: Trial?
    private var bestBytes = 0

    static let lowest = 10.0
    static let maximumTrials = 8
    private static let maximumRescales = 2
    /// Bytes grow with this power of the pixels at equal quality (measured over photographs of 6 to 24 megapixels).
    private static let pixelPower = 0.83
    /// A secant aims here, and anything from `enough` up is good enough to stop.
    private static let aim = 0.987
    private static let enough = 0.972
    /// The quality that a new size is chosen for lies this much above the floor, so that a prediction that was too bold
    /// still ends above it.
    private static let margin = 4.0
    /// A size is kept where its quality would come out no more than this above the floor.
    private static let slack = 11.0

    /// - Parameter expectedBytes: a guess at the bytes of the full size at the floor; nil where nothing is known.
    init(_ limits: Limits, expectedBytes: Double?) {
        self.limits = limits
        let floor = limits.floorQuality
        let wide = limits.fixedChroma ?? (limits.prefersFullChroma ? .full : .half)
        guard limits.target > 0 else {
            pending = trial(edge: smallestEdge, chroma: limits.fixedChroma ?? .half, quality: Self.lowest)
            return
        }
        let expected = expectedBytes ?? Double(limits.width * limits.height) / 8
        // Half as much again as the target may still be a wrong guess: the full size gets its chance.
        if expected <= 1.5 * Double(limits.target) {
            let quality = self.quality(
                from: floor, bytes: expected, to: Self.aim * Double(limits.target), slope: slope)
            pending = trial(edge: fullEdge, chroma: wide, quality: clamp(quality, floor, limits.topQuality))
        } else {
            let narrow = limits.fixedChroma ?? .half
            let quality = min(floor + Self.margin, limits.topQuality)
            let bytes = expected * pow(factor(floor) / factor(quality), slope)
            pending = trial(edge: edge(fullEdge, bytes: bytes), chroma: narrow, quality: quality)
        }
    }

    /// What to encode next; nil when the search is over.
    func next() -> Trial? { pending }

    /// The fewest bytes of all trials: what the user is told where nothing fits.
    var smallest: Int { results.map(\.bytes).min() ?? 0 }
    var trials: Int { results.count }
    var bestSize: Int { bestBytes }

    /// True when this is the last resort, whose exact size the user should be told.
    func isLastResort(_ trial: Trial) -> Bool {
        trial.quality <= Self.lowest && max(trial.width, trial.height) <= smallestEdge
    }

    /// - Parameter bytes: the length of the stream of the pending trial, or what it is known to exceed.
    /// - Returns: true where this trial is the best so far and its stream is to be kept.
    mutating func record(bytes: Int, isExact: Bool = true) -> Bool {
        guard let trial = pending else { return false }
        results.append(Result(trial: trial, bytes: bytes, isExact: isExact))
        var keep = false
        if isExact, bytes <= limits.target, isBetter(trial, bytes) {
            best = trial
            bestBytes = bytes
            keep = true
        }
        pending = results.count < Self.maximumTrials ? following(trial) : nil
        return keep
    }

    private func isBetter(_ trial: Trial, _ bytes: Int) -> Bool {
        guard let best else { return true }
        let floor = limits.floorQuality
        if (best.quality >= floor) != (trial.quality >= floor) { return trial.quality >= floor }
        if trial.hasSize(of: best) { return trial.quality > best.quality }
        // Another size: a file that is far from full gives way to one that is, then more pixels win.
        let wasFull = Double(bestBytes) >= 0.95 * Double(limits.target)
        let isFull = Double(bytes) >= 0.95 * Double(limits.target)
        if wasFull != isFull { return isFull }
        return trial.width * trial.height >= best.width * best.height
    }

    // MARK: - One step

    private mutating func following(_ last: Trial) -> Trial? {
        let here = results.filter { $0.trial.hasSize(of: last) }.sorted { $0.trial.quality < $1.trial.quality }
        let target = Double(limits.target)
        let fitting = here.last { $0.bytes <= limits.target && $0.isExact }
        // Where bytes are not monotonic, only what lies above the best that fits is still of interest.
        let failing = here.first { $0.bytes > limits.target && $0.trial.quality > (fitting?.trial.quality ?? 0) }
        if let fitting, Double(fitting.bytes) >= Self.enough * target, fitting.trial.quality >= limits.floorQuality {
            return nil
        }
        updateSlope(here)
        let edge = max(last.width, last.height)
        let wanted = wantedQuality(here, near: last)
        let floor = limits.floorQuality

        if rescales < Self.maximumRescales, let other = otherSize(last, here, wanted: wanted, edge: edge) {
            rescales += 1
            return other
        }
        if let fitting, fitting.trial.quality >= limits.topQuality { return nil }
        let lowest = edge <= smallestEdge || rescales >= Self.maximumRescales ? Self.lowest : floor
        let low = fitting.map { $0.trial.quality + 0.1 } ?? lowest
        let high = failing.map { $0.trial.quality - 0.1 } ?? limits.topQuality
        guard low <= high + 0.05 else {
            // Nothing is left between what fits and what does not.
            return nil
        }
        var quality = clamp(wanted, low, high)
        if fitting == nil, results.count >= Self.maximumTrials - 2 { quality = low }
        return Trial(width: last.width, height: last.height, chroma: last.chroma, quality: tenth(quality))
    }

    /// Another size for the next trial, where this one cannot be filled at an allowed quality.
    private func otherSize(_ last: Trial, _ here: [Result], wanted: Double, edge: Int) -> Trial? {
        let floor = limits.floorQuality
        let target = Self.aim * Double(limits.target)
        let nearest = here.min { abs($0.trial.quality - wanted) < abs($1.trial.quality - wanted) }!
        let aimed = min(floor + Self.margin, limits.topQuality)
        let atAim = Double(nearest.bytes) * pow(factor(nearest.trial.quality) / factor(aimed), slope)
        let floorFails = here.contains { $0.trial.quality <= floor + 0.05 && $0.bytes > limits.target }
        if wanted < floor - 1 || floorFails {
            // Chroma gives way before pixels do.
            if last.chroma == .full, limits.fixedChroma == nil {
                let narrowed = atAim * 0.8
                return trial(edge: min(fullEdge, self.edge(edge, bytes: narrowed)), chroma: .half, quality: aimed)
            }
            guard edge > smallestEdge else { return nil }
            var smaller = self.edge(edge, bytes: atAim)
            if smaller >= edge { smaller = edge * 97 / 100 }
            if smaller <= smallestEdge {
                return trial(
                    edge: smallestEdge, chroma: last.chroma,
                    quality: qualityFor(edge: smallestEdge, from: nearest.bytes, edge, nearest.trial.quality, target))
            }
            return trial(edge: smaller, chroma: last.chroma, quality: aimed)
        }
        // Larger only after a first guess, never back again.
        if edge < fullEdge, rescales == 0, results.count == 1, wanted > floor + Self.slack {
            let larger = min(fullEdge, self.edge(edge, bytes: atAim))
            guard Double(larger) > 1.03 * Double(edge) else { return nil }
            return trial(
                edge: larger, chroma: last.chroma,
                quality: clamp(
                    qualityFor(edge: larger, from: nearest.bytes, edge, nearest.trial.quality, target), floor,
                    limits.topQuality))
        }
        return nil
    }

    // MARK: - The model

    /// What a table factor smaller by `ratio` does to the bytes, before anything was measured.
    static func power(_ ratio: Double) -> Double { pow(ratio, 0.6) }
    /// What `ratio` times the pixels do to the bytes.
    static func pixelFactor(_ ratio: Double) -> Double { pow(ratio, pixelPower) }

    private mutating func updateSlope(_ here: [Result]) {
        let exact = here.filter { $0.isExact && $0.bytes > 0 }
        guard exact.count >= 2, let first = exact.first, let last = exact.last else { return }
        let run = log(factor(first.trial.quality) / factor(last.trial.quality))
        guard run > 0.01 else { return }
        slope = clamp(log(Double(last.bytes) / Double(first.bytes)) / run, 0.25, 1.6)
    }

    /// The quality at which this size should fill the target.
    private func wantedQuality(_ here: [Result], near last: Trial) -> Double {
        let target = Self.aim * Double(limits.target)
        let nearest = here.min {
            abs(log(Double(max($0.bytes, 1)) / target)) < abs(log(Double(max($1.bytes, 1)) / target))
        }!
        return quality(from: nearest.trial.quality, bytes: Double(nearest.bytes), to: target, slope: slope)
    }

    private func qualityFor(edge: Int, from bytes: Int, _ oldEdge: Int, _ oldQuality: Double, _ target: Double)
        -> Double
    {
        let scaled = Double(bytes) * pow(Double(edge) / Double(oldEdge), 2 * Self.pixelPower)
        return clamp(quality(from: oldQuality, bytes: scaled, to: target, slope: slope), Self.lowest, limits.topQuality)
    }

    private func quality(from quality: Double, bytes: Double, to target: Double, slope: Double) -> Double {
        QuantizationTables.quality(scale: factor(quality) * pow(max(bytes, 1) / target, 1 / slope))
    }

    /// The edge at which a picture that takes `bytes` at `edge` fills the target.
    private func edge(_ edge: Int, bytes: Double) -> Int {
        let ratio = pow(Self.aim * Double(limits.target) / max(bytes, 1), 1 / (2 * Self.pixelPower))
        return max(smallestEdge, min(fullEdge, Int((Double(edge) * ratio).rounded())))
    }

    private func factor(_ quality: Double) -> Double { max(0.02, QuantizationTables.scale(quality: quality)) }
    private var fullEdge: Int { max(limits.width, limits.height) }
    private var smallestEdge: Int { min(fullEdge, max(1, limits.minimumEdge)) }

    private func trial(edge: Int, chroma: Planes.Chroma, quality: Double) -> Trial {
        let scale = Double(edge) / Double(fullEdge)
        return Trial(
            width: max(1, Int((Double(limits.width) * scale).rounded())),
            height: max(1, Int((Double(limits.height) * scale).rounded())), chroma: chroma, quality: tenth(quality))
    }

    private func tenth(_ quality: Double) -> Double { (quality * 10).rounded() / 10 }
    private func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { max(low, min(high, value)) }
}
