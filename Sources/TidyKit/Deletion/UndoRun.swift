internal import Glibc

/// Undoes one run, photo by photo: a photo comes back with all its files or stays in the trash. What stands in the way
/// stays where it is, and the rest goes on.
struct UndoRun: ~Copyable {
    private let history: RunHistory
    private var journal: JournalFile?
    private let options: Undo.Options
    private let environment: Environment
    private let progress: Progress
    private var places: StepPlaces
    private var folders = OpenFolders()
    private var result: UndoResult
    private var settled: [Int] = []
    /// Those that the run announced and did not come to.
    private var kept: [RunHistory.Step] = []
    private var arrivals: [SelectionFollower.Arrival] = []
    private let root: FilePath

    /// A file that is to come back.
    struct Return {
        let step: RunHistory.Step
        let trash: Trash
        var target: FilePath
    }

    init(
        _ history: RunHistory, _ journal: consuming JournalFile?, _ options: Undo.Options, _ environment: Environment,
        _ progress: Progress
    ) {
        self.history = history
        self.journal = journal
        self.options = options
        self.environment = environment
        self.progress = progress
        places = StepPlaces(id: history.id)
        result = UndoResult(id: history.id, action: history.start?.action ?? "delete", isDryRun: options.isDryRun)
        root = DeletionPlan.root(of: history.steps.lazy.map(\.intent.path)) ?? .root
    }

    /// Nil when nothing is left to undo.
    mutating func run() -> UndoResult? {
        var units: [Int: [RunHistory.Step]] = [:]
        var order: [Int] = []
        for step in history.steps where step.isOpen {
            if units[step.intent.unit] == nil { order.append(step.intent.unit) }
            units[step.intent.unit, default: []].append(step)
        }
        for (index, unit) in order.enumerated() {
            if Interrupt.isRequested {
                result.wasInterrupted = true
                break
            }
            undo(units[unit] ?? [])
            if index % 20 == 19 || index == order.count - 1 {
                progress.report(
                    Progress.Event(activity: "restoring", done: index + 1, total: order.count, bytes: result.bytes))
            }
        }
        conclude()
        let isAnythingLeft = result.items.contains { $0.status != .missing }
        return isAnythingLeft || result.wasInterrupted ? result : nil
    }

    /// First the selections, then the line that says that nothing is left: an undo that is killed in between is made again.
    private mutating func conclude() {
        guard !options.isDryRun, !settled.isEmpty || !kept.isEmpty || !history.isClosed else { return }
        places.synchronize()
        do throws(SelectionError) { try SelectionFollower(environment).arrive(arrivals) } catch {
            result.notes.append("the selections could not be brought up to date: \(error)")
        }
        for step in kept { journal?.append(.outcome(file: step.intent.file, .kept, identity: step.intent.identity)) }
        for file in settled { journal?.append(.settled(file: file)) }
        if !result.wasInterrupted { journal?.append(.end) }
        do throws(JournalError) { try journal?.synchronize() } catch {
            result.notes.append("what was brought back could not be noted: \(error)")
        }
    }

    private mutating func undo(_ steps: [RunHistory.Step]) {
        var returns: [Return] = []
        var troubles: [(UndoResult.Status, String)] = []
        for step in steps {
            if step.isOnlyAnnounced {
                if !options.isDryRun { Replacement.removeUnfinished(step) }
                settled.append(step.intent.file)
                continue
            }
            let place = places.place(of: step)
            switch place {
            case .trash:
                if case .success(let trash) = places.trash(of: step) {
                    returns.append(Return(step: step, trash: trash, target: target(of: step)))
                }
            case .origin, .target:
                if !options.isDryRun { places.clean(step) }
                if !options.isDryRun { Replacement.clean(step, removesNew: true) }
                // Perhaps by an undo that was killed before it came to the selections.
                if place == .origin, isUntouched(step) {
                    kept.append(step)
                } else {
                    settle(step, at: place == .target ? step.target ?? step.intent.path : step.intent.path)
                }
            case .lost:
                if !options.isDryRun { places.clean(step) }
                settled.append(step.intent.file)
                if step.outcome == .trashed { troubles.append((.missing, "no longer in the trash")) }
            case .changedInTrash: troubles.append((.changed, "it was changed in the trash, and stays there"))
            case .unreachable(let error): troubles.append((.failed, "its trash cannot be opened: \(error.reason)"))
            }
        }
        guard let first = steps.first, !returns.isEmpty || !troubles.isEmpty else { return }
        var item = UndoResult.Item(
            path: first.intent.path, files: returns.map(\.target),
            bytes: returns.reduce(0) { $0 + $1.step.intent.identity.bytes },
            status: options.isDryRun ? .ready : .restored)
        if let trouble = troubles.first(where: { $0.0 != .missing }) {
            (item.status, item.reason) = trouble
        } else if returns.isEmpty, let trouble = troubles.first {
            (item.status, item.reason) = trouble
        } else {
            bring(&returns, &item)
            if item.status == .restored || item.status == .ready, let trouble = troubles.first {
                result.items.append(
                    UndoResult.Item(path: first.intent.path, files: [], bytes: 0, status: trouble.0, reason: trouble.1))
            }
        }
        result.items.append(item)
    }

