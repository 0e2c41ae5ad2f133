internal import TidyKit

/// `phototidy filter`: only what matches, one path a line.
enum FilterCommand {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ExitCode {
        let request = try OutputRequest(arguments, standard: .paths, isTerminal: context.output.isTerminal)
        var query = try arguments.libraryQuery(context)
        guard !query.predicates.isEmpty else {
            throw arguments.usageError("'filter' needs a condition, such as --type or --taken; 'list' shows everything")
        }
        query.detail = request.detail
        let (code, count) = try PhotoListing(arguments: arguments, context: context).run(query, request)
        arguments.warn(ofGroupsIn: request, count, context)
        guard code == .done, count == 0, !arguments.has(.allowEmpty) else { return code }
        // The exit code is for scripts; a person needs a message.
        if context.diagnostics.isTerminal { context.diagnostics.note("Nothing matched.") }
        return .nothing
    }
}
