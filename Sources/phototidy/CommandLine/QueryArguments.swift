internal import TidyKit

extension ParsedArguments {
    /// The predicates on the command line, in its order.
    func predicates(now: WallClock) throws(QueryError) -> [Predicate] {
        var predicates: [Predicate] = []
        for occurrence in occurrences where occurrence.option.group == .predicates {
            predicates.append(
                try Predicate(option: occurrence.option.name, value: occurrence.value, now: now, zone: .local))
        }
        return predicates
    }

    /// The search that operands, predicates and order describe; without an operand it is about the current folder.
    func libraryQuery(now: WallClock, order: SortOrder = SortOrder(.path)) throws(QueryError) -> LibraryQuery {
        var query = LibraryQuery(
            operands: operands.isEmpty ? [.current] : operands, predicates: try predicates(now: now), order: order,
            limit: integer(.limit), now: now)
        if let key = value(.sort) { query.order = try SortOrder(parsing: key) }
        query.includeHidden = has(.hidden)
        query.units = !has(.noUnits)
        query.useIndex = !has(.noIndex)
        query.judge = .decoders(now: now)
        return query
    }
}
