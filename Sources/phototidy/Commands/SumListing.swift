internal import TidyKit

/// `list --group-by`: what takes the space, a row per year, folder, camera …
struct SumListing {
    let arguments: ParsedArguments
    let context: CommandContext
    let grouping: PhotoSum.Grouping

    private static let formats: Set<OutputRequest.Format> = [.table, .tsv, .csv, .json, .ndjson]

    func run(_ query: LibraryQuery, _ request: OutputRequest) throws -> ExitCode {
        let others: [OptionSpec] = [.fields, .explain, .watch, .groups]
        if let other = others.first(where: arguments.has) {
            throw arguments.usageError("--group-by writes sums; it cannot go with \(other.long)")
        }
        guard Self.formats.contains(request.format) else {
            throw arguments.usageError("--group-by writes table, tsv, csv, json or ndjson")
        }
        let (order, isReversed) = try order()
        var (rows, result) = try PhotoLibrary.sums(
            query, by: grouping, countsClones: request.format == .table, environment: context.environment,
            progress: context.progress)
        context.diagnostics.clearProgress()
        context.diagnostics.report(result.warnings)
        arguments.warn(ofUnmatched: result.unmatchedPreferences, context.diagnostics)
        if let note = PhotoListing.notCompared(result.statistics.notCompared) { context.diagnostics.note(note) }
        var total = PhotoSum(key: .unknown)
        for row in rows { total.add(row) }
        order.sort(&rows, isReversed: isReversed)
        try SumWriter(grouping: grouping, context: context).write(
            rows.prefix(query.limit ?? .max), total, as: request.format)
        try context.output.flush()
        if result.clones > 0 { context.diagnostics.note(GroupTable.clones(result.clones, of: "these photos") + ".") }
        if arguments.has(.stats) { context.diagnostics.note(PhotoListing.statistics(result.statistics)) }
        return result.isComplete ? .done : .partly
    }

    /// By key, where the user does not say.
    private func order() throws -> (PhotoSumOrder, isReversed: Bool) {
        guard let text = arguments.text(.sort) else { return (.path, false) }
        let isReversed = text.hasPrefix("-")
        guard let order = PhotoSumOrder(rawValue: isReversed ? String(text.dropFirst()) : text) else {
            throw arguments.usageError("--group-by is sorted by path (its key), size or taken, not by '\(text)'")
        }
        return (order, isReversed)
    }
}