    /// The run never came to this file. One that went and came back has another ctime.
    private func isUntouched(_ step: RunHistory.Step) -> Bool {
        step.outcome == nil && step.selections.isEmpty
            && (try? FileStatus.of(step.intent.path))?.identity == step.intent.identity
    }

    private func target(of step: RunHistory.Step) -> FilePath {
        let origin = step.intent.path
        guard let directory = options.directory else { return origin }
        return directory.appending(origin.bytes.dropFirst(root == .root ? 1 : root.bytes.count + 1))
    }

    private mutating func bring(_ returns: inout [Return], _ item: inout UndoResult.Item) {
        if let taken = returns.first(where: { isTaken($0) }) {
            guard options.renames, chooseNames(&returns) else {
                item.status = .conflict
                item.reason =
                    "\(taken.target.displayText) is there again, and is never overwritten: --rename brings it back beside it"
                return
            }
            item.isRenamed = true
        }
        item.files = returns.map(\.target)
        guard !options.isDryRun else { return }
        var done = 0
        do throws(POSIXError) {
            for index in returns.indices {
                try bring(returns[index])
                done = index + 1
            }
        } catch {
            // Together or not at all: those that came back go again.
            for back in returns[..<done].reversed() { takeBack(back) }
            item.status = error.isOccupied ? .conflict : .failed
            item.reason =
                error.isOccupied
                ? "another file has taken its place; --rename brings it back beside it"
                : error.code == ELOOP || error.code == ENOTDIR
                    ? "a folder in its path has become a link or a file: --to brings it back elsewhere" : error.reason
            return
        }
        for back in returns { settle(back.step, at: back.target) }
    }

    private func isTaken(_ back: Return) -> Bool {
        if Replacement.stands(back.step, at: back.target) { return false }
        return (try? FileStatus.of(back.target)) != nil
    }

    /// One number for all files of the photo, the lowest that is free for each of them.
    private func chooseNames(_ returns: inout [Return]) -> Bool {
        guard let stem = returns.first?.target.stem else { return false }
        for number in 2..<10_000 {
            let targets = returns.map { back in
                back.target.directory.appending(
                    RestoredName.make(back.target.lastComponent, stem: stem, number: number))
            }
            if targets.allSatisfy({ (try? FileStatus.of($0)) == nil }) {
                for index in returns.indices { returns[index].target = targets[index] }
                return true
            }
        }
        return false
    }

    private mutating func bring(_ back: Return) throws(POSIXError) {
        let folder = try folder(of: back.target)
        if back.target != back.step.intent.path {
            // Should this process die, the next undo looks there.
            journal?.append(.target(file: back.step.intent.file, back.target))
            try? journal?.flush()
        }
        let name = FilePath(back.target.lastComponent)
        let trashName = back.step.intent.name ?? name
        if Replacement.stands(back.step, at: back.target) {
            try Replacement.revert(back.step, trashName, back.trash, name, folder.descriptor)
            return Replacement.clean(back.step, removesNew: false)
        }
        try Restoration.bring(
            trashName, from: back.trash, to: name, in: folder.descriptor,
            temporary: UnitMover.temporaryName(history.id, back.step.intent.file))
        Replacement.clean(back.step, removesNew: back.target == back.step.intent.path)
    }

    /// The open folder of a target, made where it is missing.
    private mutating func folder(of target: FilePath) throws(POSIXError) -> OpenFolder {
        do { return try folders.folder(target.directory) } catch {
            guard error.code == ENOENT || options.directory != nil else { throw error }
            try FileSystem.createFolders(target.directory)
            return try folders.folder(try options.directory == nil ? target.directory : target.directory.resolved())
        }
    }

    private mutating func takeBack(_ back: Return) {
        guard back.step.intent.operation != .replace, let name = back.step.intent.name,
            let folder = try? folders.folder(back.target.directory)
        else { return }
        let info = TrashInfo(
            path: back.trash.notedPath(of: back.step.intent.path),
            deletionDate: WallClock.utc(ns: SystemClock.nowNs()).text,
            origin: TrashInfo.Origin(
                run: history.id, file: back.step.intent.file, unit: back.step.intent.unit,
                operation: back.step.intent.operation, identity: back.step.intent.identity,
                state: environment.resolvedState))
        do throws(POSIXError) { try back.trash.announce(name, info) } catch { return }
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(
                FilePath(back.target.lastComponent), in: folder.descriptor, to: name, in: back.trash.files)
        } catch { back.trash.withdraw(name) }
    }

    private mutating func settle(_ step: RunHistory.Step, at location: FilePath) {
        settled.append(step.intent.file)
        guard !options.isDryRun, let identity = try? FileStatus.of(location).identity else { return }
        arrivals.append(
            SelectionFollower.Arrival(
                memberships: step.selections, origin: step.intent.path, location: location, identity: identity))
    }
}
