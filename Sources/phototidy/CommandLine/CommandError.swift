/// A command that ends early, in words for the user: what happened, to which file, and what to do.
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
