internal import Glibc

/// Restores what a run moved. Nothing is ever overwritten.
package struct Undo: Sendable {
    /// The options of `undo`.
    package struct Options: Sendable {
        /// If the name is taken, restores under a numbered name.
        package var renames = false
        /// Restores below this folder instead of the original places.
        package var folder: FilePath?
        package var isDryRun = false
        /// Restores only these photos of the run: those with a file of one of the paths, and those below a path. Empty
        /// for all.
        package var paths: [FilePath] = []
        /// The photos that `paths` refer to.
        var units: Set<Int>?

        package init(
            renames: Bool = false, folder: FilePath? = nil, isDryRun: Bool = false, paths: [FilePath] = []
        ) {
            self.renames = renames
            self.folder = folder
            self.isDryRun = isDryRun
            self.paths = paths
        }
    }

    let environment: Environment
    let journal: Journal
    private let reach: ReachablePaths

    package init(_ environment: Environment) {
        self.environment = environment
        journal = Journal(environment)
        reach = ReachablePaths(needed: [environment.data, environment.state])
    }

    private var scan: TrashScan { TrashScan(environment, reach) }

    // MARK: Lists

    /// All runs for `undo --list`, the last one first, followed by the runs of this state folder that only the trash
    /// shows. Mounts that may hang are not read; for runs on them the list shows what the journal says.
    package func runs() throws(DeletionError) -> [RunHistory] {
        var histories: [RunHistory] = []
        do throws(JournalError) {
            let entries = try journal.entries()
            var older: [RunHistory] = []
            for entry in entries {
                guard var history = try journal.history(entry.id) else { continue }
                if !history.isRunning {
                    if !history.isWhole { complete(&history) }
                    markMissing(in: &history)
                }
                if entry.place == nil { older.append(history) } else { histories.append(history) }
            }
            histories += older.sorted { ($0.timeNs, $0.id.text) > ($1.timeNs, $1.id.text) }
        } catch { throw .journal(error) }
        return histories + (try foreignRuns())
    }

    /// The trashes of a run that other programs do not show, because they look only into the top folders of mounts:
    /// those on a Btrfs subvolume that is not a mount point.
    package func hiddenTrashes(of history: RunHistory) -> [FilePath] {
        let mounts = Set(MountTable.mountPoints())
        let roots = Set(history.steps.filter { $0.needsUndo && !$0.isGone }.compactMap(\.intent.trash))
        return roots.filter { root in TrashSite(root: root).top.map { !mounts.contains($0) } ?? false }.sorted()
    }

    /// Only the disk shows which files a killed run reached, and whether the files of any run are still there.
    private func markMissing(in history: inout RunHistory) {
        var locator = StepLocator(id: history.id, environment, reach)
        for step in history.steps where step.needsUndo && !step.isUntouched {
            switch locator.location(of: step) {
            case .origin where step.outcome == nil: history.keep(file: step.intent.file)
            case .lost where step.outcome == nil: history.keep(file: step.intent.file)
            case .lost where !step.isRestored: history.lose(file: step.intent.file)
            default: continue
            }
        }
    }

    // MARK: Undoing

    /// Undoes the run `id`, of any home folder. Without an ID, undoes the last run of this home folder that can be
    /// undone. Nil if there is nothing left to undo.
    /// - Parameter confirm: called before a run without a journal is undone, with the destinations of its files. If it
    ///   returns false, nothing is done and the result is nil.
    package func execute(
        _ id: RunID?, _ options: Options, progress: Progress = .none, confirm: (UndoResult) -> Bool = { _ in false }
    ) throws(DeletionError) -> UndoResult? {
        if let folder = options.folder { try Self.check(folder) }
        if let id { return try undo(id, options, progress, confirm) }
        var runs = try openRuns()
        var cleared: UndoResult?
        while let history = try next(&runs) {
            let wasCutOff = !history.isClosed && !history.steps.contains { $0.intent.operation == .erase }
            if cleared == nil, let result = try undo(history, options, progress) {
                // Another undo would find nothing more in this run.
                let asksForNext =
                    result.isOnlyFinished || result.items.contains { $0.status == .gone || $0.status == .changed }
                return asksForNext ? result.followed(by: try successor(&runs)) : result
            } else if cleared != nil, hasFiles(history) {
                return cleared?.followed(by: history.id)
            }
            if wasCutOff, cleared == nil {
                cleared = UndoResult(
                    id: history.id, action: history.start?.action ?? "delete", isDryRun: options.isDryRun)
                cleared?.isOnlyCleared = true
            }
        }
        return cleared
    }

    /// The next run that has files to restore.
    private func successor(_ runs: inout OpenRuns) throws(DeletionError) -> RunID? {
        while let history = try next(&runs) {
            if hasFiles(history) { return history.id }
        }
        return nil
    }

    private func hasFiles(_ history: RunHistory) -> Bool {
        if history.isRunning { return false }
        var run = UndoRun(completed(history), nil, Options(isDryRun: true), environment, .none)
        return run.run()?.items.contains { $0.status != .gone && $0.status != .changed } ?? false
    }

    private func undo(
        _ id: RunID, _ options: Options, _ progress: Progress, _ confirm: (UndoResult) -> Bool
    ) throws(DeletionError) -> UndoResult? {
        let known: RunHistory?
        do throws(JournalError) { known = try journal.history(id) } catch { throw .journal(error) }
        if let known { return try undo(known, options, progress) }
        guard let found = foreignRun(id, options.paths) else { throw .unknownRun(id) }
        let options = try Self.resolved(options, found)
        var dryOptions = options
        dryOptions.isDryRun = true
        var dryRun = UndoRun(found, nil, dryOptions, environment, .none)
        guard let plan = dryRun.run(), !options.isDryRun else {
            return dryRun.result.items.isEmpty ? nil : dryRun.result
        }
        if plan.photos == 0 { return plan }
        guard confirm(plan) else { return nil }
        // No journal is created, so that what only a disk says never becomes our own record.
        var run = UndoRun(found, nil, options, environment, progress)
        return run.run()
    }

    /// Nil if no file is left to restore.
    private func undo(
        _ known: RunHistory, _ options: Options, _ progress: Progress
    ) throws(DeletionError) -> UndoResult? {
        if known.isRunning { throw .journal(.busy(known.id)) }
        var history = completed(known)
        if options.isDryRun {
            if let error = journal.obstacle(to: known.id) { throw .journal(error) }
            var run = UndoRun(history, nil, try Self.resolved(options, history), environment, progress)
            return run.run()
        }
        let file: JournalFile
        do throws(JournalError) { file = try journal.open(known.id) } catch { throw .journal(error) }
        // Another process may have written to the journal in the meantime.
        if !file.history.steps.isEmpty { history = completed(file.history) }
        var run = UndoRun(history, file, try Self.resolved(options, history), environment, progress)
        return run.run()
    }

    /// Throws if nothing can be restored to this folder, because it is not a folder or not writable: an error of the
    /// command, not of a file.
    private static func check(_ target: FilePath) throws(DeletionError) {
        var folder = target
        while true {
            do throws(POSIXError) {
                guard try FileStatus.of(folder, followLinks: true).kind == .directory else {
                    throw POSIXError(code: ENOTDIR, operation: "open", path: target)
                }
                if let obstacle = FileSystem.obstacleToChanging(folder: folder) { throw obstacle }
                return
            } catch {
                // It will be created.
                guard error.code == ENOENT, folder != .root else {
                    throw .failed(POSIXError(code: error.code, operation: error.operation, path: target))
                }
                folder = folder.directory
            }
        }
    }

    private func openRuns() throws(DeletionError) -> OpenRuns {
        do throws(JournalError) { return try OpenRuns(journal) } catch { throw .journal(error) }
    }

    private func next(_ runs: inout OpenRuns) throws(DeletionError) -> RunHistory? {
        do throws(JournalError) { return try runs.next() } catch { throw .journal(error) }
    }

    // MARK: What only the trash knows

    private func completed(_ history: RunHistory) -> RunHistory {
        var history = history
        if !history.isWhole { complete(&history) }
        return history
    }

    /// Adds the files that only the home trash shows: after a kill, a power cut may have lost the last lines of the
    /// journal. Other disks are not read, because anybody may have written what is there.
    private func complete(_ history: inout RunHistory) {
        for entry in TrashScan.entries(of: history.id, in: [scan.home]) where !history.knows(file: entry.origin.file) {
            history.add(entry.step)
        }
    }

    /// The runs that left files in a trash and have no journal, the last one first. Excludes runs of another home
    /// folder, whose journals are there.
    package func foreignRuns() throws(DeletionError) -> [RunHistory] {
        let known: Set<RunID>
        do throws(JournalError) { known = Set(try journal.runs().map(\.id)) } catch { throw .journal(error) }
        let state = environment.resolvedState
        var runs: [RunID: RunHistory] = [:]
        for entry in TrashScan.entries(of: nil, in: scan.sites()) {
            let id = entry.origin.run
            guard !known.contains(id), entry.origin.state.map({ $0 == state }) ?? true else { continue }
            Self.add(entry, to: &runs[id, default: RunHistory(id: id)])
        }
        return runs.values.sorted { $0.id.text > $1.id.text }
    }

    /// The run of that ID, of any home folder. A mount that may hang is read only if one of the paths is on it.
    private func foreignRun(_ id: RunID, _ paths: [FilePath]) -> RunHistory? {
        var history = RunHistory(id: id)
        let needed = [environment.data, environment.state] + paths.compactMap { try? $0.absolute() }
        let scan = TrashScan(environment, ReachablePaths(needed: needed))
        for entry in TrashScan.entries(of: id, in: scan.sites()) { Self.add(entry, to: &history) }
        return history.steps.isEmpty ? nil : history
    }

    /// Two files may have the same number, because the run is put together from `.trashinfo` files, which need not be
    /// consistent.
    private static func add(_ entry: TrashScan.Entry, to history: inout RunHistory) {
        history.isForeign = true
        var step = entry.step
        if history.knows(file: step.intent.file) { step.intent.file = history.nextFile }
        history.add(step)
    }
}

/// `undo ID PATH…`: just these photos of a run.
extension Undo {
    /// Finds the photos that the paths refer to. Throws if a path is not in this run.
    static func resolved(_ options: Options, _ history: RunHistory) throws(DeletionError) -> Options {
        guard !options.paths.isEmpty else { return options }
        var units: Set<Int> = []
        for path in options.paths {
            let names = spellings(of: path)
            let found = history.steps.filter { step in names.contains { step.intent.path.isSameOrBelow($0) } }
            if found.isEmpty { throw .notOfRun(history.id, path) }
            units.formUnion(found.map(\.intent.unit))
        }
        var options = options
        options.units = units
        return options
    }

    /// The absolute path as the user wrote it, and without links, as the run has it.
    private static func spellings(of path: FilePath) -> [FilePath] {
        guard let absolute = try? path.absolute() else { return [path] }
        let folder = absolute.directory.resolvedWhereItExists
        return [absolute, folder.appending(absolute.lastComponent)]
    }
}
