/// `phototidy undo`.
enum UndoCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        throw CommandError(.environment, "'\(arguments.commandLine)' is not there yet")
    }
}
