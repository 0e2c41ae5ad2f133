/// Follows a query over time: which photos are added to its result, change, or leave it.
package struct LibraryWatch: ~Copyable {
    /// What happened to a photo, as the record says it.
    package enum Kind: String, Sendable { case added, changed, removed }

    /// A photo whose row was added, changed or removed.
    package struct Change: Sendable {
        package let kind: Kind
        /// The present photo, or the last state of a removed one.
        package let photo: Photo
    }

    private let query: LibraryQuery
    private let environment: Environment
    private var watch: FolderWatch
    private var photos: [FilePath: Photo] = [:]
    /// What could not be read in the last search.
    package private(set) var warnings: [LibraryWarning] = []

    /// Changes come in bursts, such as an import from a camera: the library is read once there has been no change for
    /// this many milliseconds.
    private static let quiet: Int32 = 100

    /// Searches the library once. Throws if an operand is missing, or if there are more folders than the system lets a
    /// user watch.
    package static func start(_ query: LibraryQuery, environment: Environment) throws(LibraryError) -> LibraryWatch {
        var query = query
        query.order = SortOrder(.path)
        query.limit = nil
        var watch: FolderWatch
        do throws(POSIXError) { watch = try FolderWatch() } catch { throw .unreadable(error) }
        // Twice, because a folder that is created between the listing and the watch of its parent would be missed.
        try follow(query, &watch)
        try follow(query, &watch)
        let result = try PhotoLibrary.photos(query, environment: environment)
        return LibraryWatch(query, environment, watch, result)
    }

    private init(
        _ query: LibraryQuery, _ environment: Environment, _ watch: consuming FolderWatch, _ result: LibraryResult
    ) {
        self.query = query
        self.environment = environment
        self.watch = watch
        photos = Self.byPath(result.photos)
        warnings = result.warnings
    }

    private static func byPath(_ photos: [Photo]) -> [FilePath: Photo] {
        var known = Dictionary(photos.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        // `shared` is not in the record, so a change of it alone is not reported.
        for photo in photos where photo.shared != nil { known[photo.path]?.shared = nil }
        return known
    }

    /// Watches every folder of the query, including new ones.
    private static func follow(_ query: LibraryQuery, _ watch: inout FolderWatch) throws(LibraryError) {
        var scanner: LibraryScanner
        do throws(ScanError) {
            scanner = try LibraryScanner(
                operands: query.operands,
                options: ScanOptions(includeHidden: query.includeHidden, excludedFolders: query.excludedFolders))
        } catch {
            switch error {
            case .missing(let path): throw .missing(path)
            }
        }
        while let folder = scanner.next() {
            let path = folder.prefix.isEmpty ? .current : FilePath(folder.prefix).withoutTrailingSlashes
            do throws(POSIXError) { try watch.add(path) } catch { if !error.isMissing { throw .unreadable(error) } }
            if Interrupt.isRequested { throw .interrupted }
        }
    }

    /// Waits for changes and returns them in path order. Empty after `timeout` milliseconds without any. Throws if an
    /// operand no longer exists.
    package mutating func changes(timeout: Int32) throws(LibraryError) -> [Change] {
        let events: [FolderWatch.Event]
        do throws(POSIXError) { events = try watch.events(timeout: timeout, quiet: Self.quiet) } catch {
            throw .unreadable(error)
        }
        if Interrupt.isRequested { throw .interrupted }
        guard !events.isEmpty else { return [] }
        // Throws if an operand no longer exists: a disk that was unplugged is not an empty library.
        if events.contains(where: { $0.isFolder || $0.folder == nil }) { try Self.follow(query, &watch) }
        let result = try PhotoLibrary.photos(query, environment: environment)
        var now = Self.byPath(result.photos)
        warnings = result.warnings
        if !result.isComplete {
            // What could not be read this time may still exist.
            now.merge(photos) { current, _ in current }
        }
        var changes: [Change] = []
        for (path, photo) in now {
            guard let before = photos[path] else {
                changes.append(Change(kind: .added, photo: photo))
                continue
            }
            if before != photo { changes.append(Change(kind: .changed, photo: photo)) }
        }
        for (path, photo) in photos where now[path] == nil { changes.append(Change(kind: .removed, photo: photo)) }
        photos = now
        return changes.sorted { $0.photo.path < $1.photo.path }
    }
}
