internal import TidyKit

/// `phototidy list`: what is in the library.
enum ListCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        if arguments.has(.notAlike) || arguments.has(.forget) {
            return try NotAlikeRequest(arguments: arguments, context: context).run()
        }
        let request = try OutputRequest(arguments, standard: .table, isTerminal: context.output.isTerminal)
        var query = try arguments.libraryQuery(context, order: SortOrder(.taken, reversed: true))
        if let grouping = arguments.text(.groupBy).flatMap(PhotoSum.Grouping.init) {
            return try SumListing(arguments: arguments, context: context, grouping: grouping).run(query, request)
        }
        if arguments.has(.watch) { return try WatchListing(arguments: arguments, context: context).run(query) }
        query.detail = request.detail
        let (code, count) = try PhotoListing(arguments: arguments, context: context).run(query, request)
        arguments.warn(ofGroupsIn: request, count, context)
        return code
    }
}
