/// Keeps the selections up to date while files are moved: deleted photos leave them, and undo puts them back in their
/// places.
struct SelectionFollower {
    /// A file that was moved away.
    struct Departure {
        /// Its number in the journal.
        let file: Int
        /// Absolute, as the user named it.
        let named: FilePath
        /// Absolute; its folders contain no symbolic link.
        let location: FilePath
        /// The identity before the move; `new` is the one after it.
        let old: FileIdentity
        let new: FileIdentity
    }

    private let store: SelectionStore
    private var stamp: FileIdentity?
    private var paths: Set<FilePath> = []
    private var files: Set<FileID> = []

    init(_ environment: Environment) { store = SelectionStore(environment) }

    /// Reads the selections if they have changed since the last time.
    private mutating func readMembers() throws(SelectionError) {
        let now = try store.stamp()
        if now == stamp { return }
        stamp = now
        let members = try store.all().flatMap(\.members)
        paths = Set(members.map(\.path))
        files = Set(members.map(\.identity.id))
    }

    /// Removes the departed files from all selections. First writes and syncs their places to the journal.
    mutating func leave(_ departures: [Departure], _ journal: inout JournalFile) throws(SelectionError) {
        try readMembers()
        let gone = departures.filter { isKnown($0) }
        if gone.isEmpty { return }
        var entries: [JournalEntry] = []
        var failure: JournalError?
        try store.changeAll { selections in
            Set(selections.indices.filter { Self.leave(gone, &selections[$0], &entries) })
        } before: {
            for entry in entries { journal.append(entry) }
            do throws(JournalError) { try journal.synchronize() } catch { failure = error }
        }
        if let failure { throw SelectionError.failed(failure.cause) }
        stamp = nil
    }

    private func isKnown(_ departure: Departure) -> Bool {
        paths.contains(departure.named) || paths.contains(departure.location) || files.contains(departure.old.id)
    }

    /// Returns true if the selection changed.
    private static func leave(
        _ gone: [Departure], _ selection: inout Selection, _ entries: inout [JournalEntry]
    ) -> Bool {
        let byPath = Dictionary(
            gone.flatMap { [($0.named, $0), ($0.location, $0)] }, uniquingKeysWith: { first, _ in first })
        let byFile = Dictionary(gone.map { ($0.old.id, $0) }, uniquingKeysWith: { first, _ in first })
        var leaving: Set<FilePath> = []
        var isChanged = false
        var previous: FilePath?
        for (index, member) in selection.members.enumerated() {
            if let departure = byPath[member.path]
                ?? byFile[member.identity.id].flatMap({ isSame(member.path, $0) })
            {
                entries.append(
                    .left(
                        file: departure.file, selection: selection.name, index: index - leaving.count,
                        path: member.path, after: previous))
                leaving.insert(member.path)
                continue
            }
            previous = member.path
            if let departure = byFile[member.identity.id], member.identity == departure.old {
                // Another name of the moved file, whose ctime our rename has changed too.
                selection.setIdentity(departure.new, at: index)
                isChanged = true
            }
        }
        return selection.remove(leaving) > 0 || isChanged
    }

    /// The departure if `path` is another spelling of its path, such as through a link; otherwise nil.
    private static func isSame(_ path: FilePath, _ departure: Departure) -> Departure? {
        guard let folder = try? path.directory.resolved() else { return nil }
        return folder.appending(path.lastComponent) == departure.location ? departure : nil
    }

    /// A file that undo restored.
    struct Arrival {
        /// Its number in the journal.
        let file: Int
        let memberships: [RunHistory.Membership]
        /// Where the file came from; `location` is where it is now.
        let origin: FilePath
        /// The new file that had replaced it in the selections, if that has another name.
        var replacement: FilePath?
        let location: FilePath
        let identity: FileIdentity
    }

