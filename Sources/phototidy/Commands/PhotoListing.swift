internal import TidyKit

/// What `list` and `filter` have in common: search, write, and report what could not be read.
struct PhotoListing {
    let arguments: ParsedArguments
    let context: CommandContext

    func run(_ query: LibraryQuery, _ request: OutputRequest) throws -> (code: ExitCode, count: Int) {
        if let file = arguments.path(.explain) { return try explain(file, query) }
        var writer = PhotoWriter(request, context)
        let result = try search(query, request, &writer)
        context.diagnostics.clearProgress()
        context.diagnostics.report(result.warnings)
        arguments.warn(ofUnmatched: result.unmatchedPreferences, context.diagnostics)
        if let note = Self.notCompared(result.statistics.notCompared) { context.diagnostics.note(note) }
        let code = try writer.finish()
        try context.output.flush()
        let isList = arguments.command.commandName == CommandSpec.list.commandName
        if request.format == .table, context.output.isTerminal, isList || writer.count > 0 {
            context.diagnostics.note(summary(of: result))
        }
        if writer.count == 0, let hint = arguments.exactSizeHint { context.diagnostics.note(hint) }
        // `list` marks such dates in each row; a list of paths has no marks.
        if !isList, let warning = Self.dateWarning(query, writer.datedByFile) { context.diagnostics.note(warning) }
        if arguments.has(.stats) { context.diagnostics.note(Self.statistics(result.statistics)) }
        return (result.isComplete ? code : .partly, writer.count)
    }

    /// `3 files were not compared: ffmpeg is not installed (3).` Nil if all were.
    static func notCompared(_ reasons: [String: Int]) -> String? {
        let reasons = reasons.sorted { $0.key < $1.key }
        let count = reasons.reduce(0) { $0 + $1.value }
        guard count > 0 else { return nil }
        let text = reasons.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
        return "\(count) \(count == 1 ? "file was" : "files were") not compared: \(text)."
    }

    /// `--explain`: a photo that matches counts as one result, any other as none.
    private func explain(_ file: FilePath, _ query: LibraryQuery) throws -> (code: ExitCode, count: Int) {
        let explanation = try PhotoLibrary.explain(file, query, environment: context.environment)
        for line in ExplanationText.lines(explanation, of: file) { try context.output.write(line + "\n") }
        return (.done, explanation.isIn ? 1 : 0)
    }

    /// Passes the photos to `writer`. Without an order, they are passed on as they are found, so that memory does not
    /// grow with the library; groups are known and numbered only when all photos are found.
    private func search(
        _ query: LibraryQuery, _ request: OutputRequest, _ writer: inout PhotoWriter
    ) throws -> LibraryResult {
        let makesGroups = query.predicates.contains { $0.grouping != nil }
        guard query.order.key == .none, request.format.isStreaming, !makesGroups else {
            let result = try PhotoLibrary.photos(query, environment: context.environment, progress: context.progress)
            // In chunks, with a check for Ctrl-C in between.
            for start in stride(from: 0, to: result.photos.count, by: 4096) {
                try writer.write(result.photos[start..<min(start + 4096, result.photos.count)])
            }
            return result
        }
        var rest = query.limit ?? .max
        var failure: (any Error)?
        let result = try PhotoLibrary.visit(query, environment: context.environment, progress: context.progress) {
            let photos = $0.prefix(rest)
            rest -= photos.count
            do { try writer.write(photos) } catch { failure = error }
            return failure == nil && rest > 0
        }
        if let failure { throw failure }
        return result
    }

    private func summary(of result: LibraryResult) -> String {
        let count = result.photos.count
        guard count > 0 else { return arguments.has(.groups) ? "No groups found." : "No photos found." }
        if arguments.has(.groups) {
            return GroupTable.summary(result.photos, clones: CloneSearch.clones(among: result.photos))
        }
        let bytes = result.photos.totalBytes(\.identity.bytes)
        // `PhotoTable` marks dates that are only the file's time stamp.
        let isMarked = result.photos.contains { $0.taken?.source == .modified }
        return "\(count) photo\(count == 1 ? "" : "s"), \(ByteSize.describe(bytes))"
            + (isMarked ? " (~ the file's time stamp, as the photo itself has no date)" : "")
    }

    /// Nil if the result does not depend on dates, or the user stated which date sources are acceptable.
    private static func dateWarning(_ query: LibraryQuery, _ count: Int) -> String? {
        guard count > 0, query.predicates.contains(where: \.dependsOnDate),
            !query.predicates.contains(where: \.choosesDateSource)
        else { return nil }
        let (verb, object) = count == 1 ? ("is", "it") : ("are", "them")
        return "\(count) of these photos \(verb) dated by the file's time stamp alone, which copying may have changed; "
            + "--date-source exif,xmp,quicktime,iptc,xmp.sidecar,takeout,name leaves \(object) out."
    }

    static func statistics(_ statistics: LibraryStatistics) -> String {
        let skipped = statistics.skipped.sorted { $0.key.rawValue < $1.key.rawValue }
        let rules = skipped.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
        return """
            files seen: \(statistics.filesSeen)
            files opened: \(statistics.filesOpened)
            bytes read: \(statistics.bytesRead)
            from the index: \(statistics.filesFromIndex)\(statistics.indexProblem.map { " (\(TerminalText.escaped("\($0)")))" } ?? "")
            skipped: \(statistics.skipped.values.reduce(0, +))\(rules.isEmpty ? "" : " (\(rules))")
            """
    }
}
