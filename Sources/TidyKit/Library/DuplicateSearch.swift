/// Finds the photos whose main files have the same content.
struct DuplicateSearch {
    private(set) var warnings: [LibraryWarning] = []
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0
    /// Which files hold the same bytes, by number of the class.
    private let contents: [FileID: Int]

    init(_ contents: [FileID: Int]) { self.contents = contents }

    /// The rows with the same content as another one, as indices of `rows`. Only one name of an inode counts: a
    /// second name holds no second copy.
    mutating func classes(_ rows: [GroupOutcome.Row], _ kind: GroupingKind) -> [[Int]] {
        let photos = rows.map(\.subject.photo)
        var members: [Int: [Int]] = [:]
        for index in rows.indices where photos[index].format != nil && !photos[index].isOffline {
            if let number = contents[photos[index].identity.id] { members[number, default: []].append(index) }
        }
        return members.sorted { $0.key < $1.key }.map { Self.oneOfEachInode($0.value, photos) }.filter { $0.count > 1 }
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

    /// The first path of each inode, in the order of paths.
    private static func oneOfEachInode(_ indices: [Int], _ photos: [Photo]) -> [Int] {
        var seen: Set<FileID> = []
        return indices.sorted { photos[$0].path < photos[$1].path }.filter {
            seen.insert(photos[$0].identity.id).inserted
        }
    }

    /// True where every companion has its twin in the kept unit: a Live Photo whose video differs is not a
    /// duplicate, though the stills are the same.
    private mutating func holdsNothingOfItsOwn(
        _ photo: Photo, beside kept: Photo, _ comparison: inout FileComparison
    ) -> Bool {
        for companion in photo.companions {
            var hasTwin = false
            for other in kept.companions where other.lowercasedExtension == companion.lowercasedExtension {
                do throws(POSIXError) {
                    hasTwin = try comparison.areEqual(companion, other)
                } catch {
                    warnings.append(LibraryWarning(path: error.path ?? companion, reason: error.reason))
                }
                if hasTwin { break }
            }
            if !hasTwin { return false }
        }
        return true
    }
}

/// Of the photos of a group, the one that stays, as the search saw it.
package struct KeptCopy: Hashable, Sendable {
    package var path: FilePath
    package var companions: [FilePath]
    package var identity: FileIdentity
    /// Why it stays rather than the other one, in words.
    package var reason: String?
    /// What the user has said in favour of the other one: `rated 4`.
    package var favor: String?

    package init(path: FilePath, companions: [FilePath] = [], identity: FileIdentity) {
        self.path = path
        self.companions = companions
        self.identity = identity
    }

    init(_ photo: Photo) {
        self.init(path: photo.path, companions: photo.companions, identity: photo.identity)
    }
}
