internal import Glibc

/// Where a file of a run is now. The journal tells what was intended, only the disk what was done.
enum StepPlace: Equatable {
    /// In the trash, and nowhere else.
    case trash
    /// Where it came from; it was never moved, or is back.
    case origin
    /// Where an earlier undo put it.
    case target
    /// In the trash stands another file, or the file was changed there.
    case changedInTrash
    /// The trash is there and the file is not: the trash was emptied, or the file restored to another place.
    case lost
    /// The trash cannot be opened: a disk that is not mounted, perhaps.
    case unreachable(POSIXError)
}

/// Finds the places of the steps of one run, trashes opened once each.
struct StepPlaces {
    let id: RunID
    private var trashes: [FilePath: Result<Trash, POSIXError>] = [:]

    init(id: RunID) { self.id = id }

    mutating func trash(of step: RunHistory.Step) -> Result<Trash, POSIXError> {
        guard let root = step.intent.trash else { return .failure(POSIXError(code: ENOENT, operation: "open")) }
        if let known = trashes[root] { return known }
        let result: Result<Trash, POSIXError>
        do throws(POSIXError) { result = .success(try Trash(TrashSite(root: root), creating: false)) } catch {
            result = .failure(error)
        }
        trashes[root] = result
        return result
    }

    mutating func place(of step: RunHistory.Step) -> StepPlace {
        let trash: Trash
        switch self.trash(of: step) {
        case .success(let open): trash = open
        case .failure(let error):
            if isAt(step.intent.path, step) { return .origin }
            return step.outcome == nil && error.isMissing ? .lost : .unreachable(error)
        }
        let name = step.intent.name ?? FilePath([])
        let inTrash: FileIdentity?
        do throws(POSIXError) { inTrash = try trash.files.status(of: name).identity } catch {
            inTrash = nil
            if !error.isMissing { return .unreachable(error) }
        }
        if let inTrash, isOurs(inTrash, step, trash, name) {
            // Killed between the two halves of a move: the original counts, its double in the trash goes.
            return step.outcome == nil && isAt(step.intent.path, step) ? .origin : .trash
        }
        if isAt(step.intent.path, step) { return .origin }
        if let target = step.target, isAt(target, step) { return .target }
        return inTrash != nil && step.outcome == .trashed ? .changedInTrash : .lost
    }

    /// The file of the trash is the one of this step. A device number may be another one after a restart; the
    /// `.trashinfo` speaks for the file then.
    private func isOurs(_ now: FileIdentity, _ step: RunHistory.Step, _ trash: Trash, _ name: FilePath) -> Bool {
        if now.matchesContent(of: step.identity) { return true }
        guard now.bytes == step.identity.bytes, now.modifiedNs == step.identity.modifiedNs else { return false }
        // A copy of which no outcome was written has an inode that nobody noted.
        let isCopy = step.outcome == nil && (step.intent.operation == .copy || step.intent.operation == .replace)
        guard isCopy || now.inode == step.identity.inode else { return false }
        return isAnnouncedByUs(step, trash, name)
    }

    private func isAnnouncedByUs(_ step: RunHistory.Step, _ trash: Trash, _ name: FilePath) -> Bool {
        guard let origin = trash.information(of: name)?.origin else { return false }
        return origin.run == id && origin.file == step.intent.file
    }

    /// A `.trashinfo` that was made and not written any more, for a file that never came.
    private func isUnwritten(_ name: FilePath, _ trash: Trash) -> Bool {
        guard let info = try? trash.info.status(of: Trash.infoName(of: name)), info.identity.bytes == 0 else {
            return false
        }
        return (try? trash.files.status(of: name)) == nil
    }

    private func isAt(_ path: FilePath, _ step: RunHistory.Step) -> Bool {
        guard let now = try? FileStatus.of(path).identity else { return false }
        return now.matchesContent(of: step.intent.identity) || now.matchesContent(of: step.identity)
    }

    /// Removes what a killed run left in the trash for a file that never got there: its `.trashinfo`, an unfinished copy,
    /// the second name of a half-made move.
    mutating func clean(_ step: RunHistory.Step) {
        guard let name = step.intent.name, case .success(let trash) = trash(of: step) else { return }
        if step.intent.operation == .copy {
            try? FileSystem.remove(UnitMover.temporaryName(id, step.intent.file), in: trash.files)
        }
        guard isAnnouncedByUs(step, trash, name) || isUnwritten(name, trash) else { return }
        if let double = try? trash.files.status(of: name).identity {
            guard isOurs(double, step, trash, name), isAt(step.intent.path, step) else { return }
            try? FileSystem.remove(name, in: trash.files)
        }
        trash.withdraw(name)
    }

    /// Puts the moves that were made on the disk, before a journal says that they are done.
    func synchronize() {
        for case .success(let trash) in trashes.values { try? trash.files.synchronize() }
    }
}
