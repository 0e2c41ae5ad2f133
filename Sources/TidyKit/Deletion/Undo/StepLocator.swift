internal import Glibc

/// The present place of a file of a run. The journal says what was intended; only the disk shows what was done.
enum StepLocation: Equatable {
    /// Only in the trash.
    case trash
    /// In its original place: never moved, or restored.
    case origin
    /// Where an earlier undo put it.
    case target
    /// At the target of an undo and still in the trash: undo was killed before its last step.
    case both
    /// Set aside under its private name; either its own name is taken, or this is a dry run.
    case aside
    /// The trash contains another file, or the file was changed there.
    case changedInTrash
    /// The trash exists but the file does not: the trash was emptied, or another program restored the file elsewhere.
    case lost
    /// The trash cannot be opened; its disk may not be mounted.
    case unreachable(POSIXError)
}

/// Finds the files of one run. Opens each trash and each folder once.
struct StepLocator {
    let id: RunID
    /// For lists: paths on other mounts are not read. Nil reads all.
    private let reach: ReachablePaths?
    /// The home trash of the environment; nil if no journal is read.
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
        // A file comes from below the top folder of its trash; a journal that says otherwise is rejected.
        guard site.canHold(step.intent.path) else {
            return .failure(POSIXError(code: EPERM, operation: "open", path: root))
        }
        if let known = trashes[root] { return known }
        guard isPlausible(site) else { return .failure(POSIXError(code: EPERM, operation: "open", path: root)) }
        let result = Result { () throws(POSIXError) in
            if let reach, !reach.isReachable(root) { throw POSIXError(code: ETIMEDOUT, operation: "open", path: root) }
            return try Trash(site, creating: false)
        }
        trashes[root] = result
        return result
    }

    /// True if a trash without a top folder is the home trash, or may have been one: it must be on the same disk.
    /// Otherwise a forged journal could move any file out of a folder on another disk.
    private func isPlausible(_ site: TrashSite) -> Bool {
        guard let home, site.top == nil, site.root != home else { return true }
        if let reach, !reach.isReachable(site.root) { return true }
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
        // Killed before the original was removed: the trash has only its double, and the original gets its name back.
        case .trash where step.intent.operation != .replace && step.isUncertain && isFree(step.intent.path):
            return isAside(step) ? .aside : place
        case .trash, .both, .changedInTrash: return place
        default: return isAside(step) ? .aside : place
        }
    }

    private mutating func isFree(_ path: FilePath) -> Bool {
        if let reach, !reach.isReachable(path) { return false }
        do throws(POSIXError) {
            _ = try folders.status(of: path)
            return false
        } catch { return error.code == ENOENT }
    }

    /// True if there is a file under the private name that is not just a second name of the file in its place.
    private mutating func isAside(_ step: RunHistory.Step) -> Bool {
        guard let aside = step.aside, reach?.isReachable(aside) ?? true, let status = try? folders.status(of: aside),
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
            // Killed between the two halves of a move: the original counts, and its double in the trash is removed.
            if step.isUncertain, isAt(step.intent.path, step) { return .origin }
            return isDoubled(step, inTrash) ? .both : .trash
        }
        if isAt(step.intent.path, step) { return .origin }
        if let target = step.target, isAt(target, step) { return .target }
        return inTrash != nil && step.outcome == .trashed ? .changedInTrash : .lost
    }

    /// The status of the file in the trash, or of the file that a killed undo had set aside there; nil if there is
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

    /// True if a killed undo has brought it to its target, as a copy that the journal has or as a second name.
    private mutating func isDoubled(_ step: RunHistory.Step, _ inTrash: FileStatus) -> Bool {
        guard let target = step.target, let there = try? folders.status(of: target), there.kind == .regular else {
            return false
        }
        if let copy = step.copy, there.identity.matchesContent(of: copy) { return true }
        return there.identity == inTrash.identity
    }

    /// True if the file in the trash is the one of this step. A device number may change at a restart; the `.trashinfo`
    /// then identifies the file.
    private func isOurs(_ now: FileIdentity, _ step: RunHistory.Step, _ trash: Trash, _ name: FilePath) -> Bool {
        if now.matchesContent(of: step.identity) { return true }
        guard now.bytes == step.identity.bytes, now.modifiedNs == step.identity.modifiedNs else { return false }
        // The inode of a copy without an outcome was never recorded.
        let isCopy = step.isUncertain && (step.intent.operation == .copy || step.intent.operation == .replace)
        guard isCopy || now.inode == step.identity.inode else { return false }
        return isAnnouncedByUs(step, trash, name)
    }

    private func isAnnouncedByUs(_ step: RunHistory.Step, _ trash: Trash, _ name: FilePath) -> Bool {
        guard let origin = trash.info(of: name)?.origin else { return false }
        return origin.run == id && origin.file == step.intent.file
    }

    /// True for an empty `.trashinfo` without a file, which was created but never written.
    private func isUnwritten(_ name: FilePath, _ trash: Trash) -> Bool {
        guard let info = try? trash.info.status(of: Trash.infoName(of: name)), info.identity.bytes == 0 else {
            return false
        }
        return (try? trash.files.status(of: name)) == nil
    }

    private mutating func isAt(_ path: FilePath, _ step: RunHistory.Step) -> Bool {
        if let reach, !reach.isReachable(path) { return false }
        guard let now = try? folders.status(of: path).identity else { return false }
        return now.matchesContent(of: step.intent.identity) || now.matchesContent(of: step.identity)
            || step.copy.map(now.matchesContent) ?? false
    }

    /// Gives a file that a killed run or undo had set aside its own name again, so that it is examined like any other
    /// file.
    /// - Returns: true if the run had set it aside and it has its name again.
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

    /// True for an empty file that reserves a name (see `FileStatus.isReservation`).
    private func isReservation(_ status: FileStatus, _ step: RunHistory.Step) -> Bool {
        status.isReservation && step.intent.identity.bytes > 0
    }

    /// True if a killed run or undo has reserved that name; `recover` frees it.
    mutating func isReserved(_ path: FilePath, _ step: RunHistory.Step) -> Bool {
        guard reservablePaths(step).contains(path), let status = try? folders.status(of: path) else { return false }
        return isReservation(status, step)
    }

    /// The names that an undo or a run may have reserved: the target, and those of a new file.
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

    /// After a kill between link and unlink, on a filesystem without RENAME_NOREPLACE: removes the private name, which
    /// is a second name of the file in the trash.
    private mutating func removeSecondName(of step: RunHistory.Step, _ name: FilePath, _ trash: Trash) {
        guard let aside = step.aside, let folder = try? folders.folder(aside.directory),
            let kept = try? trash.files.status(of: name), kept.kind == .regular
        else { return }
        try? PrivateName.ofUndo(id, step.intent.file).erase(FilePath(aside.lastComponent), in: folder.descriptor) {
            $0.linkCount > 1 && $0.identity.matchesContent(of: kept.identity)
        }
    }

    private mutating func isSetAside(_ step: RunHistory.Step) -> Bool { location(of: step) == .aside }

    /// Removes what a killed run left in the trash for a file that is in its place: its `.trashinfo`, an incomplete
    /// copy, the second name of an incomplete move, the new file that had replaced it.
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

    /// Why `clean` or `Replacement.clean` would fail, as far as can be seen without writing; nil if no obstacle is
    /// known.
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

    /// True if the file in the trash can be removed: it is a double or the new file, and the original is in its place.
    private mutating func isLeft(
        _ double: FileStatus, _ step: RunHistory.Step, _ trash: Trash, _ name: FilePath
    ) -> Bool {
        (Replacement.isNew(double, of: step) || isReservation(double, step)
            || isOurs(double.identity, step, trash, name))
            && isAt(step.intent.path, step)
    }

    /// Syncs the moves out of the trashes, before the journal says that they are done.
    func synchronize() {
        for case .success(let trash) in trashes.values { try? trash.files.synchronize() }
    }
}
