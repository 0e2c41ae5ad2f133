internal import TidyKit

/// `phototidy list`: what is in the library.
enum ListCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        guard !arguments.has(.watch) else { throw CommandError(.environment, "--watch is not there yet") }
        let request = try OutputRequest(arguments, standard: .table, isTerminal: context.output.isTerminal)
        var query = try arguments.libraryQuery(now: context.now, order: SortOrder(.taken, reversed: true))
        query.detail = request.detail
        return try PhotoListing(arguments: arguments, context: context).run(query, request).code
    }
}
