internal import TidyKit

/// From the command line to an exit code.
enum Program {
    static let name = "phototidy"
    static let version = "0.1.0"

    typealias Run = @Sendable (ParsedArguments, CommandContext) throws -> ExitCode

    /// Each command with the function that runs it.
    static let commands: [(spec: CommandSpec, run: Run)] = [
        (.list, ListCommand.run),
        (.filter, FilterCommand.run),
        (.select, SelectCommand.run),
        (.delete, DeleteCommand.run),
        (.undo, UndoCommand.run),
        (.compress, CompressCommand.run),
        (.index, IndexCommand.run),
        (.help, HelpCommand.run),
        (.completions, CompletionsCommand.run),
        (.complete, CompleteCommand.run),
        (.manual, ManualCommand.run),
    ]

    /// - Parameter arguments: those after the program's name; nil if they are not available.
    static func run(_ arguments: [[UInt8]]?) -> ExitCode {
        let plain = CommandContext(progress: .never)
        do {
            guard let arguments else {
                throw CommandError(
                    .environment, "the system does not tell this program its arguments; nothing was done")
            }
            return try finish(plain, dispatch(arguments, plain))
        } catch {
            return report(error, plain)
        }
    }

    private static func dispatch(_ arguments: [[UInt8]], _ plain: CommandContext) throws -> ExitCode {
        guard let first = arguments.first else { return try HelpCommand.overview(plain) }
        let rest = arguments.dropFirst()
        if requests(.version, first) { return try showVersion(plain) }
        if requests(.help, first) {
            return try HelpCommand.explain(rest.filter { $0.first != UInt8(ascii: "-") }, plain)
        }
        let name = String(decoding: first, as: UTF8.self)
        guard let (spec, run) = commands.first(where: { $0.spec.commandName == name }) else {
            throw HelpCommand.unknownCommand(first, before: rest)
        }
        let options = rest.prefix { $0 != Array("--".utf8) }
        if options.contains(where: { requests(.help, $0) }) {
            return try HelpCommand.explain(spec, verbIn: options, plain)
        }
        if options.contains(Array("--version".utf8)) { return try showVersion(plain) }
        try OptionLikeFile.refuse(options, command: spec.commandName)
        let parsed = try ArgumentParser.parse(rest, for: spec)
        let mode = parsed.text(.progress).flatMap(ProgressMode.init) ?? .never
        let context = CommandContext(progress: mode, isQuiet: parsed.has(.quiet))
        for hint in parsed.sizeHints { context.diagnostics.warning(hint) }
        do {
            return try finish(context, run(parsed, context))
        } catch {
            return report(error, context, command: parsed.commandLine)
        }
    }

    private static func requests(_ option: OptionSpec, _ argument: [UInt8]) -> Bool {
        argument.elementsEqual(option.long.utf8) || option.short.map { argument.elementsEqual("-\($0)".utf8) } ?? false
    }

    private static func showVersion(_ context: CommandContext) throws -> ExitCode {
        try context.output.write("\(name) \(version)\n")
        return .done
    }

    private static func finish(_ context: CommandContext, _ code: ExitCode) throws -> ExitCode {
        context.diagnostics.clearProgress()
        try context.output.finish()
        return code
    }

    /// Reports an error after the results that were already written.
    private static func report(_ error: any Error, _ context: CommandContext, command: String = "") -> ExitCode {
        let message = ErrorMessage(error, command: command).explainingOwner(of: error, in: context.environment)
        if message.exitCode != .closedPipe { try? context.output.finish() }
        if let text = message.text { context.diagnostics.error(text, hint: message.hint) }
        return message.exitCode
    }
}
