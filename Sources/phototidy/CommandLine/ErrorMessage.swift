internal import TidyKit

/// The one table from an error to what the user reads on standard error and how the run ends.
struct ErrorMessage: Equatable {
    /// Nil where nothing is said: a reader that went away knows that it did.
    let text: String?
    let hint: String?
    let exitCode: ExitCode

    init(_ text: String?, hint: String? = nil, _ exitCode: ExitCode) {
        self.text = text
        self.hint = hint
        self.exitCode = exitCode
    }

    init(_ error: any Error) {
        self =
            switch error {
            case let error as UsageError: ErrorMessage(error.message, hint: error.hint, .usage)
            case let error as CommandError: ErrorMessage(error.message, hint: error.hint, error.exitCode)
            case OutputError.closedPipe: ErrorMessage(nil, .closedPipe)
            case OutputError.failed(let error):
                ErrorMessage("standard output could not be written: \(error.reason)", .environment)
            case let error as POSIXError: ErrorMessage(Self.text(of: error), .environment)
            default: ErrorMessage("\(error)", .environment)
            }
    }

    /// `~/Pictures/a.jpg: No space left on device`
    static func text(of error: POSIXError) -> String {
        guard let path = error.path else { return "\(error.operation): \(error.reason)" }
        return "\(TerminalText.escaped(path.bytes)): \(error.reason)"
    }
}
