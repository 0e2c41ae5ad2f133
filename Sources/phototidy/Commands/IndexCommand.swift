internal import TidyKit

/// `phototidy index`: shows where the cache is, or removes it.
enum IndexCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        let folder = context.environment.cache
        if arguments.has(.indexClear) {
            let bytes = try IndexInfo.clear(in: folder)
            context.diagnostics.note(
                bytes > 0 ? "Removed the index, \(ByteSize.describe(bytes))." : "There is no index to remove.")
            return .done
        }
        let info = IndexInfo.read(in: folder)
        if info.problem != nil, let foreign = ForeignOwner.above(info.path, in: context.environment) {
            context.diagnostics.warning(foreign.hint)
        }
        let path = context.output.isTerminal ? Array(TerminalText.escaped(info.path).utf8) : info.path.bytes
        try context.output.write(Array("path: ".utf8) + path + Array("\n".utf8))
        try context.output.write(
            """
            size: \(ByteSize.describe(info.bytes))
            files: \(info.files.map { "\($0)" } ?? "unknown (\(TerminalText.escaped(info.problem?.description ?? "")))")
            signatures: \(info.signatures.map { "\($0)" } ?? "unknown")

            """)
        return .done
    }
}
