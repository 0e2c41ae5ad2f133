/// Finds the photos whose main files have the same content.
struct DuplicateSearch {
    private(set) var warnings: [LibraryWarning] = []
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0
    /// Files that are in no group because they changed while they were read.
    private(set) var changed = 0
    /// Which files hold the same bytes, by number of the class.
    private let contents: [FileID: Int]

    private let threads: Int
    private let progress: Progress

    init(_ contents: [FileID: Int], threads: Int, progress: Progress) {
        self.contents = contents
        self.threads = threads
        self.progress = progress
    }

    /// The rows with the same content as another one, as indices of `rows`.
    mutating func classes(_ rows: [GroupOutcome.Row], _ kind: GroupingKind) -> [[Int]] {
        let photos = rows.map(\.subject.photo)
        if kind == .samePixels {
            var search = PictureSearch(threads: threads, progress: progress)
            defer {
                warnings += search.warnings
                filesOpened += search.filesOpened
                bytesRead = bytesRead.addingClamped(search.bytesRead)
                changed += search.changed
            }
            return search.classes(photos, contents)
        }
        var members: [Int: [Int]] = [:]
        for index in rows.indices where photos[index].format != nil && !photos[index].isOffline {
            if let number = contents[photos[index].identity.id] { members[number, default: []].append(index) }
        }
        return members.sorted { $0.key < $1.key }.map(\.value).filter { $0.count > 1 }
    }

    /// Groups of photos that hold nothing that the one which stays does not hold.
    /// - Parameter sorted: rows of one content, the one that stays first.
    mutating func split(_ sorted: [Int], _ rows: [GroupOutcome.Row]) -> [GroupSearch.RowGroup] {
        let kept = rows[sorted[0]].subject.photo
        var comparison = FileComparison()
        let members = sorted.dropFirst().filter {
            holdsNothingOfItsOwn(rows[$0].subject.photo, beside: kept, &comparison)
        }
        note(comparison)
        return members.isEmpty ? [] : [GroupSearch.RowGroup(keep: sorted[0], members: members.map { ($0, 0) })]
    }

    private mutating func note(_ comparison: borrowing FileComparison) {
        filesOpened += comparison.filesOpened
        bytesRead = bytesRead.addingClamped(comparison.bytesRead)
    }

    /// True where every companion has its twin in the kept unit: a Live Photo whose video differs is not a duplicate,
    /// though the stills are the same.
    private mutating func holdsNothingOfItsOwn(
        _ photo: Photo, beside kept: Photo, _ comparison: inout FileComparison
    ) -> Bool {
        for companion in photo.companions {
            var hasTwin = false
            for other in kept.companions where other.lowercasedExtension == companion.lowercasedExtension {
                do throws(POSIXError) {
                    hasTwin = try comparison.areEqual(companion, other)
                } catch {
                    if error.isStale {
                        changed += 1
                    } else if !error.isMissing {
                        warnings.append(LibraryWarning(path: error.path ?? companion, reason: error.reason))
                    }
                }
                if hasTwin { break }
            }
            if !hasTwin { return false }
        }
        return true
    }
}
