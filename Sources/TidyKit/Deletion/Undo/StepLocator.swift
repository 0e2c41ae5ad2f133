internal import Glibc

/// Where a file of a run is now. The journal says what was intended; only the disk shows what was done.
enum StepLocation: Equatable {
    /// In the trash, and nowhere else.
    case trash
    /// Where it came from; it was never moved, or is back.
    case origin
    /// Where an earlier undo put it.
    case target
    /// Where undo was bringing it, and in the trash still: undo was killed before the last step.
    case both
    /// Under the private name that it got before it was to be erased or replaced; its own is taken, or undo only looks.
    case aside
    /// The trash contains another file, or the file was changed there.
    case changedInTrash
    /// The trash is there and the file is not: the trash was emptied, or the file restored to another place.
    case lost
    /// The trash cannot be opened; its disk may not be mounted.
    case unreachable(POSIXError)
}

/// Finds where the files of one run are. Each trash and each folder is opened once.
struct StepLocator {
    let id: RunID
    /// For lists: places that do not answer are left out. Nil asks them all.
    private let reach: ReachablePaths?
    /// What the environment calls the home trash; nil where no journal is read.
    private let home: FilePath?
    private var trashes: [FilePath: Result<Trash, POSIXError>] = [:]
    var folders = OpenFolders()

    init(id: RunID, _ environment: Environment? = nil, _ reach: ReachablePaths? = nil) {
        self.id = id
        self.reach = reach
        home = environment.map { TrashSite.home($0).root }
    }

    mutating func trash(of step: RunHistory.Step) -> Result<Trash, POSIXError> {
        guard let root = step.intent.trash else { return .failure(POSIXError(code: ENOENT, operation: "open")) }
        let site = TrashSite(root: root)
        // A file comes from below the top folder of its trash: a journal that says else is not believed.
        guard site.canHold(step.intent.path) else {
            return .failure(POSIXError(code: EPERM, operation: "open", path: root))
        }
        if let known = trashes[root] { return known }
        guard isBelieved(site) else { return .failure(POSIXError(code: EPERM, operation: "open", path: root)) }
        let result = Result { () throws(POSIXError) in
            if let reach, !reach.answers(root) { throw POSIXError(code: ETIMEDOUT, operation: "open", path: root) }
            return try Trash(site, creating: false)
        }
        trashes[root] = result
        return result
    }

    /// What bears no name of a disk's trash is the home trash, or what was one on the same disk: a journal that names a
    /// folder of another disk could have anything come out of it.
    private func isBelieved(_ site: TrashSite) -> Bool {
        guard let home, site.top == nil, site.root != home else { return true }
        if let reach, !reach.answers(site.root) { return true }
        guard let root = try? FileStatus.of(site.root, followLinks: true) else { return true }
        var folder = home
        while folder != .root {
            if let status = try? FileStatus.of(folder, followLinks: true) {
                return status.id.device == root.id.device
            }
            folder = folder.directory
        }
        return false
    }

    mutating func location(of step: RunHistory.Step) -> StepLocation {
        let place = locationWithoutAside(step)
        switch place {
        // Killed before the original went: what the trash has is its double, and the original takes its name again.
        case .trash where step.intent.operation != .replace && step.isUncertain && isFree(step.intent.path):
            return isAside(step) ? .aside : place
        case .trash, .both, .changedInTrash: return place
        default: return isAside(step) ? .aside : place
        }
    }

    private mutating func isFree(_ path: FilePath) -> Bool {
        if let reach, !reach.answers(path) { return false }
        do throws(POSIXError) {
            _ = try folders.status(of: path)
            return false
        } catch { return error.code == ENOENT }
    }

    /// Whether there is a file under the private name that is not just a second name of the file in its own place.
    private mutating func isAside(_ step: RunHistory.Step) -> Bool {
        guard let aside = step.aside, reach?.answers(aside) ?? true, let status = try? folders.status(of: aside),
            status.kind == .regular
        else { return false }
        return (try? folders.status(of: step.intent.path))?.identity != status.identity
    }

