internal import Glibc
internal import TidyKit

/// `phototidy help`, and `--help` of every command.
enum HelpCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        guard let name = arguments.operands.first else { return try overview(context) }
        guard let spec = CommandSpec.named(name.displayText) else { throw unknownCommand(name.bytes) }
        return try explain(spec, arguments.operands.dropFirst().map(\.bytes), context)
    }

    static func overview(_ context: CommandContext) throws -> ExitCode {
        try context.output.write(HelpText.overview(columns: columns))
        return .done
    }

    /// The help of a command, or of its verb where one stands among `words`.
    static func explain(
        _ spec: CommandSpec, _ words: some Sequence<[UInt8]>, _ context: CommandContext
    ) throws -> ExitCode {
        let verb = words.lazy.compactMap { spec.subcommand(String(decoding: $0, as: UTF8.self)) }.first
        try context.output.write(HelpText.text(of: verb ?? spec, parent: verb == nil ? nil : spec, columns: columns))
        return .done
    }

    static func unknownCommand(_ word: [UInt8]) -> UsageError {
        let names = CommandSpec.displayed.map(\.commandName)
        let text = String(decoding: word, as: UTF8.self)
        let near = Suggestion.nearest(to: text, in: names).map { "; did you mean '\($0)'?" }
        let kind = word.first == UInt8(ascii: "-") ? "option" : "command"
        return UsageError("unknown \(kind) '\(TerminalText.escaped(word))'" + (near ?? ""))
    }

    private static var columns: Int { Terminal.columns(of: STDOUT_FILENO) }
}
