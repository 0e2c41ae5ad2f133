/// Finds photos whose main files have the same bytes, and marks those that could be deleted.
struct DuplicateSearch {
    private(set) var warnings: [LibraryWarning] = []
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0
    /// For each photo that has a copy: the one that stays, which may be itself.
    private(set) var keptCopies: [FilePath: KeptCopy] = [:]
    private let threads: Int

    init(threads: Int) { self.threads = threads }

    private struct Outcome: Sendable {
        /// Rows that are duplicates, with the row of the photo that stays.
        var duplicates: [(row: Int, kept: Int)] = []
        var warnings: [LibraryWarning] = []
        var filesOpened = 0
        var bytesRead: Int64 = 0
    }

    /// Sets `isDuplicate` in every row. Compares only one name of each inode: a hard link is not a copy.
    mutating func mark(_ rows: inout [GroupOutcome.Row]) {
        var bySize: [Int64: [Int]] = [:]
        for index in rows.indices {
            rows[index].subject.isDuplicate = false
            let photo = rows[index].subject.photo
            guard photo.format != nil, !photo.isOffline, photo.identity.bytes > 0 else { continue }
            bySize[photo.identity.bytes, default: []].append(index)
        }
        let photos = rows.map(\.subject.photo)
        let buckets = bySize.sorted { $0.key < $1.key }.map { Self.oneOfEachInode($0.value, photos) }
            .filter { $0.count > 1 }
        let outcomes = Workers.map(
            buckets, threads: threads, chunk: 1, worker: { FileComparison() },
            { comparison, bucket in Self.compare(bucket, photos, &comparison) })
        for outcome in outcomes {
            for (row, kept) in outcome.duplicates {
                rows[row].subject.isDuplicate = true
                let copy = KeptCopy(photos[kept])
                keptCopies[photos[row].path] = copy
                keptCopies[copy.path] = copy
            }
            warnings += outcome.warnings
            filesOpened += outcome.filesOpened
            bytesRead += outcome.bytesRead
        }
    }

    /// The first path of each inode, in path order.
    private static func oneOfEachInode(_ indices: [Int], _ photos: [Photo]) -> [Int] {
        var seen: Set<FileID> = []
        return indices.sorted { photos[$0].path < photos[$1].path }.filter {
            seen.insert(photos[$0].identity.id).inserted
        }
    }

    private static func compare(_ bucket: [Int], _ photos: [Photo], _ comparison: inout FileComparison) -> Outcome {
        var outcome = Outcome()
        if Interrupt.isRequested { return outcome }
        let (opened, bytes) = (comparison.filesOpened, comparison.bytesRead)
        let (classes, warnings) = comparison.classes(of: bucket.map { photos[$0].path })
        outcome.warnings = warnings
        for members in classes {
            let members = members.map { bucket[$0] }
            guard let keeper = Duplicates.keeper(of: members.map { photos[$0] }) else { continue }
            let kept = photos[members[keeper]]
            for member in members where member != members[keeper] {
                if holdsNothingOfItsOwn(photos[member], beside: kept, &comparison, &outcome) {
                    outcome.duplicates.append((member, members[keeper]))
                }
            }
        }
        outcome.filesOpened = comparison.filesOpened - opened
        outcome.bytesRead = comparison.bytesRead - bytes
        return outcome
    }

    /// True if every companion has an equal one in the kept unit. A Live Photo whose video differs is not a duplicate,
    /// even if the stills are equal.
    private static func holdsNothingOfItsOwn(
        _ photo: Photo, beside kept: Photo, _ comparison: inout FileComparison, _ outcome: inout Outcome
    ) -> Bool {
        for companion in photo.companions {
            var hasTwin = false
            for other in kept.companions where other.lowercasedExtension == companion.lowercasedExtension {
                do throws(POSIXError) {
                    hasTwin = try comparison.areEqual(companion, other)
                } catch {
                    outcome.warnings.append(LibraryWarning(path: error.path ?? companion, reason: error.reason))
                }
                if hasTwin { break }
            }
            if !hasTwin { return false }
        }
        return true
    }
}

/// Of photos with the same bytes, the one that stays, in its state during the search.
package struct KeptCopy: Hashable, Sendable {
    package var path: FilePath
    package var companions: [FilePath]
    package var identity: FileIdentity

    package init(path: FilePath, companions: [FilePath] = [], identity: FileIdentity) {
        self.path = path
        self.companions = companions
        self.identity = identity
    }

    init(_ photo: Photo) {
        self.init(path: photo.path, companions: photo.companions, identity: photo.identity)
    }
}
