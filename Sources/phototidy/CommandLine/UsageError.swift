/// A mistake on the command line: exit code 64, and the way to the help that explains it.
struct UsageError: Error, Equatable, Sendable {
    /// What is wrong, and what would be allowed.
    let message: String
    /// `select add`; empty where the command itself is unknown.
    var command: String

    init(_ message: String, command: String = "") {
        self.message = message
        self.command = command
    }

    var hint: String {
        command.isEmpty ? "Try 'phototidy help'." : "Try 'phototidy help \(command)'."
    }
}
