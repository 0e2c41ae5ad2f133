internal import TidyKit

/// Shows a plan and its run: the report on standard output, everything else on standard error.
struct DeletionPresentation {
    let arguments: ParsedArguments
    let context: CommandContext
    let prepared: DeleteRequest.Prepared

    // MARK: The question

    /// Nil to continue; otherwise the exit code.
    func ask() -> ExitCode? { Confirmation.refusal(arguments, context) { question } }

    private var question: String {
        let plan = prepared.plan
        let ready = plan.items.filter { $0.status == .ready }
        let files = ready.reduce(0) { $0 + $1.members.count }
        let bytes = ready.totalBytes(\.bytes)
        var text = "\(count(ready.count, "photo")) (\(count(files, "file")), \(ByteSize.describe(bytes)))"
        let dates = PlannedDates.read(ready, now: context.now, environment: context.environment)
        func shown(_ date: CaptureDate) -> WallClock { date.wall(in: .local) }
        if let oldest = dates.min(by: { shown($0) < shown($1) }), let newest = dates.max(by: { shown($0) < shown($1) })
        {
            text += ", oldest \(oldest.localDay), newest \(newest.localDay)"
        }
        text += ":\n"
        for item in ready.prefix(5) {
            text += "  \(TerminalText.escaped(item.path))\(companions(of: item).map { " with " + $0 } ?? "")\n"
            if !item.kept.isEmpty, let reason = item.reason { text += "      \(TerminalText.escaped(reason))\n" }
        }
        if ready.count > 5 { text += "  … and \(ready.count - 5) more\n" }
        if let sentence = clones(plan) { text += sentence + "\n" }
        text += favored(ready)
        let kept = plan.items.count - ready.count
        if let note = prepared.notCompared { text += note + "\n" }
        if kept > 0 { text += "\(count(kept, "photo")) in the list will not be touched (--dry-run says why).\n" }
        return text
            + (plan.mode == .erase
                ? "ERASE them for good? This cannot be undone. [y/N] " : "Move them to the trash? [y/N] ")
    }

    /// `3 of them share their blocks with what stays (clones): deleting them frees nothing.` Nil if there are none.
    private func clones(_ plan: DeletionPlan) -> String? {
        let number = plan.clones
        guard number > 0 else { return nil }
        return GroupTable.clones(number) + "."
    }

    /// Photos that are rated or in a selection, though others of their groups stay.
    private func favored(_ ready: [DeletionPlan.Item]) -> String {
        let favored = ready.filter { $0.favor != nil }
        guard !favored.isEmpty else { return "" }
        let verb = favored.count == 1 ? "is" : "are"
        var text = "\(favored.count) of these photos \(verb) rated or in a selection:\n"
        for item in favored.prefix(5) {
            text += "  \(TerminalText.escaped(item.path)): \(TerminalText.escaped(item.favor ?? ""))\n"
        }
        if favored.count > 5 { text += "  … and \(favored.count - 5) more\n" }
        return text
    }

    /// The names of a photo's companions; nil without any.
    private func companions(of item: DeletionPlan.Item) -> String? {
        let others = item.members.lazy.map(\.path).filter { $0 != item.path }.map { FilePath($0.lastComponent) }
        return CompanionNames.list(Array(others))
    }

    // MARK: The outcome

    func show(_ result: DeletionRun.Result) throws -> ExitCode {
        context.diagnostics.clearProgress()
        for note in result.notes { context.diagnostics.warning(TerminalText.escaped(note)) }
        context.explainSelections(unless: result.notes.isEmpty)
        return try show(
            result.plan, isDryRun: false, stopped: result.stopped, wasInterrupted: result.wasInterrupted)
    }

    func show(
        _ plan: DeletionPlan, isDryRun: Bool, stopped: String? = nil, wasInterrupted: Bool = false
    ) throws -> ExitCode {
        context.diagnostics.clearProgress()
        for note in prepared.notes { context.diagnostics.warning(TerminalText.escaped(note)) }
        for warning in prepared.warnings { context.diagnostics.warning(TerminalText.escaped(warning.description)) }
        if let note = prepared.notCompared { context.diagnostics.note(note) }
        // The line with the undo command comes first, so that a closed pipe on standard output cannot suppress it.
        if isDryRun {
            if let stopped { reportStop(stopped) }
        } else {
            close(plan, stopped: stopped, wasInterrupted: wasInterrupted)
        }
        if arguments.has(.report) {
            var json = JSONWriter()
            json.report(plan.report(isDryRun: isDryRun))
            json.newline()
            try context.output.write(json)
        } else if isDryRun {
            for item in plan.items { try context.output.write(line(item) + "\n") }
        }
        if isDryRun { context.diagnostics.note(summary(plan, isDryRun: true)) }
        return exitCode(plan, stopped: stopped, wasInterrupted: wasInterrupted)
    }

