internal import Glibc

/// Brings back what a run took away. Nothing is ever overwritten.
package struct Undo: Sendable {
    package struct Options: Sendable {
        /// Beside a newcomer, under a name with a number.
        package var renames = false
        /// Below this folder instead of where the files came from.
        package var folder: FilePath?
        package var isDryRun = false
        /// Only these photos of the run that is named: those that one of the paths belongs to, and those below a path.
        /// Empty for all.
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
    /// knows. Places on mounts that may hang are not checked: for their runs the list shows what the journal says.
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

    /// The trash of each run that programs which look into the top folders of mounted disks do not show: on a Btrfs subvolume
    /// that is not a mount point.
    package func hiddenTrashes(of history: RunHistory) -> [FilePath] {
        let mounts = Set(MountTable.mountPoints())
        let roots = Set(history.steps.filter { $0.isOpen && !$0.isGone }.compactMap(\.intent.trash))
        return roots.filter { root in TrashSite(root: root).top.map { !mounts.contains($0) } ?? false }.sorted()
    }

    /// For a killed run only the disk shows which files it reached; for every run only the disk shows whether its files
    /// are still there.
    private func markMissing(in history: inout RunHistory) {
        var locator = StepLocator(id: history.id, environment, reach)
        for step in history.steps where step.isOpen && !step.isUntouched {
            switch locator.location(of: step) {
            case .origin where step.outcome == nil: history.keep(file: step.intent.file)
            case .lost where step.outcome == nil: history.keep(file: step.intent.file)
            case .lost where !step.isRestored: history.lose(file: step.intent.file)
            default: continue
            }
        }
    }

    // MARK: Undoing

    /// Undoes the run `id`, of any home folder; without one, the last run of this one that can be undone. Nil when there is
    /// nothing left to undo.
    /// - Parameter confirm: asked before anything is done of a run that only a disk tells of; is shown where the files will go.
    ///   False ends it, with nil.
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
                // Another undo would find no more in this one.
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

    /// The next run of which something can be brought back.
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
        // No journal is created: what only a disk says must not become a record of our own.
        var run = UndoRun(found, nil, options, environment, progress)
        return run.run()
    }

    /// Nil when none of its files is left to restore.
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
        // What another process wrote since the first look counts.
        if !file.history.steps.isEmpty { history = completed(file.history) }
        var run = UndoRun(history, file, try Self.resolved(options, history), environment, progress)
        return run.run()
    }

    /// Nothing can be restored to a path that is not a folder, or that is not writable: that is an error of the call,
    /// not of a file.
    private static func check(_ directory: FilePath) throws(DeletionError) {
        var folder = directory
        while true {
            do throws(POSIXError) {
                guard try FileStatus.of(folder, followLinks: true).kind == .directory else {
                    throw POSIXError(code: ENOTDIR, operation: "open", path: directory)
                }
                if let obstacle = FileSystem.obstacleToChanging(folder: folder) { throw obstacle }
                return
            } catch {
                // It will be made.
                guard error.code == ENOENT, folder != .root else {
                    throw .failed(POSIXError(code: error.code, operation: error.operation, path: directory))
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

    /// Adds what only the home trash knows: the run was killed, and a power cut may have taken the last lines of its journal.
    /// Another disk is not asked: what is written there, anybody may have written.
    private func complete(_ history: inout RunHistory) {
        for entry in TrashScan.entries(of: history.id, in: [scan.home]) where !history.knows(file: entry.origin.file) {
            history.add(entry.step)
        }
    }

    /// The runs that left files in a trash and have no journal, the last one first. Runs of another home folder are not
    /// among them: their journal is there.
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

    /// A run that is named by its ID, whichever home folder it belongs to. On a mount that may hang, only with a path
    /// on it.
    private func foreignRun(_ id: RunID, _ paths: [FilePath]) -> RunHistory? {
        var history = RunHistory(id: id)
        let needed = [environment.data, environment.state] + paths.compactMap { try? $0.absolute() }
        let scan = TrashScan(environment, ReachablePaths(needed: needed))
        for entry in TrashScan.entries(of: id, in: scan.sites()) { Self.add(entry, to: &history) }
        return history.steps.isEmpty ? nil : history
    }

    /// Two files may have the same number: this run is only what the disk says, and it need not be consistent.
    private static func add(_ entry: TrashScan.Entry, to history: inout RunHistory) {
        history.isForeign = true
        var step = entry.step
        if history.knows(file: step.intent.file) { step.intent.file = history.nextFile }
        history.add(step)
    }
}

/// `undo ID PATH…`: just these photos of a run.
extension Undo {
    /// Finds the photos that the paths refer to. Throws for a path that is not of this run.
    static func resolved(_ options: Options, _ history: RunHistory) throws(DeletionError) -> Options {
        guard !options.paths.isEmpty else { return options }
        var units: Set<Int> = []
        for path in options.paths {
            let locator = locator(of: path)
            let found = history.steps.filter { step in locator.contains { step.intent.path.isSameOrBelow($0) } }
            if found.isEmpty { throw .notOfRun(history.id, path) }
            units.formUnion(found.map(\.intent.unit))
        }
        var options = options
        options.units = units
        return options
    }

    /// Absolute, as the user wrote it and without links: the run knows a photo by the second.
    private static func locator(of path: FilePath) -> [FilePath] {
        guard let absolute = try? path.absolute() else { return [path] }
        let folder = absolute.directory.resolvedWhereItExists
        return [absolute, folder.appending(absolute.lastComponent)]
    }
}

/// The runs with files that are not settled, the one that began last first, including a run that is at work. Journals
/// are read one by one, so that finding the last run does not read those of years.
struct OpenRuns {
    private let journal: Journal
    /// Not read yet, the one that began last at the end.
    private var unread: [Journal.Entry]
    /// Read, of before the order of runs was kept: when they began, the last one at the end.
    private var open: [(timeNs: Int128, history: RunHistory)] = []

    init(_ journal: Journal) throws(JournalError) {
        self.journal = journal
        unread = try journal.entries().reversed()
    }

    mutating func next() throws(JournalError) -> RunHistory? {
        while let run = unread.last {
            if run.place == nil, let first = open.last, first.timeNs > run.writtenNs { break }
            unread.removeLast()
            guard let history = try journal.history(run.id),
                history.isRunning || !history.isWhole || history.steps.contains(where: \.isOpen)
            else { continue }
            if run.place != nil { return history }
            // Nobody writes to a journal before its run begins: what was written earlier began earlier.
            open.append((history.start.map { Int128($0.timeNs) } ?? run.writtenNs, history))
            open.sort { ($0.timeNs, $0.history.id.text) < ($1.timeNs, $1.history.id.text) }
        }
        return open.popLast()?.history
    }
}
