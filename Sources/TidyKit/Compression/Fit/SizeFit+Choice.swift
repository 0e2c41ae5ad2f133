/// Which of the trials so far becomes a stream, and which stream the file.
extension SizeFit {
    /// What fits by less than this by its count is not written: a stream is off by 0.001 in one of three cases.
    private static let doubt = 0.0012

    /// By what a stream takes, or may take by its count or sample, which are to be `corrected`.
    func fits(_ result: FitResult) -> Bool {
        result.measure == .stream
            ? result.bytes <= limits.target : Double(result.bytes) <= (1 - Self.doubt) * Double(limits.target)
    }

    /// All results, as far as streams have shown what to make of them.
    var corrected: [FitResult] {
        results.map { result in
            guard result.measure != .stream else { return result }
            return FitResult(
                trial: result.trial, bytes: Int(Double(result.bytes) * correction), measure: result.measure)
        }
    }

    /// The best of the trials that fit by their counts, where it is better than all that were written; where none fits, the
    /// smallest, once, to tell how large it is.
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

    /// Whether `result` is the one to have rather than `best`, which takes `bestBytes`; both fit.
    func isBetter(_ result: FitResult, than best: FitTrial, _ bestBytes: Int) -> Bool {
        let (trial, bytes) = (result.trial, result.bytes)
        let floor = limits.floorQuality
        if (best.quality >= floor) != (trial.quality >= floor) { return trial.quality >= floor }
        if trial.hasSize(of: best) { return trial.quality > best.quality }
        // Another size: of two that fill the target more pixels win, else the fuller.
        let isFull = Double(min(bytes, bestBytes)) >= Self.filled * Double(limits.target)
        return isFull ? trial.width * trial.height >= best.width * best.height : bytes > bestBytes
    }
}
