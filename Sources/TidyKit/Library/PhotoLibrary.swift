/// The one pipeline from folders to photos: scan, group by stem, predicates that need only a name or a `stat`, metadata,
/// units, predicates, order.
public enum PhotoLibrary {
    /// All photos that match, in the order of the query.
    /// - Parameter environment: where the index lives.
    public static func photos(
        _ query: LibraryQuery, environment: Environment, progress: Progress = .none
    ) throws(LibraryError) -> LibraryResult {
        try photos(query, environment: environment, progress: progress, threads: ParallelMap.cores)
    }

    static func photos(
        _ query: LibraryQuery, environment: Environment, progress: Progress = .none, threads: Int
    ) throws(LibraryError) -> LibraryResult {
        var found = PhotoPile()
        var result = try visit(query, environment: environment, progress: progress, threads: threads) { batch in
            found.append(batch)
            return true
        }
        result.photos = found.takeAll()
        query.order.sort(&result.photos)
        if let limit = query.limit, result.photos.count > limit {
            result.photos.removeLast(result.photos.count - limit)
        }
        return result
    }

    /// The photos that match in the order in which they are met, whatever the order and limit of the query, in batches
    /// and without keeping any: for results that are too large to hold. `body` returns false to stop.
    /// - Returns: a result without photos.
    public static func visit(
        _ query: LibraryQuery, environment: Environment, progress: Progress = .none, _ body: ([Photo]) -> Bool
    ) throws(LibraryError) -> LibraryResult {
        try visit(query, environment: environment, progress: progress, threads: ParallelMap.cores) { batch in
            body(batch.flatMap { $0.rows.lazy.filter(\.isMatch).map(\.subject.photo) })
        }
    }

    private static func visit(
        _ query: LibraryQuery, environment: Environment, progress: Progress, threads: Int,
        _ body: ([GroupOutcome]) -> Bool
    ) throws(LibraryError) -> LibraryResult {
        var search = LibrarySearch(query, progress: progress, threads: threads)
        var index = MetadataIndex(folder: query.useIndex ? environment.cache : nil, now: query.now)
        do throws(LibraryError) {
            if search.comparesPhotos {
                var all = GroupOutcome()
                all.rows = try search.compared(&index)
                _ = body([all])
            } else {
                try search.run(&index, body)
            }
        } catch {
            // What was read before Ctrl-C need not be read again.
            index.finish()
            throw error
        }
        index.finish()
        var result = LibraryResult()
        result.statistics = search.statistics
        result.statistics.indexProblem = index.problem?.description
        result.warnings = search.warnings
        result.keptCopies = search.keptCopies
        return result
    }
}
