internal import TidyKit

/// Shows the results of `compress`.
struct CompressionListing {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    func write(report items: [CompressionItem]) throws {
        var json = JSONWriter()
        json.report(items)
        json.newline()
        try context.output.write(json)
    }

    /// A line for each output: `holiday/IMG_1.jpg  3.56 MB → 149 kB  1280×960  quality 78.4`.
    func write(items: [CompressionItem]) throws {
        for item in items {
            guard let output = item.output, let bytes = item.bytes else { continue }
            var line = TerminalText.escaped(output)
            line += "  \(ByteSize.describe(item.sourceBytes)) → \(ByteSize.describe(bytes))"
            if let width = item.width, let height = item.height { line += "  \(width)×\(height)" }
            if let quality = item.quality { line += "  quality \(quality)" }
            if item.wasThere {
                line += "  there already"
            } else if item.quality == nil {
                line += "  \(item.action.rawValue)"
            }
            try context.output.write(line + "\n")
        }
    }

    func explainFailures(_ items: [CompressionItem]) {
        // Pictures that were not started before an interruption share one line.
        let interrupted = CompressionError.interrupted.reason
        for item in items where item.action == .failed && item.reason != interrupted {
            let reason = TerminalText.escaped(item.reason ?? "failed")
            context.diagnostics.error("\(TerminalText.escaped(item.source)): \(reason)")
        }
    }

    /// - Parameter notBegun: the number of items that were not started before an interruption.
    func summarize(_ items: [CompressionItem], notBegun: Int, passedOver: Int, isDryRun: Bool) {
        let made = items.filter { $0.action != .failed }
        let before = made.totalBytes(\.sourceBytes)
        let after = made.totalBytes { $0.bytes ?? 0 }
        var text = "\(made.count) picture\(made.count == 1 ? "" : "s")"
        text += isDryRun ? " would take " : ", "
        text +=
            isDryRun
            ? "\(ByteSize.describe(after)) instead of \(ByteSize.describe(before))"
            : "\(ByteSize.describe(before)) → \(ByteSize.describe(after))"
        let actions: [CompressionItem.Action] = [.recompressed, .rewritten, .copied]
        // In the same words as the rows.
        let counts =
            (actions.map { action in (action.rawValue, made.count { !$0.wasThere && $0.action == action }) }
            + [("there already", made.count(where: \.wasThere))]).filter { $0.1 > 0 }
        if counts.contains(where: { $0.0 != CompressionItem.Action.recompressed.rawValue }) {
            text += ": " + counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        }
        let failed = items.count - made.count - notBegun
        if failed > 0 { text += "; \(failed) failed" }
        if notBegun > 0 { text += "; \(notBegun) not begun" }
        if passedOver > 0 { text += "; \(passedOver) other file\(passedOver == 1 ? "" : "s") skipped" }
        context.diagnostics.note(text)
    }
}
