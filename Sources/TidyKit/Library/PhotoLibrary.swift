/// The one pipeline from folders to photos: scan, group by stem, predicates that need only a name or a `stat`,
/// metadata, units, predicates, order.
package enum PhotoLibrary {
    /// All matching photos, in the order of the query.
    /// - Parameter environment: where the index lives.
    package static func photos(
        _ query: LibraryQuery, environment: Environment, progress: Progress = .none
    ) throws(LibraryError) -> LibraryResult {
        try photos(query, environment: environment, progress: progress, threads: ResourceLimits.processorCount)
    }

    static func photos(
        _ query: LibraryQuery, environment: Environment, progress: Progress = .none, threads: Int
    ) throws(LibraryError) -> LibraryResult {
        var found = PhotoPile()
        var result = try visit(query, environment: environment, progress: progress, threads: threads) { batch in
            found.append(batch)
            return true
        }
        result.photos = found.moveAll()
        sort(&result.photos, by: query)
        if let limit = query.limit, result.photos.count > limit {
            result.photos.removeLast(result.photos.count - limit)
        }
        if query.predicates.contains(where: { $0.grouping != nil }) { numberGroups(&result.photos) }
        return result
    }

    /// Passes the matching photos to `body` in batches, in scan order, without keeping any: for results that are too
    /// large for memory. Ignores the order and limit of the query. Stops if `body` returns false.
    /// - Returns: a result without photos.
    package static func visit(
        _ query: LibraryQuery, environment: Environment, progress: Progress = .none, _ body: ([Photo]) -> Bool
    ) throws(LibraryError) -> LibraryResult {
        try visit(query, environment: environment, progress: progress, threads: ResourceLimits.processorCount) {
            batch in
            body(batch.flatMap { $0.rows.lazy.filter(\.isMatch).map(\.subject.photo) })
        }
    }

    private static func visit(
        _ query: LibraryQuery, environment: Environment, progress: Progress, threads: Int,
        _ body: ([GroupOutcome]) -> Bool
    ) throws(LibraryError) -> LibraryResult {
        var search = LibrarySearch(query, progress: progress, threads: threads)
        var index = MetadataIndex(folder: query.useIndex ? environment.cache : nil, now: query.now)
        index.readsShots = search.reader.grouping != nil
        do throws(LibraryError) {
            if search.comparesPhotos {
                var all = GroupOutcome()
                all.rows = try search.compared(&index)
                _ = body([all])
            } else {
                try search.run(&index, body)
            }
        } catch {
            // The index keeps what was read before Ctrl-C.
            index.finish()
            throw error
        }
        index.finish()
        var result = LibraryResult()
        result.statistics = search.statistics
        result.statistics.indexProblem = index.problem?.description
        result.warnings = search.warnings
        result.keptCopies = search.keptCopies
        result.memberships = search.memberships
        result.unmatchedPreferences = search.preferences.unmatched
        result.keptApart = search.keptApart
        return result
    }
}

/// The order of photos that are in groups, and the numbers of the groups.
extension PhotoLibrary {
    /// Sorts photos as the query says. Groups that are shown whole follow each other in the order of what stays, which
    /// comes first in its group.
    static func sort(_ photos: inout [Photo], by query: LibraryQuery) {
        query.order.sort(&photos)
        guard query.grouping.showsGroups else { return }
        var place: [FilePath: Int] = [:]
        for (index, photo) in photos.enumerated() where photo.group?.keep == photo.path { place[photo.path] = index }
        let keys = photos.enumerated().map { index, photo in
            guard let group = photo.group else { return (Int.max, 1, index) }
            return (place[group.keep] ?? .max, group.keep == photo.path ? 0 : 1, index)
        }
        photos = photos.indices.sorted { keys[$0] < keys[$1] }.map { photos[$0] }
    }

    /// Numbers the groups from 1 in the order in which they come.
    static func numberGroups(_ photos: inout [Photo]) {
        var numbers: [FilePath: Int] = [:]
        for index in photos.indices {
            guard let group = photos[index].group else { continue }
            let number = numbers[group.keep] ?? numbers.count + 1
            numbers[group.keep] = number
            photos[index].group = group.numbered(number)
        }
    }
}

/// Whether a file that was named explicitly is a photo, a video or a sidecar.
enum NamedMedia {
    /// Extensions of formats that are not read, and less usual extensions of others.
    private static let otherEndings: Set<String> = ["jpe", "jfif", "m4v", "mp", "mpg"]

    /// True for a photo or a video, by its extension or, if that is unknown, by its content, so that a damaged photo is
    /// still recognised. Sidecars count by their name; a cloud placeholder is never opened. Also true for files that
    /// cannot be read or are not regular: the caller reports them.
    static func isIn(_ file: FilePath) -> Bool {
        let name = Array(file.lastComponent)
        if CloudStub.originalName(name) != nil { return true }
        let ending = String(decoding: file.lowercasedExtension, as: UTF8.self)
        if FormatName.format(ending) != nil || otherEndings.contains(ending) { return true }
        if let sidecar = SidecarName(name), sidecar.kind.canBeOrphan {
            if sidecar.kind != .takeout || sidecar.isSurelyTakeout { return true }
        }
        do throws(POSIXError) {
            let descriptor = try FileDescriptor.openForReading(file)
            guard try descriptor.status().kind == .regular else { return true }
            let head = try descriptor.readFully(ContentType.headLength)
            return head.withUnsafeBytes { ContentType.format(of: $0) } != nil
        } catch { return true }
    }
}

/// Writes the records of many photos on all cores: in a large library that costs as much as finding the photos.
package enum PhotoRecords {
    private static let pieceLength = 256

    /// The records in order, in pieces of some hundred.
    /// - Parameter commas: true to separate records by commas, as `JSONWriter.records` does within a piece.
    package static func pieces(_ photos: ArraySlice<Photo>, commas: Bool) -> [JSONWriter] {
        let pieces = stride(from: photos.startIndex, to: photos.endIndex, by: pieceLength).map {
            photos[$0..<min($0 + pieceLength, photos.endIndex)]
        }
        return Workers.map(
            pieces, chunk: 1, worker: {},
            { _, piece in
                var json = JSONWriter()
                json.records(piece, commas: commas)
                return json
            })
    }
}
