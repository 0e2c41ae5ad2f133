internal import TidyKit

/// `phototidy undo`.
enum UndoCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        let undo = Undo(context.environment)
        if arguments.has(.listRuns) { return try UndoListing(arguments: arguments, context: context).show(undo) }
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
            renames: arguments.has(.rename), folder: try arguments.path(.restoreFolder)?.absolute(),
            isDryRun: arguments.has(.dryRun), paths: Array(arguments.operands.dropFirst()))
        var refusal: ExitCode?
        let result = try undo.execute(id, options, progress: context.progress) { plan in
            refusal = Confirmation.refusal(arguments, context) { question(plan) }
            return refusal == nil
        }
        if let refusal { return refusal }
        guard let result else { return try nothing(id, undo, context) }
        return try show(result, arguments, context)
    }

    private static func nothing(_ id: RunID?, _ undo: Undo, _ context: CommandContext) throws -> ExitCode {
        context.diagnostics.clearProgress()
        let text = id.map { "there is nothing left to undo of run \($0)" } ?? "there is nothing left to undo"
        var hint: String?
        if id == nil, let run = try undo.foreignRuns().first {
            hint =
                "A trash holds files of run \(run.id), which is not in your journal; 'phototidy undo \(run.id)' asks "
                + "before it brings them back."
        }
        context.diagnostics.error(text, hint: hint)
        return .nothing
    }

    /// Anybody may have written what only a disk records, so the user sees where each file would go.
    private static func question(_ plan: UndoResult) -> String {
        let files = plan.items.filter { $0.status == .ready }.flatMap(\.files)
        var text =
            "Run \(plan.id) is not in your journal; only the disk that holds its files knows it. They would go to:\n"
        for file in files.prefix(20) { text += "  \(TerminalText.escaped(file))\n" }
        if files.count > 20 { text += "  … and \(files.count - 20) more ('phototidy undo \(plan.id) -n' shows all)\n" }
        return text + "Bring \(files.count == 1 ? "it" : "them") back? [y/N] "
    }

    private static func show(
        _ result: UndoResult, _ arguments: ParsedArguments, _ context: CommandContext
    ) throws -> ExitCode {
        context.diagnostics.clearProgress()
        for note in result.notes { context.diagnostics.warning(TerminalText.escaped(note)) }
        context.explainSelections(unless: result.notes.isEmpty)
        let left = result.items.filter { $0.status != .restored && $0.status != .ready }
        for item in left.prefix(50) {
            context.diagnostics.error(
                "\(TerminalText.escaped(item.path)): \(item.status.rawValue)"
                    + (item.reason.map { ": " + TerminalText.escaped($0) } ?? ""))
        }
        if left.count > 50 { context.diagnostics.error("… and \(left.count - 50) more (--json names all)") }
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
        return conclude(result, left: left, context)
    }

    private static func conclude(
        _ result: UndoResult, left: [UndoResult.Item], _ context: CommandContext
    ) -> ExitCode {
        let next =
            result.next.map {
                " The run before it was not undone: 'phototidy undo \($0)' does that ('phototidy undo --list' shows all)."
            } ?? ""
        if result.wasInterrupted, result.items.isEmpty { return .interrupted }
        if result.isOnlyCleared {
            context.diagnostics.note(
                "Run \(result.id) was cut off, and nothing of it is left to bring back"
                    + (result.isDryRun ? "." : "; what it left behind is cleared away.") + next)
            return .nothing
        }
        if result.isOnlyFinished {
            context.diagnostics.note(
                "All of run \(result.id) was back already"
                    + (result.isDryRun ? "." : "; what an interrupted undo had left to do is done.") + next)
            return result.isComplete ? .done : .partly
        }
        if result.isGone {
            context.diagnostics.note(
                "Everything that was left of run \(result.id) has left the trash; nothing can be brought back." + next)
            return .nothing
        }
        let gone = left.count { $0.status == .gone }
        let staying = left.count - gone
        var parts: [String] = []
        if staying > 0 { parts.append("\(staying) stay\(staying == 1 ? "s" : "") in the trash") }
        if gone > 0 { parts.append("\(gone) \(gone == 1 ? "has" : "have") left the trash") }
        context.diagnostics.note(
            "\(result.isDryRun ? "Would bring back" : "Brought back") \(result.photos) "
                + "photo\(result.photos == 1 ? "" : "s") (\(result.files) file\(result.files == 1 ? "" : "s"), "
                + "\(ByteSize.describe(result.bytes))) of run \(result.id)"
                + (parts.isEmpty ? "." : "; " + parts.joined(separator: ", ") + ".") + next)
        if result.wasInterrupted { return .interrupted }
        return result.isComplete ? .done : .partly
    }
}
