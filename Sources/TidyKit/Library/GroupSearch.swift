internal import Synchronization

/// Puts the photos of a search into groups, and says of each whether it is one that could go.
struct GroupSearch {
    private let request: GroupRequest
    private let kind: GroupingKind
    private let operands: OperandOrder
    private let threads: Int
    private var locations = LocationCache()
    private(set) var signatures: SignatureSearch
    private(set) var duplicates: DuplicateSearch
    /// Of each photo of a group of which one could go, the one that stays, which may be itself.
    private(set) var kept: [FilePath: KeptCopy] = [:]
    /// For each photo, those with which it would be in a group if the user had not said that they are not alike.
    private(set) var keptApart: [FilePath: [FilePath]] = [:]

    /// A group as rows, what stays first.
    struct RowGroup {
        var keep: Int
        var members: [(row: Int, distance: Int?)]
        /// Why all of them stay; nil where only the first does.
        var set: ShotSet?
    }

    /// - Parameter contents: for copies, which files hold the same bytes.
    init(
        _ query: LibraryQuery, kind: GroupingKind, contents: [FileID: Int], threads: Int, signatures: SignatureSearch
    ) {
        request = query.grouping
        self.kind = kind
        operands = OperandOrder(query.operands)
        self.threads = threads
        self.signatures = signatures
        duplicates = DuplicateSearch(contents, threads: threads, progress: signatures.progress)
    }

    /// Sets `photo.group` and `isRedundant` in every row.
    mutating func mark(_ rows: inout [GroupOutcome.Row], _ index: inout MetadataIndex) {
        var candidates = rows.map { candidate($0) }
        for group in groups(rows, &candidates, &index) {
            assign(group, &rows, candidates)
        }
        let partnered = filesWithPartner(rows)
        for row in rows.indices {
            let isAsked = rows[row].isMatch && !candidates[row].isProtected
            let photo = rows[row].subject.photo
            rows[row].subject.isRedundant =
                isAsked
                && (request.isUnique ? !partnered.contains(photo.identity.id) : photo.group?.role == .redundant)
        }
    }

    /// For `--unique`: the files that have a partner, by all their names. A second name is in no group, but it is the
    /// same photo. With `--against` only a partner there counts: of two copies of a new photo neither is there yet.
    private mutating func filesWithPartner(_ rows: [GroupOutcome.Row]) -> Set<FileID> {
        guard request.isUnique else { return [] }
        let against = request.against.compactMap { try? PlacePattern(folder: $0) }
        var places: [FilePath: [FilePath]] = [:]
        for row in rows {
            if let group = row.subject.photo.group { places[group.keep, default: []].append(row.subject.photo.path) }
        }
        var files: Set<FileID> = []
        for row in rows {
            let photo = row.subject.photo
            if against.isEmpty {
                if photo.group != nil { files.insert(photo.identity.id) }
                continue
            }
            // What lies there stays before all others, but for places that are protected too.
            for path in [photo.path] + (photo.group.map { places[$0.keep] ?? [$0.keep] } ?? []) {
                let location = locations.location(of: path)
                guard against.contains(where: { $0.covers(path, at: location) }) else { continue }
                files.insert(photo.identity.id)
                break
            }
        }
        return files
    }

    // MARK: Groups

    private mutating func groups(
        _ rows: [GroupOutcome.Row], _ candidates: inout [KeepCandidate], _ index: inout MetadataIndex
    ) -> [RowGroup] {
        let order = KeepOrder(request.keep)
        switch kind {
        case .sameBytes, .samePixels:
            let classes = duplicates.classes(rows, kind)
            return classes.flatMap { members -> [RowGroup] in
                let sorted = members.sorted { order.prefers(candidates[$0], to: candidates[$1]) }
                return duplicates.split(Self.oneOfEachInode(sorted, rows), rows)
            }
        case .similar(let distance):
            let photos = rows.map(\.subject.photo)
            let found = signatures.confirmed(photos, within: distance, &index)
            for row in rows.indices { candidates[row].sharpness = found[row]?.sharpness }
            let ranked = Self.oneOfEachInode(
                rows.indices.sorted { order.prefers(candidates[$0], to: candidates[$1]) }, rows)
            let isProtected = ranked.map { candidates[$0].isProtected }
            let areApart = request.areApart
            let apart = PairList()
            defer { keptApart = apart.named(photos) }
            return LookAlikes.groups(
                ranked.map { found[$0] }, within: distance, threads: threads, progress: signatures.matching
            ) { left, right in
                let (one, other) = (ranked[left], ranked[right])
                guard !(isProtected[left] && isProtected[right]), photos[one].mayLookLike(photos[other]) else {
                    return false
                }
                guard areApart?(photos[one], photos[other]) == true else { return true }
                apart.add(one, other)
                return false
            }.map { group in
                RowGroup(keep: ranked[group.keep], members: group.members.map { (ranked[$0.index], $0.distance) })
            }
        case .burst(let seconds):
            let shots = rows.map { BurstShot($0.subject) }
            let sequences = BurstSequences.find(in: shots, seconds: seconds)
            let members = sequences.filter { $0.set == nil }.flatMap(\.members)
            let found = signatures.sharpness(of: members.map { rows[$0].subject.photo }, &index)
            for (row, sharpness) in zip(members, found) { candidates[row].sharpness = sharpness }
            return sequences.compactMap { sequence in
                let sorted = Self.oneOfEachInode(
                    sequence.members.sorted { order.prefers(candidates[$0], to: candidates[$1]) }, rows)
                guard sorted.count > 1 else { return nil }
                return RowGroup(
                    keep: sorted[0], members: sorted.dropFirst().map { ($0, nil) }, set: sequence.set)
            }
        }
    }