    /// Puts the files back into their selections, each in its place. Creates a selection again that was deleted in the
    /// meantime.
    /// - Parameter departures: all files that left in that run, including those that are back already or may return
    ///   later.
    func arrive(_ arrivals: [Arrival], of departures: [RunHistory.Membership]) throws(SelectionError) {
        let arriving = Set(arrivals.flatMap(\.memberships).map(\.order))
        let others = departures.filter { !arriving.contains($0.order) }
        let names = Set(arrivals.flatMap(\.memberships).map(\.selection))
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let places = arrivals.flatMap { arrival in
                arrival.memberships.filter { $0.selection == name }.map { (arrival, $0) }
            }
            try store.change(name) { (selection) throws(SelectionError) in
                // Backwards, so that each file finds the selection as it was when it left.
                for (arrival, place) in places.sorted(by: { $0.1.order > $1.1.order }) {
                    Self.reinsert(arrival, at: place, others, into: &selection)
                }
            }
        }
    }

    private static func reinsert(
        _ arrival: Arrival, at place: RunHistory.Membership, _ others: [RunHistory.Membership],
        into selection: inout Selection
    ) {
        let path = arrival.location == arrival.origin ? place.path : arrival.location
        // The last restored file that was between this one and the preceding member.
        let nearer = others.last { other in
            other.selection == selection.name && other.after == place.after && other.order < place.order
                && selection.contains(other.path)
        }
        selection.reinsert(
            Selection.Member(path: path, identity: arrival.identity), index: place.index,
            after: nearer?.path ?? place.after)
    }

    /// Updates the identities of the files that are members.
    func refresh(_ arrivals: [Arrival]) throws(SelectionError) {
        if arrivals.isEmpty { return }
        let byPath = Dictionary(arrivals.map { ($0.location, $0) }, uniquingKeysWith: { first, _ in first })
        // Several folders may contain files of the same name.
        let byReplacement = Dictionary(grouping: arrivals.filter { $0.replacement != nil }) {
            $0.replacement?.lastComponent
        }
        try store.changeAll { selections in
            Set(selections.indices.filter { Self.refresh(&selections[$0], byPath, byReplacement) })
        }
    }

    /// Returns true if the selection changed.
    private static func refresh(
        _ selection: inout Selection, _ byPath: [FilePath: Arrival],
        _ byReplacement: [ArraySlice<UInt8>?: [Arrival]]
    ) -> Bool {
        var isChanged = false
        for (place, member) in selection.members.enumerated() {
            let others = byReplacement[member.path.lastComponent] ?? []
            let originals = others.lazy.compactMap { arrival in
                original(of: member.path, arrival).map { ($0, arrival.identity) }
            }
            if let (original, identity) = originals.first, !selection.contains(original) {
                selection.setPath(original, at: place)
                selection.setIdentity(identity, at: place)
                isChanged = true
            } else if let arrival = byPath[member.path], member.identity != arrival.identity {
                selection.setIdentity(arrival.identity, at: place)
                isChanged = true
            }
        }
        return isChanged
    }

    /// The path of the original if `path` is the new file that undo removed, in any spelling; otherwise nil.
    private static func original(of path: FilePath, _ arrival: Arrival) -> FilePath? {
        guard let replacement = arrival.replacement, arrival.location == arrival.origin,
            path == replacement || (try? path.directory.resolved()) == replacement.directory
        else { return nil }
        return path.directory.appending(arrival.location.lastComponent)
    }

    /// Updates members whose file `old` was replaced by `new`: they keep their place and get the new path and identity.
    func replace(_ old: FilePath, with new: FilePath, identity: FileIdentity) throws(SelectionError) {
        try store.changeAll { selections in
            Set(
                selections.indices.filter { index in
                    guard let place = selections[index].members.firstIndex(where: { $0.path == old }) else {
                        return false
                    }
                    if !selections[index].contains(new) { selections[index].setPath(new, at: place) }
                    selections[index].setIdentity(identity, at: place)
                    return true
                })
        }
    }
}
