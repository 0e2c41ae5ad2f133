/// What takes the space of a library.
extension PhotoLibrary {
    /// The photos that match, added up by key, in no order. No photo is kept but the copies
    /// of `--duplicate`: memory grows with the keys, not with the library.
    /// - Parameters:
    ///   - query: its order and limit are not used.
    ///   - countsClones: opens all copies to say how many of them are clones.
    /// - Returns: the rows, and a result without photos.
    package static func sums(
        _ query: LibraryQuery, by grouping: PhotoSum.Grouping, countsClones: Bool = false, environment: Environment,
        progress: Progress = .none
    ) throws(LibraryError) -> (rows: [PhotoSum], result: LibraryResult) {
        var query = query
        query.order = SortOrder(.none)
        query.limit = nil
        query.detail = .fields([.metadata, .date])
        var places: [PhotoSum.Key: Int] = [:]
        var rows: [PhotoSum] = []
        var copies: [Photo] = []
        var result = try visit(query, environment: environment, progress: progress) { photos in
            for photo in photos {
                let key = PhotoSum.Key(photo, by: grouping)
                let place = places[key] ?? rows.count
                if place == rows.count {
                    places[key] = place
                    rows.append(PhotoSum(key: key))
                }
                let companions = ownCompanions(of: photo)
                rows[place].add(photo, companions: companions.count, bytes: bytes(of: companions))
                if countsClones, photo.group?.kind == .duplicate, photo.group?.role == .redundant {
                    copies.append(photo)
                }
            }
            return true
        }
        result.clones = CloneSearch.count(among: copies, beside: result.keptCopies)
        return (rows, result)
    }

    /// Sidecars that several photos share count with the first of them.
    private static func ownCompanions(of photo: Photo) -> [FilePath] {
        guard let shared = photo.shared, shared.photos.first == photo.path else { return photo.companions }
        return photo.companions + shared.files.filter { !photo.companions.contains($0) }
    }

    /// What has vanished since takes no space.
    private static func bytes(of files: [FilePath]) -> Int64 {
        files.totalBytes { (try? FileStatus.of($0).identity.bytes) ?? 0 }
    }
}