    private mutating func locationWithoutAside(_ step: RunHistory.Step) -> StepLocation {
        let trash: Trash
        switch self.trash(of: step) {
        case .success(let open): trash = open
        case .failure(let error):
            if isAt(step.intent.path, step) { return .origin }
            if let target = step.target, isAt(target, step) { return .target }
            return step.isUncertain && error.isMissing ? .lost : .unreachable(error)
        }
        let name = step.intent.name ?? FilePath([])
        let inTrash: FileStatus?
        do throws(POSIXError) { inTrash = try status(of: name, step, in: trash) } catch {
            return .unreachable(error)
        }
        if let inTrash, isOurs(inTrash.identity, step, trash, name) {
            // Killed between the two halves of a move: the original counts, its double in the trash goes.
            if step.isUncertain, isAt(step.intent.path, step) { return .origin }
            return isDoubled(step, inTrash) ? .both : .trash
        }
        if isAt(step.intent.path, step) { return .origin }
        if let target = step.target, isAt(target, step) { return .target }
        return inTrash != nil && step.outcome == .trashed ? .changedInTrash : .lost
    }

    /// The status of the file in the trash, or of the file that a killed undo had set aside there; nil where there is
    /// neither.
    private func status(
        of name: FilePath, _ step: RunHistory.Step, in trash: Trash
    ) throws(POSIXError) -> FileStatus? {
        for name in [name, PrivateName.ofUndo(id, step.intent.file).name] {
            do throws(POSIXError) { return try trash.files.status(of: name) } catch {
                if !error.isMissing { throw error }
            }
        }
        return nil
    }

    /// An undo that was killed had brought it to its target: a copy that the journal knows, or a second name of it.
    private mutating func isDoubled(_ step: RunHistory.Step, _ inTrash: FileStatus) -> Bool {
        guard let target = step.target, let there = try? folders.status(of: target), there.kind == .regular else {
            return false
        }
        if let copy = step.copy, there.identity.matchesContent(of: copy) { return true }
        return there.identity == inTrash.identity
    }

    /// The file of the trash is the one of this step. A device number may be another one after a restart; the
    /// `.trashinfo` speaks for the file then.
    private func isOurs(_ now: FileIdentity, _ step: RunHistory.Step, _ trash: Trash, _ name: FilePath) -> Bool {
        if now.matchesContent(of: step.identity) { return true }
        guard now.bytes == step.identity.bytes, now.modifiedNs == step.identity.modifiedNs else { return false }
        // A copy without an outcome has an inode that was never written down.
        let isCopy = step.isUncertain && (step.intent.operation == .copy || step.intent.operation == .replace)
        guard isCopy || now.inode == step.identity.inode else { return false }
        return isAnnouncedByUs(step, trash, name)
    }

    private func isAnnouncedByUs(_ step: RunHistory.Step, _ trash: Trash, _ name: FilePath) -> Bool {
        guard let origin = trash.info(of: name)?.origin else { return false }
        return origin.run == id && origin.file == step.intent.file
    }

    /// A `.trashinfo` that was made and not written any more, for a file that never came.
    private func isUnwritten(_ name: FilePath, _ trash: Trash) -> Bool {
        guard let info = try? trash.info.status(of: Trash.infoName(of: name)), info.identity.bytes == 0 else {
            return false
        }
        return (try? trash.files.status(of: name)) == nil
    }

    private mutating func isAt(_ path: FilePath, _ step: RunHistory.Step) -> Bool {
        if let reach, !reach.answers(path) { return false }
        guard let now = try? folders.status(of: path).identity else { return false }
        return now.matchesContent(of: step.intent.identity) || now.matchesContent(of: step.identity)
            || step.copy.map(now.matchesContent) ?? false
    }

    /// What a run or an undo that was killed had set aside gets its name again: then it is looked at like any other file.
    /// - Returns: the run had set it aside, and it has its name again.
    mutating func recover(_ step: RunHistory.Step) -> Bool {
        var isBack = false
        removeReservations(step)
        if isSetAside(step), let aside = step.aside, let folder = try? folders.folder(aside.directory) {
            isBack =
                (try? FileSystem.moveWithoutReplacing(
                    FilePath(aside.lastComponent), in: folder.descriptor,
                    to: FilePath(step.intent.path.lastComponent), in: folder.descriptor)) != nil
        }
        let aside = PrivateName.ofUndo(id, step.intent.file)
        if let name = step.intent.name, case .success(let trash) = trash(of: step) {
            removeSecondName(of: step, name, trash)
            aside.recover(name, in: trash.files)
        }
        for path in Set([step.target, step.intent.replacement?.path].compactMap(\.self)) {
            if let folder = try? folders.folder(path.directory) {
                aside.recover(FilePath(path.lastComponent), in: folder.descriptor)
            }
        }
        return isBack
    }

    /// Where names can neither be moved without replacing nor linked, an empty file holds the new name until the file takes it.
    private func isReservation(_ status: FileStatus, _ step: RunHistory.Step) -> Bool {
        status.isReservation && step.intent.identity.bytes > 0
    }

