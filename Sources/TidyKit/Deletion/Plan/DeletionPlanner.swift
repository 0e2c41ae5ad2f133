/// Checks on the disk whether each photo can be deleted, so that the dry run finds everything that the run would find.
/// Changes nothing, and opens files only to hash them.
package struct DeletionPlanner {
    let options: DeletionOptions
    let forbidden: ForbiddenPlaces
    private let protected: ProtectedPaths
    private var locator: TrashLocator
    private let roots: LibraryRoots
    private var folders: [FilePath: Result<FolderFacts, POSIXError>] = [:]
    private var open = OpenFolders()

    /// Throws a refusal if a protected path does not exist.
    /// - Parameter roots: the folders of the candidates, resolved when they were named.
    package init(
        _ options: DeletionOptions, environment: Environment, roots: LibraryRoots = LibraryRoots()
    ) throws(DeletionError) {
        self.options = options
        self.roots = roots
        forbidden = ForbiddenPlaces(environment)
        locator = TrashLocator(environment)
        do { protected = try ProtectedPaths(options.protected) } catch { throw .refused(error) }
    }

    /// Trashes that exist and cannot be used, with the reason.
    package var notes: [String] { locator.notes }

    /// The plan for `candidates`, in their order; a photo that is named twice is in it once. Throws if a safety rule
    /// forbids the whole run.
    package mutating func plan(
        _ candidates: [DeletionCandidate], id: RunID, timeNs: Int64
    ) throws(DeletionError) -> DeletionPlan {
        var protectedPaths: [FilePath] = []
        for path in options.protected {
            do throws(POSIXError) {
                protectedPaths.append(ProtectedPaths.isGlob(path) ? path : try path.absolute())
            } catch { throw .failed(error) }
        }
        var plan = DeletionPlan(id: id, timeNs: timeNs, options: options, protected: protectedPaths)
        var seen: Set<FilePath> = []
        var shared: [SharedSidecar] = []
        for candidate in candidates {
            guard let item = try item(candidate, seen: &seen) else { continue }
            plan.items.append(item)
            collect(candidate.unit.shared, &shared)
        }
        checkKeptStay(&plan)
        try assign(shared, to: &plan)
        plan.root = DeletionPlan.root(of: plan.items.lazy.flatMap(\.members).map(\.location)) ?? .root
        try checkBounds(plan)
        return plan
    }

    private func checkBounds(_ plan: DeletionPlan) throws(DeletionError) {
        if let limit = options.maxFiles, plan.files > limit { throw .refused(.tooManyFiles(plan.files, limit: limit)) }
        if let limit = options.maxBytes, plan.bytes > limit { throw .refused(.tooManyBytes(plan.bytes, limit: limit)) }
    }

    /// The item for a candidate; nil if the photo is already in the plan.
    private mutating func item(
        _ candidate: DeletionCandidate, seen: inout Set<FilePath>
    ) throws(DeletionError) -> DeletionPlan.Item? {
        let unit = candidate.unit
        if options.companions == .refuse, let companion = unit.companions.first {
            throw .refused(.hasCompanions(unit.main, companion: companion))
        }
        var item = DeletionPlan.Item(path: unit.main, status: .ready, reason: candidate.reason, taken: candidate.taken)
        if let obstacle = candidate.obstacle { set(&item, .denied, obstacle) }
        for path in [unit.main] + unit.companions {
            let path = path.withoutTrailingSlashes
            let place: (folder: FolderFacts, location: FilePath)
            switch facts(of: path.directory) {
            case .failure(let error):
                // An unreachable file has no better name than its path, so the same path is the same item.
                guard path != unit.main.withoutTrailingSlashes || seen.insert(path).inserted else { return nil }
                fail(&item, error)
                continue
            case .success(let folder): place = (folder, folder.path.appending(path.lastComponent))
            }
            guard seen.insert(place.location).inserted else {
                if path == unit.main.withoutTrailingSlashes { return nil }
                continue
            }
            do { try forbidden.check(place.location, named: path) } catch { throw .refused(error) }
            let recorded = path == unit.main ? candidate.recorded : nil
            add(path, at: place.location, in: place.folder, to: &item, expecting: recorded.map { .record($0) } ?? .any)
        }
        if item.status == .ready, candidate.isOffline || CloudStub.originalName(Array(unit.main.lastComponent)) != nil {
            set(&item, .offline, "its content is in the cloud")
        }
        if item.status == .ready, options.verification == .hash { hash(&item) }
        if let kept = candidate.kept { note(kept, for: &item) }
        return item
    }

    /// Sets the status unless an earlier obstacle has set it.
    func set(_ item: inout DeletionPlan.Item, _ status: DeletionPlan.Status, _ reason: String?) {
        guard item.status == .ready else { return }
        item.status = status
        item.reason = reason
    }

    /// Sets the status of a file that cannot be reached.
    private func fail(_ item: inout DeletionPlan.Item, _ error: POSIXError) {
        if error.isLinkOnTheWay { return set(&item, .changed, error.reasonOnTheWay) }
        set(&item, error.isMissing ? .missing : .denied, error.isMissing ? "no such file" : error.reason)
    }

    /// The folder of a candidate. The links in its path were resolved when the candidate was named.
    mutating func facts(of folder: FilePath) -> Result<FolderFacts, POSIXError> {
        if let known = folders[folder] { return known }
        let result = Result { () throws(POSIXError) in
            let folder = try roots.open(folder: folder)
            open.add(folder)
            return try FolderFacts(folder, needsAncestors: !options.protected.isEmpty)
        }
        folders[folder] = result
        return result
    }

    /// A folder that a plan names: absolute, with its links resolved when the plan was made.
    private mutating func facts(at location: FilePath) -> Result<FolderFacts, POSIXError> {
        roots.add(resolved: location)
        return facts(of: location)
    }

    /// The status of a file; its path contains no link.
    mutating func status(at location: FilePath) throws(POSIXError) -> FileStatus {
        try open.folder(location.directory).descriptor.status(of: FilePath(location.lastComponent))
    }

    mutating func openForReading(_ location: FilePath) throws(POSIXError) -> FileDescriptor {
        try open.folder(location.directory).descriptor.openForReading(FilePath(location.lastComponent))
    }

    /// What is known about a file before the planner reads its status.
    enum Expectation {
        case any
        /// From a photo record, whose numbers other programs may have rounded.
        case record(FileIdentity)
        /// From a plan, whose numbers are exact.
        case exact(FileIdentity)

        func difference(of identity: FileIdentity) -> String? {
            switch self {
            case .any: nil
            case .record(let recorded): identity.difference(fromRecord: recorded)
            case .exact(let planned): identity.difference(from: planned)
            }
        }
    }

    /// Adds a file to the item, and marks the item if the file cannot be deleted.
    mutating func add(
        _ path: FilePath, at location: FilePath, in folder: FolderFacts, to item: inout DeletionPlan.Item,
        expecting expected: Expectation = .any
    ) {
        let (status, parent): (FileStatus, OpenFolder)
        do throws(POSIXError) {
            parent = try open.folder(folder.path)
            status = try parent.descriptor.status(of: FilePath(location.lastComponent))
        } catch { return fail(&item, error) }
        var identity = status.identity
        // The length of a link or of a folder is not the size of a photo.
        if status.kind != .regular { identity.bytes = 0 }
        item.members.append(DeletionPlan.Member(path: path, location: location, identity: identity))
        item.members[item.members.count - 1].linkCount = status.linkCount
        let name = FilePath(location.lastComponent)
        switch status.kind {
        case .regular: break
        case .symbolicLink: return set(&item, .denied, "a symbolic link: neither it nor what it points to is deleted")
        case .directory: return set(&item, .denied, "a folder")
        case .other: return set(&item, .denied, "no regular file")
        }
        if protected.covers(path, in: folder) {
            return set(
                &item, .protected, path == item.path ? "protected" : "its companion \(path.displayText) is protected")
        }
        if let difference = expected.difference(of: status.identity) {
            return set(&item, .changed, difference + " since it was chosen")
        }
        if let obstacle = folder.obstacle(to: status, named: name, in: parent.descriptor) {
            return set(&item, .denied, obstacle)
        }
        checkTrash(folder, &item)
    }

    private mutating func checkTrash(_ folder: FolderFacts, _ item: inout DeletionPlan.Item) {
        guard options.mode == .trash, locator.sites(for: folder.path, on: folder.mount).isEmpty else { return }
        if options.copiesToHomeTrash, locator.homeIsUsable() { return }
        if item.status == .ready { item.lacksTrash = true }
        set(
            &item, .denied,
            options.copiesToHomeTrash
                ? "no trash on its filesystem, and the home trash cannot be written"
                : "no trash on its filesystem: --copy-to-home-trash copies it to the home trash")
    }

    mutating func hash(_ item: inout DeletionPlan.Item) {
        for index in item.members.indices where item.members[index].hash == nil {
            let member = item.members[index]
            do throws(POSIXError) {
                item.members[index].hash = try ContentHash.sha256(of: openForReading(member.location))
            } catch { return set(&item, .denied, "cannot be read: \(error.reason)") }
        }
    }
}

