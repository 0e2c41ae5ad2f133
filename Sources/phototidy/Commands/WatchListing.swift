internal import TidyKit

/// `list --watch`: writes a photo record per line for each photo that appears, changes or disappears, until Ctrl-C.
struct WatchListing {
    let arguments: ParsedArguments
    let context: CommandContext

    func run(_ query: LibraryQuery) throws -> ExitCode {
        let others = OptionSpec.outputs.filter { $0.name != OptionSpec.ndjson.name } + [.explain, .sort, .limit]
        if let other = others.first(where: arguments.has) {
            throw arguments.usageError("--watch writes NDJSON as changes come; it cannot go with \(other.long)")
        }
        var watch = try LibraryWatch.start(query, environment: context.environment)
        context.diagnostics.note("Watching; Ctrl-C ends.")
        var known: Set<LibraryWarning> = []
        var json = JSONWriter()
        while true {
            for warning in watch.warnings where known.insert(warning).inserted {
                context.diagnostics.warning(
                    "\(TerminalText.escaped(warning.path)): \(TerminalText.escaped(warning.reason))")
            }
            for change in try watch.changes(timeout: 60_000) {
                json.record(change.photo, change: change.kind.rawValue)
                json.newline()
            }
            try context.output.write(json)
            try context.output.flush()
            json.removeAll()
        }
    }
}