    /// A killed run or undo had reserved that name: `recover` frees it.
    mutating func isReserved(_ path: FilePath, _ step: RunHistory.Step) -> Bool {
        guard reservablePaths(step).contains(path), let status = try? folders.status(of: path) else { return false }
        return isReservation(status, step)
    }

    /// The name that an undo was about to give, and those that a run was about to give to a new file.
    private func reservablePaths(_ step: RunHistory.Step) -> Set<FilePath> {
        var names = Set([step.target].compactMap(\.self))
        if let replacement = step.intent.replacement, step.isUncertain {
            names.formUnion([step.intent.path, replacement.path])
        }
        return names
    }

    private mutating func removeReservations(_ step: RunHistory.Step) {
        for path in reservablePaths(step) where isReserved(path, step) {
            if path == step.target, location(of: step) != .trash { continue }
            removeReservation(path, step)
        }
    }

    private mutating func removeReservation(_ path: FilePath, _ step: RunHistory.Step) {
        guard let folder = try? folders.folder(path.directory) else { return }
        try? PrivateName.ofUndo(id, step.intent.file).erase(FilePath(path.lastComponent), in: folder.descriptor) {
            isReservation($0, step)
        }
    }

    /// Killed between the link and the unlink of a filesystem that lacks RENAME_NOREPLACE: what is in the trash still has the
    /// private name too.
    private mutating func removeSecondName(of step: RunHistory.Step, _ name: FilePath, _ trash: Trash) {
        guard let aside = step.aside, let folder = try? folders.folder(aside.directory),
            let kept = try? trash.files.status(of: name), kept.kind == .regular
        else { return }
        try? PrivateName.ofUndo(id, step.intent.file).erase(FilePath(aside.lastComponent), in: folder.descriptor) {
            $0.linkCount > 1 && $0.identity.matchesContent(of: kept.identity)
        }
    }

    private mutating func isSetAside(_ step: RunHistory.Step) -> Bool { location(of: step) == .aside }

    /// Removes what a killed run left in the trash for a file that never got there, or has come back: its `.trashinfo`, an
    /// unfinished copy, the second name of a half-made move, the new file that had replaced it.
    mutating func clean(_ step: RunHistory.Step) throws(POSIXError) {
        guard let name = step.intent.name, case .success(let trash) = trash(of: step) else { return }
        if step.intent.operation == .copy || step.intent.operation == .replace {
            try? FileSystem.remove(UnitMover.temporaryName(id, step.intent.file), in: trash.files)
        }
        guard isAnnouncedByUs(step, trash, name) || isUnwritten(name, trash) else { return }
        if let double = try? trash.files.status(of: name) {
            guard isLeft(double, step, trash, name) else { return }
            try PrivateName.ofUndo(id, step.intent.file).erase(name, in: trash.files) {
                $0.identity.matchesContent(of: double.identity)
            }
        }
        try trash.removeInfo(of: name)
    }

    /// What `clean` and `Replacement.clean` would fail with, where that can be found out; nil where nothing is in the
    /// way.
    mutating func obstacleToCleaning(_ step: RunHistory.Step) -> String? {
        do throws(POSIXError) {
            if let reason = try obstacleInTrash(step) { return reason }
            return try RestoreObstacles.newFile(of: step, removesNew: true, &folders)
        } catch { return error.reason }
    }

    private mutating func obstacleInTrash(_ step: RunHistory.Step) throws(POSIXError) -> String? {
        guard let name = step.intent.name, case .success(let trash) = trash(of: step),
            isAnnouncedByUs(step, trash, name) || isUnwritten(name, trash)
        else { return nil }
        if let double = try? trash.files.status(of: name) {
            guard isLeft(double, step, trash, name) else { return nil }
            let files = try FolderFacts(trash.files, at: trash.site.root.appending("files"))
            if let reason = files.obstacle(to: double, named: name, in: trash.files) { return reason }
        }
        return try RestoreObstacles.info(of: name, trash)
    }

    /// The file in the trash can be removed: the original is in its place, or this is the new file that had replaced
    /// it.
    private mutating func isLeft(
        _ double: FileStatus, _ step: RunHistory.Step, _ trash: Trash, _ name: FilePath
    ) -> Bool {
        (Replacement.isNew(double, of: step) || isReservation(double, step)
            || isOurs(double.identity, step, trash, name))
            && isAt(step.intent.path, step)
    }

    /// Puts the moves that were made on the disk, before a journal says that they are done.
    func synchronize() {
        for case .success(let trash) in trashes.values { try? trash.files.synchronize() }
    }
}
