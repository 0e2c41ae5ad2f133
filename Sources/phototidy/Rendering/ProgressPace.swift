internal import TidyKit

/// How fast work of one kind goes, from its first report on: what came before that is not measured.
struct ProgressPace: Sendable {
    let activity: String
    private let started: ContinuousClock.Instant
    private let first: Int
    /// Before that a guess would only jump.
    private static let patience = Duration.seconds(1)

    init(_ event: Progress.Event, at now: ContinuousClock.Instant) {
        activity = event.activity
        started = now
        first = event.done
    }

    /// Nil while nobody can tell, and when nothing is left to do.
    func timeLeft(_ event: Progress.Event, at now: ContinuousClock.Instant) -> Duration? {
        let elapsed = now - started
        guard let total = event.total, event.done > first, event.done < total, elapsed >= Self.patience else {
            return nil
        }
        return elapsed * (Double(total - event.done) / Double(event.done - first))
    }

    /// `12 s`, `3 min`, `2 h 5 min`; rounded up, so that the end never comes late by the rounding.
    static func text(of duration: Duration) -> String {
        let (whole, rest) = duration.components
        let seconds = max(1, whole + (rest > 0 ? 1 : 0))
        if seconds < 60 { return "\(seconds) s" }
        let minutes = (seconds + 59) / 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