extension DeletionPlanner {
    /// Checks a saved plan again: changed photos are marked, photos that an earlier run of this plan moved are
    /// `trashed` with the reason `earlier`, and photos that were not ready are unchanged.
    package mutating func renew(_ saved: DeletionPlan, history: RunHistory?) throws(DeletionError) -> DeletionPlan {
        var earlier: [FilePath: JournalEntry.Operation] = [:]
        // Restored by undo: our own renames changed the ctime, which matters only between a plan and its move.
        var returned: Set<FilePath> = []
        for step in history?.steps ?? [] where step.outcome != .kept {
            if step.isSettled {
                returned.insert(step.intent.path)
            } else {
                earlier[step.intent.path] = step.intent.operation
            }
        }
        returned.subtract(earlier.keys)
        var plan = saved
        plan.protected += options.protected.compactMap { ProtectedPaths.isGlob($0) ? $0 : try? $0.absolute() }
        for index in plan.items.indices where plan.items[index].status == .ready {
            for member in plan.items[index].members.indices {
                let planned = plan.items[index].members[member]
                guard returned.contains(planned.location), let now = try? status(at: planned.location),
                    now.identity.matchesContent(of: planned.identity)
                else { continue }
                plan.items[index].members[member].identity = now.identity
            }
            try renew(&plan.items[index], earlier: earlier)
        }
        checkKeptStay(&plan)
        reassignShared(&plan, saved)
        try checkBounds(plan)
        return plan
    }