    /// Of the names of one inode the first, which is the one that would stay: a second name holds no second copy.
    private static func oneOfEachInode(_ sorted: [Int], _ rows: [GroupOutcome.Row]) -> [Int] {
        var seen: Set<FileID> = []
        return sorted.filter { seen.insert(rows[$0].subject.photo.identity.id).inserted }
    }

    /// The members of all groups of which one matches, each group together and what stays first.
    func whole(_ rows: [GroupOutcome.Row], matches: (Subject) -> Bool) -> [GroupOutcome.Row] {
        var shown: Set<FilePath> = []
        for row in rows where row.isMatch && matches(row.subject) {
            if let group = row.subject.photo.group { shown.insert(group.keep) }
        }
        return rows.compactMap { row in
            guard let group = row.subject.photo.group, shown.contains(group.keep) else { return nil }
            var row = row
            row.isMatch = true
            return row
        }
    }

    private mutating func assign(
        _ group: RowGroup, _ rows: inout [GroupOutcome.Row], _ candidates: [KeepCandidate]
    ) {
        let order = KeepOrder(request.keep)
        let keep = rows[group.keep].subject.photo
        let common = GroupMembership.Group(
            kind: kind.membership, size: group.members.count + 1, keep: keep.path, set: group.set,
            sameness: kind.sameness)
        let runnerUp = group.members.first?.row ?? group.keep
        rows[group.keep].subject.photo.group = GroupMembership(
            common, role: .keep, distance: kind.ownDistance,
            reason: group.set?.rawValue ?? order.reason(candidates[group.keep], over: candidates[runnerUp]),
            sharpness: candidates[group.keep].sharpness)
        for (row, distance) in group.members {
            let stays = group.set != nil || candidates[row].isProtected
            let reason: String =
                if let set = group.set {
                    set.rawValue
                } else if candidates[row].isProtected {
                    "in a protected place"
                } else {
                    order.reason(candidates[group.keep], over: candidates[row])
                }
            rows[row].subject.photo.group = GroupMembership(
                common, role: stays ? .keep : .redundant, distance: distance, reason: reason,
                sharpness: candidates[row].sharpness)
            if !stays {
                var copy = KeptCopy(keep, sameness: kind.sameness, reason: reason)
                copy.favor = candidates[row].favor(beside: candidates[group.keep])
                kept[rows[row].subject.photo.path] = copy
                kept[keep.path] = KeptCopy(keep, sameness: kind.sameness)
            }
        }
    }

    // MARK: What stays

    private mutating func candidate(_ row: GroupOutcome.Row) -> KeepCandidate {
        let photo = row.subject.photo
        var candidate = KeepCandidate(photo)
        candidate.isWished = row.isMatch
        candidate.isFromCamera = row.subject.isFromCamera
        if request.keep.contains(.first) { candidate.operand = operands.place(of: photo.path) }
        if request.preferred.isEmpty, request.protected.isEmpty, request.selected.isEmpty { return candidate }
        let location = locations.location(of: photo.path)
        candidate.isProtected = request.protected.contains { $0.covers(photo.path, at: location) }
        candidate.preference = request.preferred.firstIndex { $0.covers(photo.path, at: location) }
        candidate.isSelected = request.selected.contains(location)
        return candidate
    }
}

/// Which operand a photo is found below, in time that does not grow with the operands.
struct OperandOrder {
    private var places: [FilePath: Int] = [:]
    private let count: Int

    init(_ operands: [FilePath]) {
        count = operands.count
        for (place, operand) in operands.enumerated() {
            let operand = operand.withoutTrailingSlashes
            if places[operand] == nil { places[operand] = place }
        }
    }

    /// The first of the operands that are the path or a folder above it, counted from 0; their number where none is.
    func place(of path: FilePath) -> Int {
        var first: Int?
        var folder = path
        while true {
            if let place = places[folder] { first = min(first ?? place, place) }
            let parent = folder.directory
            if parent == folder || parent == .current { break }
            folder = parent
        }
        return first ?? places[.current] ?? count
    }
}

/// Pairs that several threads find.
private final class PairList: Sendable {
    private let pairs = Mutex<[(Int, Int)]>([])

    func add(_ left: Int, _ right: Int) { pairs.withLock { $0.append((left, right)) } }

    func named(_ photos: [Photo]) -> [FilePath: [FilePath]] {
        var named: [FilePath: [FilePath]] = [:]
        for (left, right) in pairs.withLock({ $0 }) {
            named[photos[left].path, default: []].append(photos[right].path)
            named[photos[right].path, default: []].append(photos[left].path)
        }
        return named.mapValues { $0.sorted() }
    }
}

extension Subject {
    /// EXIF names date and model, and nothing names an editor or a messenger.
    var isFromCamera: Bool {
        guard photo.model != nil, let source = photo.taken?.source, source.isOfCamera else { return false }
        return !shot.isEdited && !MessengerName.matches(photo.path.lastComponent)
    }
}

extension BurstShot {
    init(_ subject: Subject) {
        self.init(
            path: subject.photo.path, make: subject.photo.make, model: subject.photo.model, taken: subject.photo.taken,
            traits: subject.shot)
    }
}

extension GroupingKind {
    fileprivate var membership: GroupMembership.Kind {
        switch self {
        case .sameBytes, .samePixels: .duplicate
        case .similar: .similar
        case .burst: .burst
        }
    }

    fileprivate var sameness: ContentSameness? {
        switch self {
        case .sameBytes: .bytes
        case .samePixels: .pixels
        case .similar, .burst: nil
        }
    }

    /// Of the one that stays, from itself.
    fileprivate var ownDistance: Int? { if case .burst = self { nil } else { 0 } }
}