    private func close(_ plan: DeletionPlan, stopped: String?, wasInterrupted: Bool) {
        let failures = plan.items.filter { !$0.status.isDone }
        for item in failures.prefix(20) where !(item.reason ?? "").hasPrefix("not tried") {
            context.diagnostics.error(
                "\(TerminalText.escaped(item.path)): \(item.status.rawValue)"
                    + (item.reason.map { ": " + TerminalText.escaped($0) } ?? ""))
        }
        if let stopped { reportStop(stopped) }
        if wasInterrupted { context.diagnostics.error("interrupted") }
        if !plan.items.isEmpty { context.diagnostics.note(summary(plan, isDryRun: false)) }
        if plan.mode == .trash, plan.items.contains(where: { $0.status.isDone && $0.reason != "earlier" }) {
            context.diagnostics.note("To bring them back: phototidy undo \(plan.id)")
        }
    }

    private func reportStop(_ stopped: String) {
        context.diagnostics.error("stopped: " + TerminalText.escaped(stopped))
    }

    private func line(_ item: DeletionPlan.Item) -> String {
        var text = "\(item.status.rawValue)\t\(ByteSize.describe(item.bytes))\t\(TerminalText.escaped(item.path))"
        if let companions = companions(of: item) { text += " (with \(companions))" }
        if let reason = item.reason { text += "\t" + TerminalText.escaped(reason) }
        return text
    }

    private func summary(_ plan: DeletionPlan, isDryRun: Bool) -> String {
        // Photos that an earlier run of the same plan moved were not moved by this run.
        let taken = plan.items.filter { $0.status.isTaken && $0.reason != "earlier" }
        let files = taken.reduce(0) { $0 + $1.members.count }
        let bytes = taken.totalBytes(\.bytes)
        let whole = "\(count(taken.count, "photo")) (\(count(files, "file")), \(ByteSize.describe(bytes)))"
        let batches = taken.isEmpty ? "" : " in " + count(plan.batches, "batch", "batches")
        let freed = plan.freedBytes()
        let cloned = taken.totalBytes { $0.members.totalBytes { $0.isClone ? $0.identity.bytes : 0 } }
        let links = freed.addingClamped(cloned) == bytes ? "" : ", as hard links share their bytes"
        var text: String
        switch (isDryRun, plan.mode) {
        case (true, .trash): text = "Would move \(whole) to the trash" + batches
        case (true, .erase):
            text = "Would ERASE \(whole) for good" + batches
            if freed != bytes { text += "; \(ByteSize.describe(freed)) freed" + links }
        case (false, .trash):
            text = "Moved \(whole) to the trash; \(ByteSize.describe(freed)) pending there, 0 B freed yet" + links
        case (false, .erase): text = "Erased \(whole); \(ByteSize.describe(freed)) freed" + links
        }
        let others: [(DeletionPlan.Status, String)] = [
            (.missing, "already gone"), (.changed, "changed"), (.denied, "denied"), (.protected, "protected"),
            (.offline, "offline"), (.failed, "failed"),
        ]
        let earlier = plan.items.count { $0.reason == "earlier" }
        if earlier > 0 {
            let verb = earlier == 1 ? "was" : "were"
            text += "; \(count(earlier, "photo")) of the plan \(verb) moved by an earlier run"
        }
        let parts = others.filter { plan.count($0.0) > 0 }.map { "\(plan.count($0.0)) \($0.1)" }
        text += parts.isEmpty ? "." : "; left alone: " + parts.joined(separator: ", ") + "."
        if let sentence = clones(plan) { text += " " + sentence }
        let favored = taken.count { $0.favor != nil }
        if isDryRun, favored > 0 {
            let those = favored == 1 ? "is 1 photo that is" : "are \(favored) photos that are"
            text += " Among them \(those) rated or in a selection."
        }
        if isDryRun { text += " Nothing was touched." }
        return text
    }

    private func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) " + (number == 1 ? one : many ?? one + "s")
    }

    private func exitCode(_ plan: DeletionPlan, stopped: String?, wasInterrupted: Bool) -> ExitCode {
        if wasInterrupted { return .interrupted }
        if plan.items.isEmpty {
            context.diagnostics.note("Nothing to delete.")
            if let hint = arguments.exactSizeHint { context.diagnostics.note(hint) }
            return arguments.has(.allowEmpty) ? .done : .nothing
        }
        let left = plan.items.filter { !$0.status.isTaken }
        if left.count == plan.items.count {
            if stopped != nil || left.allSatisfy({ $0.status == .missing || $0.lacksTrash }) { return .environment }
            return .partly
        }
        // A run that could not close its journal is incomplete, even if every photo was moved.
        return left.isEmpty && prepared.warnings.isEmpty && stopped == nil ? .done : .partly
    }
}
