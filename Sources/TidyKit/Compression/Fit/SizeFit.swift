internal import Glibc

/// The search for the best picture within a number of bytes, without any pixels.
///
/// It requests trials (`next`) and receives the bytes of each (`record`). At full size, quality goes down from the top
/// to the floor; if the floor does not fit, the size goes down until it does, and the rest of the target is spent on
/// quality; at the smallest edge quality goes down further, to `lowest`. Bytes follow a power of the table factor and a
/// power of the pixels, so each step is a secant in logarithms, kept inside the bracket of results that fit and do not
/// fit; so it terminates even if bytes do not follow quality. Far from the target a trial is estimated, near it its
/// symbols are counted, and the best that fits by its count is written; only a stream is known to fit.
struct SizeFit {
    let limits: FitLimits
    var results: [FitResult] = []
    private var pending: FitTrial?
    private var rescales = 0
    /// The factor from counts to bytes, from the latest stream.
    private(set) var correction = FitModel.streamShare
    /// The power of the table factor, measured again at each size with two trials.
    private var slope = FitModel.slope
    /// The power of the pixels, measured again with the second size.
    private var pixelPower = FitModel.pixelPower
    /// The best fitting trial so far.
    private(set) var best: FitTrial?
    private(set) var bestBytes = 0

    static let lowest = 10.0
    static let normalCounts = 3
    /// More than `normalCounts` only if bytes come in steps.
    static let maximumCounts = 16
    static let maximumEstimates = 8
    /// More than one stream only if a count was wrong.
    static let maximumStreams = 6
    /// How often a size that was guessed too small is enlarged; then the rest is spent on quality.
    static let normalRescales = 2
    /// More than `normalRescales` only if quality would fall below the floor, or the target would stay unfilled.
    static let maximumRescales = 6
    /// Fill of the target: what a secant is solved for, and from where the search stops.
    private static let secantFill = 0.99
    private static let acceptedFill = 0.98
    /// From where it stops after `normalCounts`.
    private static let lateAcceptedFill = 0.965
    /// The fill below which the search tries other sizes.
    static let minimumFill = 0.95
    /// A new size is chosen for a quality this much above the floor, so that an optimistic prediction still ends above
    /// the floor.
    private static let qualityHeadroom = 3.0
    /// A size is kept if its quality is at most this much above the floor.
    private static let qualityTolerance = 10.0
    /// Below this edge pixels matter more than quality, so both values are smaller.
    private static let smallEdge = 1600
    private static let smallQualityHeadroom = 2.25
    private static let smallQualityTolerance = 5.0
    /// An estimate this close to the target, in logarithms, is followed by a count.
    private static let estimateTolerance = 0.12

    /// - Parameter expectedBytes: a guess at the bytes of the full size at the floor; nil if there is none.
    init(_ limits: FitLimits, expectedBytes: Double?) {
        self.limits = limits
        let floor = limits.floorQuality
        guard limits.target > 0 else {
            pending = limits.trial(
                edge: limits.smallestEdge, chroma: limits.fixedChroma ?? .half, quality: Self.lowest, step: .write)
            return
        }
        let expected = expectedBytes ?? Double(limits.width * limits.height) / 8
        let full = limits.trial(edge: limits.fullEdge, chroma: limits.fixedChroma ?? .half, quality: floor)
        let flatShare = FitModel.flatShare(full, bytes: expected)
        pixelPower = FitModel.pixelPower(flatShare: flatShare)
        slope = FitModel.slope(flatShare: flatShare)
        // A guess of up to half more than the target may be wrong, so the full size is tried.
        if expected <= 1.5 * Double(limits.target) {
            let quality = FitModel.quality(from: floor, bytes: expected, to: secantTarget, slope: slope)
            pending = limits.trial(
                edge: limits.fullEdge, chroma: limits.fixedChroma ?? (limits.prefersFullChroma ? .full : .half),
                quality: clamp(quality, floor, limits.topQuality), step: .estimate)
        } else {
            let quality = min(floor + Self.qualityHeadroom, limits.topQuality)
            let bytes = FitModel.bytes(expected, from: floor, to: quality, slope: slope)
            pending = limits.trial(
                edge: edge(limits.fullEdge, bytes: bytes), chroma: limits.fixedChroma ?? .half, quality: quality,
                step: .estimate)
        }
    }

    /// The next trial; nil when the search is over.
    func next() -> FitTrial? { pending }

    /// The shortest stream, for the message if nothing fits.
    var smallest: Int { results.filter { $0.measure == .stream }.map(\.bytes).min() ?? 0 }
    var estimates: Int { results.count { $0.measure == .estimate } }
    /// Trials of the whole picture.
    var counts: Int { results.count - estimates }
    private(set) var streams = 0

    /// Whether this is the last resort, whose exact size is part of the message.
    func isLastResort(_ trial: FitTrial) -> Bool { trial.quality <= Self.lowest && trial.edge <= limits.smallestEdge }

