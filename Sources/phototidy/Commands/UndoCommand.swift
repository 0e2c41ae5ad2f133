internal import TidyKit

/// `phototidy undo`.
enum UndoCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        let undo = Undo(context.environment)
        if arguments.has(.listRuns) { return try list(undo, arguments, context) }
        var id: RunID?
        if let operand = arguments.operands.first {
            id = RunID(operand.bytes)
            guard id != nil else {
                throw CommandError(
                    .environment, "there is no run '\(TerminalText.escaped(operand))'",
                    hint: "'phototidy undo --list' shows them.")
            }
        }
        let options = Undo.Options(
            renames: arguments.has(.rename), directory: try arguments.path(.restoreFolder)?.absolute(),
            isDryRun: arguments.has(.dryRun))
        guard let result = try undo.execute(id, options, progress: context.progress) else {
            context.diagnostics.clearProgress()
            context.diagnostics.error(
                id.map { "there is nothing left to undo of run \($0)" } ?? "there is nothing left to undo")
            return .nothing
        }
        return try show(result, arguments, context)
    }

    private static func show(
        _ result: UndoResult, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws -> ExitCode {
        context.diagnostics.clearProgress()
        for note in result.notes { context.diagnostics.warning(TerminalText.escaped(note)) }
        let left = result.items.filter { $0.status != .restored && $0.status != .ready }
        for item in left {
            context.diagnostics.error(
                "\(TerminalText.escaped(item.path)): \(item.status.rawValue)"
                    + (item.reason.map { ": " + TerminalText.escaped($0) } ?? ""))
        }
        for item in result.items where item.isRenamed && (item.status == .restored || item.status == .ready) {
            context.diagnostics.note(
                "\(TerminalText.escaped(item.path)): another file has its name; "
                    + (result.isDryRun ? "would come back as " : "it is back as ")
                    + item.files.map { TerminalText.escaped($0) }.joined(separator: ", "))
        }
        if arguments.has(.report) {
            var json = JSONWriter()
            json.report(result.report)
            json.newline()
            try context.output.write(json)
        } else if result.isDryRun {
            for item in result.items where item.status == .ready {
                for file in item.files { try context.output.write(TerminalText.escaped(file) + "\n") }
            }
        }
        if result.isOnlyCleared {
            context.diagnostics.note(
                "Run \(result.id) was cut off, and nothing of it is left to bring back"
                    + (result.isDryRun ? "." : "; what it left behind is cleared away.")
                    + (result.next.map { " The one before it was not undone: 'phototidy undo \($0)' does that." } ?? "")
            )
            return .nothing
        }
        context.diagnostics.note(
            "\(result.isDryRun ? "Would bring back" : "Brought back") \(result.photos) "
                + "photo\(result.photos == 1 ? "" : "s") (\(result.files) file\(result.files == 1 ? "" : "s"), "
                + "\(ByteSize.describe(result.bytes))) of run \(result.id)"
                + (left.isEmpty ? "." : "; \(left.count) stay\(left.count == 1 ? "s" : "") in the trash."))
        if result.wasInterrupted { return .interrupted }
        return result.isComplete ? .done : .partly
    }

    private static func canBeUndone(_ run: RunReport) -> Bool { !["undone", "erased"].contains(run.state) }

    private static func words(for state: String) -> String {
        switch state {
        case "done": "can be undone"
        case "partly undone": "partly undone, the rest can be"
        case "interrupted": "interrupted, can be undone"
        case "undone": "undone already"
        case "erased": "erased for good"
        default: state
        }
    }

    private static func list(
        _ undo: Undo, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws -> ExitCode {
        let known = try undo.runs().map(\.report).filter { $0.files > 0 }
        // What can be brought back is what people look for; the order is by time within each part.
        let runs = known.filter(Self.canBeUndone) + known.filter { !Self.canBeUndone($0) }
        if arguments.has(.report) {
            var json = JSONWriter()
            json.report(runs)
            json.newline()
            try context.output.write(json)
            return .done
        }
        guard !runs.isEmpty else {
            context.diagnostics.note("No run is known.")
            return .done
        }
        var table = Table(columns: [
            Table.Column(title: "day (UTC)"), Table.Column(title: "id"), Table.Column(title: "action"),
            Table.Column(title: "photos", isRightAligned: true), Table.Column(title: "size", isRightAligned: true),
            Table.Column(title: "state"), Table.Column(title: "folder", minimum: 10, keepsEnd: true),
        ])
        for run in runs {
            table.append([
                String(run.time.text.prefix(10)), run.id, run.action, "\(run.photos)",
                ByteSize.describe(run.bytes), Self.words(for: run.state), TerminalText.escaped(run.root),
            ])
        }
        let columns = context.output.isTerminal ? Terminal.columns(of: 1) : nil
        try context.output.write(table.text(columns: columns, bold: context.output.isTerminal && Terminal.allowsColor))
        return .done
    }
}
