/// How a run ends, for scripts (Docs/Reference.md, exit codes).
enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    /// Nothing matched, or there was nothing to do.
    case nothing = 1
    /// Some items failed or were skipped, or part of the library was unreadable.
    case partly = 3
    /// Refused by a safety rule; nothing was changed.
    case refused = 4
    /// A path is missing, there is no trash, the disk is full.
    case environment = 5
    /// `EX_USAGE` of sysexits.h.
    case usage = 64
    /// 128 + SIGINT, as shells count.
    case interrupted = 130
    /// 128 + SIGPIPE.
    case closedPipe = 141

    /// For `phototidy help` and the manual page.
    var meaning: String {
        switch self {
        case .done: "done"
        case .nothing: "nothing matched or nothing to do (--allow-empty changes this to 0)"
        case .partly: "partly done: some items failed or were skipped"
        case .refused: "refused by a safety rule; nothing was changed"
        case .environment: "a problem in the environment: a path is missing, no trash, disk full"
        case .usage: "a mistake on the command line"
        case .interrupted: "interrupted"
        case .closedPipe: "the output pipe was closed"
        }
    }
}

/// An error that ends a command: what happened, to which file, and what to do.
struct CommandError: Error, Equatable, Sendable {
    let message: String
    let hint: String?
    let exitCode: ExitCode

    init(_ exitCode: ExitCode, _ message: String, hint: String? = nil) {
        self.exitCode = exitCode
        self.message = message
        self.hint = hint
    }
}

/// A mistake on the command line: exit code 64, and a hint to the help that explains it.
struct UsageError: Error, Equatable, Sendable {
    /// What is wrong, and what would be accepted.
    let message: String
    /// `select add`; empty if the command itself is unknown.
    var command: String

    init(_ message: String, command: String = "") {
        self.message = message
        self.command = command
    }

    var hint: String {
        command.isEmpty ? "Try 'phototidy help'." : "Try 'phototidy help \(command)'."
    }
}
