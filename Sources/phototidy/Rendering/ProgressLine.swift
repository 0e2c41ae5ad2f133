internal import TidyKit

/// `--progress`.
enum ProgressMode: String, Sendable {
    case auto, always, never
}

/// One line that is rewritten on a terminal; with `--progress always` in a pipe, one line per batch.
struct ProgressLine: Sendable {
    private enum Style { case none, line, log }

    private let style: Style
    private var isShown = false
    private var started: ContinuousClock.Instant?
    private var lastUpdate: ContinuousClock.Instant?
    private var lastLogged: (activity: String, step: Int)?
    private var pace: ProgressPace?

    init(mode: ProgressMode, isTerminal: Bool) {
        style =
            switch mode {
            case .never: .none
            case .auto: isTerminal ? .line : .none
            case .always: isTerminal ? .line : .log
            }
    }

    /// The bytes to write for an event. Mostly empty, because ten updates per second are enough.
    mutating func update(_ event: Progress.Event, at now: ContinuousClock.Instant, columns: Int) -> [UInt8] {
        if style == .none { return [] }
        if pace?.activity != event.activity { pace = ProgressPace(event, at: now) }
        let left = pace?.timeLeft(event, at: now)
        switch style {
        case .none: return []
        case .line:
            // Short operations show nothing, so that no line flickers.
            let started = started ?? now
            self.started = started
            if now - started < .milliseconds(300) { return [] }
            if let lastUpdate, isShown, event.done != event.total, now - lastUpdate < .milliseconds(100) { return [] }
            lastUpdate = now
            isShown = true
            let text = TerminalText.truncated(Self.text(of: event, left: left), columns: columns - 1)
            return Array(("\r" + text + "\u{1B}[K").utf8)
        case .log:
            let step = event.batch ?? event.done / 1000
            let isNew = lastLogged.map { $0 != (event.activity, step) } ?? true
            guard isNew else { return [] }
            lastLogged = (event.activity, step)
            return Array((Self.text(of: event, left: left) + "\n").utf8)
        }
    }

    /// The bytes that clear the line.
    mutating func clear() -> [UInt8] {
        guard isShown else { return [] }
        isShown = false
        return Array("\r\u{1B}[K".utf8)
    }

    /// `trashing 40 of 120, batch 2 of 6, 45.2 MB of 120 MB, 12 s left`
    static func text(of event: Progress.Event, left: Duration? = nil) -> String {
        var text = event.activity + " \(event.done)" + (event.total.map { " of \($0)" } ?? "")
        if let batch = event.batch { text += ", batch \(batch)" + (event.batches.map { " of \($0)" } ?? "") }
        if event.bytes > 0 {
            text += ", " + ByteSize.describe(event.bytes)
            if let total = event.totalBytes { text += " of " + ByteSize.describe(total) }
        }
        if let left { text += ", " + ProgressPace.text(of: left) + " left" }
        return text
    }
}

/// The speed of an activity, measured from its first report on.
struct ProgressPace: Sendable {
    let activity: String
    private let started: ContinuousClock.Instant
    private let first: Int
    /// An estimate before this would jump.
    private static let patience = Duration.seconds(1)

    init(_ event: Progress.Event, at now: ContinuousClock.Instant) {
        activity = event.activity
        started = now
        first = event.done
    }

    /// Nil if there is no estimate yet, and if nothing is left to do.
    func timeLeft(_ event: Progress.Event, at now: ContinuousClock.Instant) -> Duration? {
        let elapsed = now - started
        guard let total = event.total, event.done > first, event.done < total, elapsed >= Self.patience else {
            return nil
        }
        return elapsed * (Double(total - event.done) / Double(event.done - first))
    }

    /// `12 s`, `3 min`, `2 h 5 min`; rounded up, so that the work does not end later than announced.
    static func text(of duration: Duration) -> String {
        let (whole, rest) = duration.components
        let seconds = max(1, whole + (rest > 0 ? 1 : 0))
        if seconds < 60 { return "\(seconds) s" }
        let minutes = (seconds + 59) / 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
