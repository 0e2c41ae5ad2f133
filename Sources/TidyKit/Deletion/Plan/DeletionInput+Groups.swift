/// Photos of a list whose records say which group they are in.
extension DeletionInput {
    /// Adds what a record says of the group of its photo: where another one stays for it, that one is looked at again.
    func note(
        _ photo: ListedPhoto, _ favors: [FilePath: String], _ lookup: inout UnitLookup,
        _ candidate: inout DeletionCandidate
    ) {
        guard let group = photo.group else { return }
        guard group.role == .redundant else {
            candidate.obstacle = candidate.obstacle ?? "the one that stays in its group"
            return
        }
        roots.add(group.keep.directory)
        // The planner finds one that has gone by itself.
        let identity = try? FileStatus.of(group.keep).identity
        var kept = KeptCopy(
            path: group.keep, identity: identity ?? .unknown, sameness: group.sameness)
        do throws(LibraryError) { kept.companions = try lookup.unit(of: group.keep).companions } catch {
            if case .unreadable(let cause) = error, candidate.obstacle == nil {
                candidate.obstacle = "what belongs to the one that stays is not known: \(cause.reason)"
            }
        }
        kept.favor = favors[photo.path.withoutTrailingSlashes]
        candidate.reason = "from a list" + kept.explanation(in: group.kind)
        candidate.kept = kept
    }

    /// What the user has said in favour of photos that could go. The disk and the selections tell it, as a record may
    /// be old, or someone else's.
    func favors(of listed: [ListedPhoto], _ environment: Environment?) -> [FilePath: String] {
        let redundant = listed.filter { $0.group?.role == .redundant && !$0.isOffline }
        guard let environment, !redundant.isEmpty else { return [:] }
        let photos = photos(
            redundant.flatMap { [$0.path.withoutTrailingSlashes, $0.group?.keep].compactMap(\.self) }, environment)
        var locations = LocationCache()
        var favors: [FilePath: String] = [:]
        for listed in redundant {
            let path = listed.path.withoutTrailingSlashes
            guard let photo = photos[path], let keep = listed.group?.keep else { continue }
            var candidate = KeepCandidate(photo)
            candidate.isSelected = grouping.selected.contains(locations.location(of: path))
            let kept = photos[keep] ?? Photo(path: keep, identity: photo.identity)
            favors[path] = candidate.favor(beside: KeepCandidate(kept))
        }
        return favors
    }

    /// The photos of these paths, with their ratings.
    private func photos(_ paths: [FilePath], _ environment: Environment) -> [FilePath: Photo] {
        var query = LibraryQuery(
            operands: Array(Set(paths)).filter { (try? FileStatus.of($0))?.kind == .regular }, order: SortOrder(.none),
            now: now)
        query.includeHidden = true
        query.useIndex = useIndex
        query.detail = .fields([.metadata, .rating])
        guard !query.operands.isEmpty, let found = try? PhotoLibrary.photos(query, environment: environment) else {
            return [:]
        }
        return Dictionary(found.photos.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension KeptCopy {
    /// `; the copy that stays: a.jpg (from the camera (EXIF)); this one is rated 4`
    func explanation(in kind: GroupMembership.Kind?) -> String {
        let noun = kind == .duplicate ? "copy" : "photo"
        return "; the \(noun) that stays: \(path.displayText)" + (reason.map { " (\($0))" } ?? "")
            + (favor.map { "; this one is \($0)" } ?? "")
    }
}
