internal import TidyKit

/// `list --similar --not-alike A B`: a decision about two photos, which lasts until `--forget`.
struct NotAlikeRequest {
    let arguments: ParsedArguments
    let context: CommandContext

    func run() throws -> ExitCode {
        guard arguments.has(.notAlike) else {
            throw arguments.usageError("'--forget' goes with --not-alike and the two photos")
        }
        guard arguments.has(.similar) else { throw arguments.usageError("'--not-alike' needs --similar") }
        guard arguments.operands.count == 2 else {
            throw arguments.usageError(
                "'--not-alike' needs exactly two photos, as in: --similar --not-alike A.jpg B.jpg")
        }
        for operand in arguments.operands { try refuseOthers(operand) }
        let contents = try arguments.operands.map { operand throws(LibraryError) in
            do throws(POSIXError) { return try NotAlikeStore.Content.all(of: operand) } catch {
                throw error.isMissing ? .missing(operand) : .unreadable(error)
            }
        }
        guard contents[0].first != contents[1].first else {
            throw arguments.usageError("these two are the same picture")
        }
        let isRemembered = !arguments.has(.forget)
        let changed = try NotAlikeStore(context.environment).set(
            contents[0], contents[1], remembered: isRemembered)
        switch (isRemembered, changed) {
        case (true, true):
            context.diagnostics.note(
                "Remembered: --similar does not group these two again. The same command with --forget takes it back.")
        case (true, false): context.diagnostics.note("This pair was already remembered.")
        case (false, true): context.diagnostics.note("Forgotten: these two may be grouped again.")
        case (false, false): context.diagnostics.note("This pair was not remembered.")
        }
        return changed || isRemembered ? .done : .nothing
    }

    /// A decision about a folder or a text would be remembered, and never have an effect.
    private func refuseOthers(_ operand: FilePath) throws {
        var query = LibraryQuery(operands: [operand], now: context.now)
        (query.units, query.useIndex, query.includeHidden) = (false, false, true)
        query.detail = .file
        let isFolder = (try? FileStatus.of(operand, followLinks: true))?.kind == .directory
        guard try isFolder || PhotoLibrary.photos(query, environment: context.environment).photos.isEmpty else {
            return
        }
        throw arguments.usageError(
            "\(TerminalText.escaped(operand)) is not a photo; '--not-alike' needs two photos: A.jpg B.jpg")
    }
}
