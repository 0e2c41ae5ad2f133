/// What takes the space of a library.
extension PhotoLibrary {
    /// The photos that match, added up by key, in no order. No photo is kept: memory grows with the keys, not with the
    /// library.
    /// - Parameter query: its order and limit are not used.
    /// - Returns: the rows, and a result without photos.
    package static func sums(
        _ query: LibraryQuery, by grouping: PhotoSum.Grouping, environment: Environment, progress: Progress = .none
    ) throws(LibraryError) -> (rows: [PhotoSum], result: LibraryResult) {
        var query = query
        query.order = SortOrder(.none)
        query.limit = nil
        query.detail = .fields([.metadata, .date])
        var places: [PhotoSum.Key: Int] = [:]
        var rows: [PhotoSum] = []
        let result = try visit(query, environment: environment, progress: progress) { photos in
            for photo in photos {
                let key = PhotoSum.Key(photo, by: grouping)
                let place = places[key] ?? rows.count
                if place == rows.count {
                    places[key] = place
                    rows.append(PhotoSum(key: key))
                }
                let companions = ownCompanions(of: photo)
                rows[place].add(photo, companions: companions.count, bytes: bytes(of: companions))
            }
            return true
        }
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