    /// The bytes of the pending trial, estimated from a part of it.
    mutating func record(estimate: Double) {
        guard let trial = pending else { return }
        results.append(FitResult(trial: trial, bytes: Int(estimate), measure: .estimate))
        pending = following(trial) ?? toWrite
    }

    /// The bytes of the pending trial by its symbols.
    mutating func record(count: Double) {
        guard let trial = pending else { return }
        results.append(FitResult(trial: trial, bytes: Int(count), measure: .count))
        pending = (counts < Self.maximumCounts ? following(trial) : nil) ?? toWrite
    }

    /// - Parameter stream: the length of the stream of the pending trial, or a length that it is known to exceed.
    /// - Returns: whether this is the best trial so far, whose stream is to be kept.
    mutating func record(stream: Int) -> Bool {
        guard let trial = pending else { return false }
        streams += 1
        if let index = results.lastIndex(where: { $0.measure == .count && $0.trial.isLike(trial) }) {
            correction = Double(stream) / Double(max(results.remove(at: index).bytes, 1))
        }
        let result = FitResult(trial: trial, bytes: stream, measure: .stream)
        results.append(result)
        var keep = false
        if fits(result), best.map({ isBetter(result, than: $0, bestBytes) }) ?? true {
            best = trial
            bestBytes = stream
            keep = true
        }
        let isOver = limits.target <= 0 || streams >= Self.maximumStreams
        pending = isOver ? nil : (counts < Self.maximumCounts ? following(trial) : nil) ?? toWrite
        return keep
    }

    // MARK: - One step

    private mutating func following(_ last: FitTrial) -> FitTrial? {
        let size = SizeBracket(corrected.filter { $0.trial.hasSize(of: last) }, fits: fits)
        if isBestOfAllSizes(size, last) { return nil }
        let nearest = learn(from: size, last)
        let wanted = FitModel.quality(
            from: nearest.trial.quality, bytes: Double(nearest.bytes), to: secantTarget, slope: slope)
        let isFilled = isFilled(size)
        if !isFilled, let other = sizeAtSameQuality(last) { return other }
        // Bytes jump below the qualities that were tried, and no slope predicts by how much.
        let isAboveStep =
            size.fitting == nil && size.failing.map { $0.trial.quality > limits.floorQuality + 0.1 } == true
            && size.isLevel
        if rescales < Self.maximumRescales, !isAboveStep,
            let other = otherSize(last, size.results, nearest, wanted: wanted)
        {
            rescales += 1
            return other
        }
        if isFilled { return nil }
        if let fitting = size.fitting {
            if let failing = size.failing, let other = sizeBetween(fitting, failing) { return other }
            if fitting.trial.quality >= limits.topQuality { return nil }
        }
        guard let quality = nextQuality(size, last, wanted: wanted, isAboveStep: isAboveStep) else { return nil }
        let distance = abs(log(Double(max(nearest.bytes, 1)) / secantTarget))
        let isFar =
            nearest.measure == .estimate && distance > Self.estimateTolerance && estimates < Self.maximumEstimates
            && quality > Self.lowest && !size.results.contains { abs($0.trial.quality - quality) < 0.05 }
        return limits.trial(like: last, quality: quality, step: isFar ? .estimate : .count)
    }

    /// The best result of this size that fits fills the target well enough to stop.
    private func isFilled(_ size: SizeBracket) -> Bool {
        let share = counts < Self.normalCounts ? Self.acceptedFill : Self.lateAcceptedFill
        return size.fitting.map { Double($0.bytes) >= share * Double(limits.target) } ?? false
    }

    /// No trial in this size or another can be better.
    private func isBestOfAllSizes(_ size: SizeBracket, _ last: FitTrial) -> Bool {
        guard let fitting = size.fitting,
            fitting.trial.quality >= limits.floorQuality || last.edge <= limits.smallestEdge
        else { return false }
        // At the top quality a few per cent more pixels do not justify another size.
        let isTop =
            fitting.trial.quality >= limits.topQuality
            && (last.edge >= limits.fullEdge || Double(fitting.bytes) >= Self.minimumFill * Double(limits.target))
        return isTop || isFilled(size)
    }

    /// Updates the powers of quality and pixels.
    /// - Returns: the trial of this size whose bytes are closest to the target.
    private mutating func learn(from size: SizeBracket, _ last: FitTrial) -> FitResult {
        let nearest = FitModel.nearest(size.results, to: secantTarget)
        let flatShare = FitModel.flatShare(nearest.trial, bytes: Double(nearest.bytes))
        slope = FitModel.slope(of: size.results) ?? FitModel.slope(flatShare: flatShare)
        let other = corrected.last { !$0.trial.hasSize(of: last) }
        pixelPower =
            other.flatMap { FitModel.pixelPower($0, nearest, slope: slope) }
            ?? FitModel.pixelPower(flatShare: flatShare)
        return nearest
    }

