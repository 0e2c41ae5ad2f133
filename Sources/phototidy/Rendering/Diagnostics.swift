internal import Glibc
internal import Synchronization
internal import TidyKit

/// Standard error: errors, warnings, notes, and the progress line, which is cleared before them.
final class Diagnostics: Sendable {
    let isTerminal: Bool
    /// `--quiet`: suppresses notes and progress.
    private let isQuiet: Bool
    private let usesColor: Bool
    private let line: Mutex<ProgressLine>
    /// Nil if the user wants no progress.
    private let notice: Mutex<LongRunNotice?>

    init(progress mode: ProgressMode, isQuiet: Bool = false) {
        self.isQuiet = isQuiet
        isTerminal = isatty(STDERR_FILENO) == 1
        usesColor = isTerminal && Terminal.allowsColor
        notice = Mutex(isQuiet || mode == .never ? nil : LongRunNotice())
        line = Mutex(ProgressLine(mode: isQuiet ? .never : mode, isTerminal: isTerminal))
    }

    /// The progress of long operations.
    var progress: Progress {
        Progress { [self] event in
            if let text = notice.withLock({ $0?.text(for: event, at: .now) }) { note(text) }
            line.withLock { line in
                Self.write(line.update(event, at: .now, columns: Terminal.columns(of: STDERR_FILENO)))
            }
        }
    }

    func error(_ text: String, hint: String? = nil) {
        writeLine(colored("31", "\(Program.name): ") + text + (hint.map { "\n\($0)" } ?? ""))
    }

    func warning(_ text: String) { writeLine(colored("33", "\(Program.name): warning: ") + text) }

    /// What is missing from a result, a line each.
    func report(_ warnings: [LibraryWarning]) {
        for warning in warnings {
            self.warning("\(TerminalText.escaped(warning.path)): \(TerminalText.escaped(warning.reason))")
        }
    }

    /// A message without a prefix. `text` may have several lines.
    func note(_ text: String) {
        if !isQuiet { writeLine(text) }
    }

    func clearProgress() { line.withLock { Self.write($0.clear()) } }

    private func writeLine(_ text: String) {
        line.withLock { Self.write($0.clear() + Array(text.utf8) + [UInt8(ascii: "\n")]) }
    }

    private func colored(_ code: String, _ text: String) -> String {
        usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    // A failure of standard error cannot be reported.
    private static func write(_ bytes: [UInt8]) {
        if !bytes.isEmpty { _ = StandardStreams.write(bytes, to: STDERR_FILENO) }
    }
}
