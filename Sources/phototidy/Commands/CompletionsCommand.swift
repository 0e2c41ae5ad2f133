internal import TidyKit

/// `phototidy completions SHELL`.
enum CompletionsCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        // The parser accepts only the names of shells that are known.
        guard let shell = arguments.operands.first.flatMap({ CompletionShell(rawValue: $0.displayText) }) else {
            throw arguments.usageError("'completions' needs SHELL")
        }
        try context.output.write(shell.script)
        return .done
    }
}
