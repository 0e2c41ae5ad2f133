internal import Glibc
internal import TidyKit

/// `phototidy help`, and `--help` of every command.
enum HelpCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        try explain(arguments.operands.map(\.bytes), context)
    }

    /// - Parameter words: empty, a command, or a command and its verb.
    static func explain(_ words: [[UInt8]], _ context: CommandContext) throws -> ExitCode {
        guard let name = words.first else { return try overview(context) }
        guard let spec = CommandSpec.named(text(name)) else { throw unknownCommand(name, before: []) }
        guard let verb = words.dropFirst().first else { return try explain(spec, verbIn: [], context) }
        guard spec.subcommand(text(verb)) != nil else {
            let verbs = spec.subcommands.map(\.commandName)
            let near = Suggestion.nearest(to: text(verb), in: verbs).map { "; did you mean '\($0)'?" }
            let known = verbs.isEmpty ? "; it has none" : "; it must be \(OptionValue.alternatives(verbs))"
            throw UsageError(
                "'\(spec.commandName)' has no verb '\(TerminalText.escaped(verb))'" + (near ?? known),
                command: spec.commandName)
        }
        return try explain(spec, verbIn: [verb], context)
    }

    static func overview(_ context: CommandContext) throws -> ExitCode {
        try context.output.write(HelpText.overview(columns: columns))
        return .done
    }

    /// The help of a command, or of its verb if `words` contains one.
    static func explain(
        _ spec: CommandSpec, verbIn words: some Sequence<[UInt8]>, _ context: CommandContext
    ) throws -> ExitCode {
        let verb = words.lazy.compactMap { spec.subcommand(text($0)) }.first
        try context.output.write(HelpText.text(of: verb ?? spec, columns: columns))
        return .done
    }

    /// - Parameter rest: the arguments after `word`.
    static func unknownCommand(_ word: [UInt8], before rest: some Sequence<[UInt8]>) -> UsageError {
        let shown = TerminalText.escaped(word)
        guard word.first != UInt8(ascii: "-") else {
            if shown.lowercased() == "-v" { return UsageError("unknown option '\(shown)'; did you mean '--version'?") }
            let command = rest.lazy.compactMap { CommandSpec.named(text($0)) }.first?.commandName
            let hint = command.map { "; options go after the command: \(Program.name) \($0) \(shown)" }
            return UsageError("unknown option '\(shown)'" + (hint ?? ""), command: command ?? "")
        }
        if shown.lowercased() == "version" {
            return UsageError("unknown command '\(shown)'; did you mean '--version'?")
        }
        let names = CommandSpec.displayed.map(\.commandName)
        let near = CommandSpec.meant(by: text(word)).map { "did you mean '\($0)'?" }
        return UsageError("unknown command '\(shown)'; " + (near ?? "it must be \(OptionValue.alternatives(names))"))
    }

    private static func text(_ word: [UInt8]) -> String { String(decoding: word, as: UTF8.self) }

    private static var columns: Int { Terminal.columns(of: STDOUT_FILENO) }
}
