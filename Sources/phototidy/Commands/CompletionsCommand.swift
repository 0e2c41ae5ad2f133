/// `phototidy completions SHELL`.
enum CompletionsCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode { .done }
}