    private mutating func renew(
        _ item: inout DeletionPlan.Item, earlier: [FilePath: JournalEntry.Operation]
    ) throws(DeletionError) {
        let planned = item.members
        item.members = []
        // A kill may have split the photo: the files that are left follow the others.
        var left: [DeletionPlan.Member] = []
        for member in planned {
            // Killed before the outcome was written: only the disk shows whether the file was moved.
            if earlier[member.location] != nil {
                guard let now = try? status(at: member.location),
                    now.identity.difference(from: member.identity) == nil
                else { continue }
            }
            left.append(member)
        }
        if left.isEmpty, let first = planned.first {
            item.members = planned
            item.status = earlier[first.location] == .erase ? .erased : .trashed
            item.reason = "earlier"
            return
        }
        for member in left {
            switch facts(at: member.location.directory) {
            case .failure(let error): fail(&item, error)
            case .success(let folder):
                do { try forbidden.check(member.location, named: member.path) } catch { throw .refused(error) }
                add(
                    member.path, at: member.location, in: folder, to: &item, expecting: .exact(member.identity))
            }
        }
        let counts = item.members.map { ($0.location, $0.linkCount) }
        let linkCounts = Dictionary(counts, uniquingKeysWith: { first, _ in first })
        item.members = left
        for index in left.indices { item.members[index].linkCount = linkCounts[left[index].location] ?? 1 }
        checkKept(&item)
        noteClones(&item)
    }
}