    /// The next quality in this size; nil if the bracket is closed.
    private func nextQuality(_ size: SizeBracket, _ last: FitTrial, wanted: Double, isAboveStep: Bool) -> Double? {
        let (fitting, failing) = (size.fitting, size.failing)
        let isLastSize = last.edge <= limits.smallestEdge || rescales >= Self.maximumRescales
        let lowest = isLastSize ? Self.lowest : limits.floorQuality
        let low = fitting.map { $0.trial.quality + 0.1 } ?? min(lowest, limits.topQuality)
        let high = failing.map { $0.trial.quality - 0.1 } ?? limits.topQuality
        guard low <= high + 0.05 else { return nil }
        if isAboveStep || fitting == nil && counts >= Self.maximumCounts - 2 { return low }
        // If a better quality took no more bytes, the best may not either.
        if fitting != nil, failing == nil, size.isLevel { return limits.topQuality }
        // Smooth pictures take the same bytes over a range of tables and then many more: bisection finds the jump.
        if let fitting, let failing, size.isSlow { return (fitting.trial.quality + failing.trial.quality) / 2 }
        return clamp(wanted, low, high)
    }

    /// The next size, if this one cannot fill the target at an allowed quality.
    private func otherSize(
        _ last: FitTrial, _ here: [FitResult], _ nearest: FitResult, wanted: Double
    ) -> FitTrial? {
        let floor = limits.floorQuality
        let isSmall = last.edge < Self.smallEdge
        // Another size is expensive, so the second one is chosen conservatively.
        let headroom = isSmall && rescales == 0 ? Self.smallQualityHeadroom : Self.qualityHeadroom
        let tolerance = isSmall ? Self.smallQualityTolerance : Self.qualityTolerance
        let quality = min(floor + headroom, limits.topQuality)
        let bytesAtQuality = FitModel.bytes(
            Double(nearest.bytes), from: nearest.trial.quality, to: quality, slope: slope)
        let floorFails = here.contains {
            $0.measure.isWhole && $0.trial.quality <= floor + 0.05 && !fits($0)
        }
        if floorFails || wanted < floor - (nearest.measure.isWhole ? 0.5 : 1) {
            // Reduces chroma before pixels.
            if last.chroma == .full, limits.fixedChroma == nil {
                let edge = min(limits.fullEdge, edge(last.edge, bytes: FitModel.halfChroma * bytesAtQuality))
                return limits.trial(edge: edge, chroma: .half, quality: quality, step: .estimate)
            }
            guard last.edge > limits.smallestEdge else { return nil }
            let smaller = min(edge(last.edge, bytes: bytesAtQuality), last.edge * 985 / 1000)
            let smallerQuality =
                smaller > limits.smallestEdge
                ? quality
                : qualityFor(edge: limits.smallestEdge, from: nearest)
            return limits.trial(
                edge: max(smaller, limits.smallestEdge), chroma: last.chroma, quality: smallerQuality, step: .estimate)
        }
        // Enlarges after a guess that was too small, and always if a size fits at the top quality and leaves room.
        let fitsAtTop = here.last.map { $0.measure.isWhole && $0.trial.quality >= limits.topQuality } ?? false
        let isNew = here.count { $0.measure.isWhole } < 2
        let tooLarge = results.filter { $0.measure.isWhole && $0.trial.edge > last.edge }.map(\.trial.edge).min()
        let isGuess =
            isNew && tooLarge == nil && wanted > floor + tolerance && rescales < Self.normalRescales
        guard last.edge < limits.fullEdge, fitsAtTop || isGuess else { return nil }
        var larger = min(limits.fullEdge, edge(last.edge, bytes: bytesAtQuality))
        if let tooLarge {
            // Stays between two sizes that were tried, away from both.
            let (low, high) = (log(Double(last.edge)), log(Double(tooLarge)))
            larger = Int(exp(clamp(log(Double(larger)), low + 0.2 * (high - low), high - 0.2 * (high - low))))
        }
        guard Double(larger) > 1.03 * Double(last.edge) || fitsAtTop && larger > last.edge else { return nil }
        let largerQuality = clamp(qualityFor(edge: larger, from: nearest), floor, limits.topQuality)
        return limits.trial(edge: larger, chroma: last.chroma, quality: largerQuality, step: .estimate)
    }

    /// The estimate that would end the search for a size.
    var wantedEstimate: Double { secantTarget / correction }

    var secantTarget: Double { Self.secantFill * Double(limits.target) }

    private func qualityFor(edge: Int, from result: FitResult) -> Double {
        let ratio = Double(edge) / Double(result.trial.edge)
        let quality = FitModel.quality(
            from: result.trial.quality,
            bytes: Double(result.bytes) * FitModel.pixelFactor(ratio * ratio, power: pixelPower),
            to: secantTarget, slope: slope)
        return clamp(quality, Self.lowest, limits.topQuality)
    }

    /// The edge at which a picture that takes `bytes` at `edge` would fill the target.
    func edge(_ edge: Int, bytes: Double, power: Double? = nil) -> Int {
        let ratio = FitModel.pixels(for: secantTarget / max(bytes, 1), power: power ?? pixelPower).squareRoot()
        return max(limits.smallestEdge, min(limits.fullEdge, Int((Double(edge) * ratio).rounded())))
    }

    private func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { max(low, min(high, value)) }
}
