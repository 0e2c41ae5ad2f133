internal import TidyKit

/// The only table from an error to its message on standard error and its exit code.
struct ErrorMessage: Equatable {
    /// Nil for no message: a reader that closed the pipe knows that it did.
    let text: String?
    let hint: String?
    let exitCode: ExitCode

    init(_ text: String?, hint: String? = nil, _ exitCode: ExitCode) {
        self.text = text
        self.hint = hint
        self.exitCode = exitCode
    }

    /// - Parameter command: names the help to read, such as `select add`.
    init(_ error: any Error, command: String = "") {
        self =
            switch error {
            case _ where Self.isInterruption(error): ErrorMessage("interrupted", .interrupted)
            case let error as UsageError where error.command.isEmpty:
                ErrorMessage(error.message, hint: UsageError("", command: command).hint, .usage)
            case let error as UsageError: ErrorMessage(error.message, hint: error.hint, .usage)
            case let error as CommandError: ErrorMessage(error.message, hint: error.hint, error.exitCode)
            case let error as QueryError:
                ErrorMessage(Self.text(of: error), hint: UsageError("", command: command).hint, .usage)
            case LibraryError.missing(let path):
                ErrorMessage(
                    "\(TerminalText.escaped(path)): no such file or folder",
                    hint: path == FilePath("-") ? Self.hintForStandardInput(command) : nil, .environment)
            case LibraryError.unreadable(let error): ErrorMessage(error, command: command)
            case LibraryError.interrupted: ErrorMessage("interrupted", .interrupted)
            case OutputError.closedPipe: ErrorMessage(nil, .closedPipe)
            case OutputError.failed(let error):
                ErrorMessage("cannot write to standard output: \(error.reason)", .environment)
            case let error as DeletionError: ErrorMessage(deletion: error, command: command)
            case SelectionError.library(let error): ErrorMessage(error, command: command)
            case let error as SelectionError: ErrorMessage(selection: error)
            case let error as POSIXError where error.operation == "inotify_add_watch" && error.isFull:
                Self.tooManyFolders
            case let error as POSIXError: ErrorMessage(Self.text(of: error), .environment)
            default: ErrorMessage("\(error)", .environment)
            }
    }

    /// True if a signal ended a wait for a pipe, a lock or a long hash.
    private static func isInterruption(_ error: any Error) -> Bool { systemError(in: error)?.isInterruption == true }

    /// The system call that failed, if that is the cause.
    private static func systemError(in error: any Error) -> POSIXError? {
        switch error {
        case let error as POSIXError: error
        case LibraryError.unreadable(let error), OutputError.failed(let error), SelectionError.failed(let error),
            DeletionError.failed(let error), DeletionError.journal(.failed(let error)),
            DeletionError.selection(.failed(let error)):
            error
        default: nil
        }
    }

    /// The same message, with a hint if a folder of the user belongs to somebody else.
    func explainingOwner(of error: any Error, in environment: Environment) -> ErrorMessage {
        guard hint == nil, let failure = Self.systemError(in: error), failure.isDenied, let path = failure.path,
            let foreign = ForeignOwner.above(path, in: environment)
        else { return self }
        return ErrorMessage(text, hint: foreign.hint, exitCode)
    }

    private static func hintForStandardInput(_ command: String) -> String? {
        ["list", "filter"].contains(command) ? nil : "'--from -' reads paths from standard input."
    }

    private init(deletion error: DeletionError, command: String) {
        self =
            switch error {
            case .refused, .badPlan, .journal(.busy): ErrorMessage(TerminalText.escaped(error.description), .refused)
            case .library(let error): ErrorMessage(error, command: command)
            case .selection(let error): ErrorMessage(selection: error)
            case .failed(let error): ErrorMessage(Self.text(of: error), .environment)
            case .unknownRun, .notOfRun, .kept, .journal:
                ErrorMessage(TerminalText.escaped(error.description), .environment)
            }
    }

    private init(selection error: SelectionError) {
        let code: ExitCode =
            switch error {
            case .overLimit: .refused
            case .nameTooLong: .usage
            case .missing, .notAPhoto, .damaged, .damagedPairs, .failed, .library, .incomplete: .environment
            }
        var hint: String?
        if case .incomplete = error { hint = "Name the photos, or the folders that can be read." }
        self.init(TerminalText.escaped(error.description), hint: hint, code)
    }

    /// The system reports this as "No space left on device".
    private static let tooManyFolders = ErrorMessage(
        "there are more folders than the system lets a user watch",
        hint: "Raise fs.inotify.max_user_watches, or watch fewer folders.", .environment)

    /// `~/Pictures/a.jpg: No space left on device`
    static func text(of error: POSIXError) -> String {
        guard let path = error.path else { return "system call failed: \(error.reason)" }
        return "\(TerminalText.escaped(path.bytes)): \(error.reason)"
    }

    /// Shows a `--where` expression with a caret below the position of the error.
    static func text(of error: QueryError) -> String {
        guard case .invalidExpression(let expression, let position, let reason) = error else {
            return TerminalText.escaped(error.description)
        }
        let before = TerminalText.escaped(Array(expression.utf8.prefix(position)))
        let caret = String(repeating: " ", count: TerminalText.width(of: before)) + "^"
        return "--where: \(TerminalText.escaped(reason))\n  \(TerminalText.escaped(expression))\n  \(caret)"
    }
}

extension ForeignOwner {
    /// The owner, and the command that fixes it.
    var hint: String {
        let name = TerminalText.escaped(path)
        let quoted = "'" + name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
        return "\(name) belongs to \(owner), probably because of an earlier 'sudo'. To fix this, run:\n"
            + "  sudo chown -R \(user): \(quoted)"
    }
}
