internal import TidyKit

/// `phototidy completions SHELL`.
enum CompletionsCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        let script =
            switch arguments.operands.first?.displayText {
            case "zsh": ZshCompletion.script()
            case "fish": FishCompletion.script()
            default: BashCompletion.script()
            }
        try context.output.write(script)
        return .done
    }
}
