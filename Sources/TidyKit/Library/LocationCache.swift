/// Where files really are: a folder that is reached by a link is the same place under another name.
struct LocationCache {
    private var folders: [FilePath: FilePath] = [:]

    mutating func location(of path: FilePath) -> FilePath {
        let folder = path.directory
        if let known = folders[folder] { return known.appending(path.lastComponent) }
        let resolved = (try? folder.resolved()) ?? (try? folder.absolute()) ?? folder
        folders[folder] = resolved
        return resolved.appending(path.lastComponent)
    }
}

/// Finds the places of `--prefer` without a file: a typing mistake there would decide otherwise what goes.
struct PreferenceMatches {
    /// Counted from 0 in the order of the user.
    private(set) var unmatched: [Int]
    private let places: [PlacePattern]
    private var locations = LocationCache()

    init(_ request: GroupRequest) {
        places = request.preferred
        unmatched = Array(places.indices)
    }

    /// Before files without a copy are left out.
    mutating func note(_ task: GroupTask) {
        for file in task.files where !unmatched.isEmpty {
            let path = task.path(file.name)
            let location = locations.location(of: path)
            unmatched.removeAll { places[$0].covers(path, at: location) }
        }
    }
}

/// The places of options, found on the disk when the command line is read.
extension PlacePattern {
    /// Throws where nothing is there and the words are no glob: a typing mistake would prefer nothing.
    package init(_ place: FilePath) throws(POSIXError) {
        do throws(POSIXError) { self = try .init(folder: place) } catch {
            guard error.isMissing, Glob.isPattern(place.bytes) else { throw error }
            self = .glob(Glob(place.bytes))
        }
    }

    /// A file or folder that must be there.
    package init(folder place: FilePath) throws(POSIXError) { self = .path(try place.resolved()) }
}
