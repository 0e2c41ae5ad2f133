internal import TidyKit

/// Says once how long the first comparison of a library will take, and that it need not be done twice. Without it,
/// users of a pipe see nothing for minutes, and others stop a run that would never take that long again.
struct LongRunNotice: Sendable {
    private var pace: ProgressPace?
    private var isGiven = false

    /// Shorter runs need no notice.
    private static let threshold = Duration.seconds(10)

    /// The notice, once, when enough of the work is done to tell how long the rest takes.
    /// - Parameter now: of a clock that never goes back.
    mutating func text(for event: Progress.Event, at now: ContinuousClock.Instant) -> String? {
        guard !isGiven, let isKept = event.isKept, let total = event.total else { return nil }
        if pace?.activity != event.activity { pace = ProgressPace(event, at: now) }
        guard let left = pace?.timeLeft(event, at: now), left > Self.threshold else { return nil }
        isGiven = true
        let duration = Self.roughText(left)
        let photos = Self.grouped(total)
        let next =
            isKept
            ? "The next run takes seconds; Ctrl-C keeps what is done." : "Without the index, every run takes that long."
        return "Comparing pictures takes about \(duration) for \(photos) photos. \(next)"
    }

    /// `40 seconds`, `4 minutes`, `1 hour 20 minutes`; rounded up.
    static func roughText(_ duration: Duration) -> String {
        let seconds = max(1, duration.components.seconds)
        if seconds <= 50 { return "\((seconds + 9) / 10 * 10) seconds" }
        let minutes = (seconds + 59) / 60
        if minutes < 60 { return "\(minutes) minute\(minutes == 1 ? "" : "s")" }
        let (hours, rest) = ((minutes + 9) / 10 * 10).quotientAndRemainder(dividingBy: 60)
        return "\(hours) hour\(hours == 1 ? "" : "s")" + (rest == 0 ? "" : " \(rest) minutes")
    }

    /// `12,000`
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digits[index])
        }
    }
}
