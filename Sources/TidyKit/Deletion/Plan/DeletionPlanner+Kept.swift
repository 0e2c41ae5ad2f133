/// A copy is deleted because another copy stays. If the user removes that one in the meantime, the planned copy is the
/// last one and must stay.
extension DeletionPlanner {
    /// Adds the files of the copy that stays to the item, and checks them.
    mutating func note(_ kept: KeptCopy, for item: inout DeletionPlan.Item) {
        item.favor = kept.favor
        item.sameness = kept.sameness
        guard item.status == .ready else { return }
        let kinds = Set(item.members.dropFirst().map(\.path.lowercasedExtension))
        let companions = kept.companions.filter { kinds.contains($0.lowercasedExtension) }
        for path in [kept.path] + companions {
            do throws(POSIXError) {
                let location = try facts(of: path.directory).get().path.appending(path.lastComponent)
                let now = try status(at: location).identity
                if item.members.contains(where: { $0.identity.id == now.id }) {
                    return set(&item, .changed, "\(item.keeper) is the same file: \(path.displayText)")
                }
                let isMain = path == kept.path
                item.kept.append(
                    DeletionPlan.Member(path: path, location: location, identity: isMain ? kept.identity : now))
            } catch {
                return set(&item, .changed, DeletionPlan.Member.reasonAgainstCopies(item.keeper, path, error))
            }
        }
        checkKept(&item)
        noteClones(&item)
        guard item.status == .ready, options.verification == .hash else { return }
        for index in item.kept.indices {
            let copy = item.kept[index]
            do throws(POSIXError) {
                item.kept[index].hash = try ContentHash.sha256(of: openForReading(copy.location))
            } catch {
                return set(&item, .changed, DeletionPlan.Member.reasonAgainstCopies(item.keeper, copy.path, error))
            }
        }
    }

    /// Whether the files of a copy share their blocks with what stays. Only the files of groups are asked.
    mutating func noteClones(_ item: inout DeletionPlan.Item) {
        let mark = "; a clone that shares its blocks with that copy: deleting it frees nothing"
        if let reason = item.reason, reason.hasSuffix(mark) { item.reason = String(reason.dropLast(mark.count)) }
        guard item.status == .ready, item.sameness != nil else { return }
        for index in item.members.indices {
            let member = item.members[index]
            item.members[index].isClone = item.twins(of: member).contains { member.compared.isClone(of: $0.compared) }
        }
        if item.isClone { item.reason = (item.reason ?? "") + mark }
    }

    func checkKept(_ item: inout DeletionPlan.Item) {
        for copy in item.kept {
            // Whoever empties a trash would remove the last one.
            do throws(Refusal) { try forbidden.check(copy.location, named: copy.path) } catch {
                let place = "in a trash, or in a place that phototidy does not touch"
                return set(&item, .changed, "\(item.keeper) is \(place): \(copy.path.displayText)")
            }
            if item.members.contains(where: { $0.identity.id == copy.identity.id }) {
                return set(&item, .changed, "\(item.keeper) is the same file: \(copy.path.displayText)")
            }
            if let reason = copy.reasonAgainstCopies(item.keeper) { return set(&item, .changed, reason) }
        }
        if let reason = item.reasonAgainstLonelyCompanion { set(&item, .changed, reason) }
    }

    /// A copy that stays must not be deleted by another item of the plan.
    func checkKeptStay(_ plan: inout DeletionPlan) {
        guard plan.items.contains(where: { !$0.kept.isEmpty }) else { return }
        // By its inode too: on some filesystems `A.JPG` and `a.jpg` are one name.
        let members = plan.items.lazy.filter { $0.status == .ready }.flatMap(\.members)
        let (going, files) = (Set(members.map(\.location)), Set(members.map(\.identity.id)))
        for index in plan.items.indices where plan.items[index].status == .ready {
            let kept = plan.items[index].kept
            guard let copy = kept.first(where: { going.contains($0.location) || files.contains($0.identity.id) }) else {
                continue
            }
            set(&plan.items[index], .changed, "\(plan.items[index].keeper) is to go too: \(copy.path.displayText)")
        }
    }
}

extension DeletionPlan.Member {
    /// For a file of the copy that stays: why its copies must stay too; nil if they may be deleted. Ignores the ctime:
    /// new permissions or a second name do not make it another picture.
    /// - Parameter keeper: as `DeletionPlan.Item.keeper`.
    func reasonAgainstCopies(_ keeper: String) -> String? {
        do throws(POSIXError) {
            var isSame = true
            if let hash { isSame = try ContentHash.sha256(of: FileDescriptor.openForReading(location)) == hash }
            let now = try FileStatus.of(location)
            isSame = isSame && now.kind == .regular && now.identity.matchesContent(of: identity)
            return isSame ? nil : "\(keeper) has changed: \(path.displayText)"
        } catch { return Self.reasonAgainstCopies(keeper, path, error) }
    }

    fileprivate var compared: ComparedFile { ComparedFile(path: location, identity: identity) }

    static func reasonAgainstCopies(_ keeper: String, _ path: FilePath, _ error: POSIXError) -> String {
        error.isMissing
            ? "\(keeper) has gone: \(path.displayText)"
            : "\(keeper) cannot be read (\(error.reason)): \(path.displayText)"
    }
}

extension DeletionPlan.Item {
    /// What its group keeps, in words. Look-alikes and the shots of a burst are no copies of each other.
    var keeper: String { sameness == nil ? "the photo that stays" : "the copy that stays" }

    /// What a file of this copy is compared with: the main file that stays, or its companions of the same kind.
    fileprivate func twins(of member: DeletionPlan.Member) -> [DeletionPlan.Member] {
        if member.path == path { return Array(kept.prefix(1)) }
        return kept.dropFirst().filter { $0.path.lowercasedExtension == member.path.lowercasedExtension }
    }

    /// Why a copy must stay that has a companion of which what stays has none, such as the video of a Live Photo.
    fileprivate var reasonAgainstLonelyCompanion: String? {
        guard sameness != nil, !kept.isEmpty else { return nil }
        // A sidecar that others share belongs to none of them alone.
        let lonely = members.first { $0.siblings.isEmpty && $0.path != path && twins(of: $0).isEmpty }
        return lonely.map { "the copy that stays has no \(FilePath($0.path.lastComponent).displayText)" }
    }

    /// Reads the copy and what stays for it, right before it goes: why it must stay; nil where it may go. A file that
    /// was written in place under its old time stamps shows only so.
    func reasonAgainstContent() throws(POSIXError) -> String? {
        guard let sameness, let main = kept.first else { return nil }
        if let reason = reasonAgainstLonelyCompanion { return reason }
        var comparison = FileComparison()
        for member in members where member.siblings.isEmpty {
            var isSame = false
            for twin in twins(of: member) where !isSame {
                if let reason = twin.reasonAgainstCopies(keeper) { return reason }
                let compared = member.path == path ? sameness : .bytes
                isSame = try compared.holds(between: twin.compared, and: member.compared, &comparison)
            }
            if !isSame { return "it is no longer a copy of what stays: \(main.path.displayText)" }
        }
        return nil
    }
}
