internal import TidyKit

/// `phototidy undo --list`: the runs, starting with those that can be undone.
struct UndoListing {
    let arguments: ParsedArguments
    let context: CommandContext

    func show(_ undo: Undo) throws -> ExitCode {
        let known = try undo.runs().map { (history: $0, report: $0.report) }.filter { $0.report.files > 0 }
        // Runs that can be undone come first, because users look for them. In each part, the last run comes first.
        let runs = known.filter(\.report.canBeUndone) + known.filter { !$0.report.canBeUndone }
        if arguments.has(.report) {
            var json = JSONWriter()
            json.report(runs.map(\.report))
            json.newline()
            try context.output.write(json)
            return .done
        }
        guard !runs.isEmpty else {
            context.diagnostics.note("No run is known.")
            return .done
        }
        var table = Table(columns: [
            Table.Column(title: "time"), Table.Column(title: "id"), Table.Column(title: "action"),
            Table.Column(title: "photos", isRightAligned: true), Table.Column(title: "size", isRightAligned: true),
            Table.Column(title: "state"), Table.Column(title: "folder", minimum: 10, keepsEnd: true),
        ])
        table.breaksRows = true
        for (_, run) in runs {
            table.append([
                time(run.localTime), run.id, TerminalText.escaped(run.action), "\(run.photos)",
                ByteSize.describe(run.bytes), Self.words(for: run), TerminalText.escaped(run.root),
            ])
        }
        let columns = context.output.isTerminal ? Terminal.columns(of: 1) : nil
        try context.output.write(table.text(columns: columns, bold: context.output.isTerminal && Terminal.allowsColor))
        try context.output.flush()
        for (history, _) in runs {
            for trash in undo.hiddenTrashes(of: history) {
                context.diagnostics.note(
                    "The files of run \(history.id) are in \(TerminalText.escaped(trash)). Other programs may not show "
                        + "that trash: it is not in the top folder of a mounted disk.")
            }
        }
        return .done
    }

    /// `2024-05-01 12:00` in local time.
    private func time(_ clock: WallClock) -> String {
        let text = clock.text
        return String(text.prefix(10)) + " " + text.dropFirst(11).prefix(5)
    }

    private static func words(for run: RunReport) -> String {
        switch run.state {
        case "done": "can be undone"
        case "partly undone": "partly undone, the rest can be"
        case "interrupted": "interrupted, can be undone"
        case "undone": "undone already"
        case "erased": "erased for good"
        case "gone": "gone from the trash"
        case "partly gone": run.canBeUndone ? "partly gone, the rest can be undone" : "partly gone, the rest is undone"
        case "foreign": "not in your journal: undo it by its ID"
        default: run.state
        }
    }
}
