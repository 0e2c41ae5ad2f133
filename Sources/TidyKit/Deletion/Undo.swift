internal import Glibc

/// Brings back what a run took away. Nothing is ever overwritten.
public struct Undo: Sendable {
    public struct Options: Sendable {
        /// Beside a newcomer, under a name with a number.
        public var renames = false
        /// Below this folder instead of where the files came from.
        public var directory: FilePath?
        public var isDryRun = false

        public init(renames: Bool = false, directory: FilePath? = nil, isDryRun: Bool = false) {
            self.renames = renames
            self.directory = directory
            self.isDryRun = isDryRun
        }
    }

    private let environment: Environment
    private let journal: Journal

    public init(_ environment: Environment) {
        self.environment = environment
        journal = Journal(environment)
    }

    /// All runs, the last in front: for `undo --list`. Runs of this state folder that only the trash knows of are among them.
    public func runs() throws(DeletionError) -> [RunHistory] {
        var histories: [RunHistory] = try lostRuns()
        do throws(JournalError) {
            for run in try journal.runs() {
                guard var history = try journal.history(run.id) else { continue }
                if !history.isRunning {
                    if !history.isWhole { complete(&history) }
                    passOverUntouched(&history)
                }
                histories.append(history)
            }
        } catch { throw .journal(error) }
        return histories.sorted { ($0.timeNs, $0.id.text) > ($1.timeNs, $1.id.text) }
    }

    /// Undoes the run `id`, of any home folder; without one, the last run of this one that can be undone. Nil when there is
    /// nothing left to undo.
    public func execute(
        _ id: RunID?, _ options: Options, progress: Progress = .none
    ) throws(DeletionError) -> UndoResult? {
        if let directory = options.directory { try Self.check(directory) }
        if let id {
            guard var history = try history(id) ?? lostRun(id) else {
                throw .unknownRun(id)
            }
            return try undo(&history, options, progress)
        }
        var cleared: UndoResult?
        func undone(_ history: inout RunHistory) throws(DeletionError) -> UndoResult? {
            guard cleared != nil else { return try undo(&history, options, progress) }
            // Behind a run that was cut off, the next one is only looked for.
            var look = options
            look.isDryRun = true
            return (try? undo(&history, look, .none)) ?? nil
        }
        var runs = try openRuns()
        while let id = try next(&runs) {
            guard var history = try history(id) else { continue }
            let wasCutOff = !history.isClosed && !history.steps.contains { $0.intent.operation == .erase }
            if let result = try undone(&history) { return cleared.map { $0.followed(by: result.id) } ?? result }
            if wasCutOff, cleared == nil {
                cleared = UndoResult(id: id, action: history.start?.action ?? "delete", isDryRun: options.isDryRun)
                cleared?.isOnlyCleared = true
            }
        }
        for var history in try lostRuns() {
            if let result = try undone(&history) { return cleared.map { $0.followed(by: result.id) } ?? result }
        }
        return cleared
    }

    /// Nothing can come back to a folder that is none, or that nobody may write: that is no fault of a file.
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

    private func history(_ id: RunID) throws(DeletionError) -> RunHistory? {
        do throws(JournalError) { return try journal.history(id) } catch { throw .journal(error) }
    }

    private func openRuns() throws(DeletionError) -> OpenRuns {
        do throws(JournalError) { return try OpenRuns(journal) } catch { throw .journal(error) }
    }

    private func next(_ runs: inout OpenRuns) throws(DeletionError) -> RunID? {
        do throws(JournalError) { return try runs.next() } catch { throw .journal(error) }
    }

    /// Nil when none of its files is left to bring back.
    private func undo(
        _ history: inout RunHistory, _ options: Options, _ progress: Progress
    ) throws(DeletionError) -> UndoResult? {
        if history.isRunning { throw .journal(.busy(history.id)) }
        if options.isDryRun {
            if !history.isWhole { complete(&history) }
            var run = UndoRun(history, nil, options, environment, progress)
            return run.run()
        }
        let file: JournalFile
        do throws(JournalError) { file = try journal.open(history.id) } catch { throw .journal(error) }
        // What another process wrote since the first look counts.
        if !file.history.steps.isEmpty { history = file.history }
        if !history.isWhole { complete(&history) }
        var run = UndoRun(history, file, options, environment, progress)
        return run.run()
    }

    /// Adds what only the trash knows: the run was killed, and a power cut may have taken the last lines of its journal.
    private func complete(_ history: inout RunHistory) {
        let sites = Set(
            TrashScan.sites(environment) + history.steps.compactMap { $0.intent.trash.map { TrashSite(root: $0) } })
        for entry in TrashScan.entries(of: history.id, in: Array(sites)) where !history.knows(file: entry.origin.file) {
            history.add(entry.step)
        }
    }

    /// The runs that left files in a trash and have no journal. Those of another home folder are none of them: their
    /// journal is there.
    private func lostRuns() throws(DeletionError) -> [RunHistory] {
        let known: Set<RunID>
        do throws(JournalError) { known = Set(try journal.runs().map(\.id)) } catch { throw .journal(error) }
        let state = environment.resolvedState
        var runs: [RunID: RunHistory] = [:]
        for entry in TrashScan.entries(of: nil, in: TrashScan.sites(environment)) {
            let id = entry.origin.run
            guard !known.contains(id), entry.origin.state.map({ $0 == state }) ?? true else { continue }
            runs[id, default: RunHistory(id: id)].add(entry.step)
        }
        return runs.values.sorted { $0.id.text > $1.id.text }
    }

    /// Asked for by its ID, whoever put its files there.
    private func lostRun(_ id: RunID) -> RunHistory? {
        var history = RunHistory(id: id)
        for entry in TrashScan.entries(of: id, in: TrashScan.sites(environment)) { history.add(entry.step) }
        return history.steps.isEmpty ? nil : history
    }

    /// Of a run that was killed, only the disk tells which files it came to.
    private func passOverUntouched(_ history: inout RunHistory) {
        var places = StepPlaces(id: history.id)
        for step in history.steps where step.outcome == nil && !step.isSettled && !step.isOnlyAnnounced {
            switch places.place(of: step) {
            case .origin, .lost: history.keep(file: step.intent.file)
            default: continue
            }
        }
    }
}

extension RunHistory {
    /// When the run began; from its ID where the journal does not tell, 0 where that is no time either.
    public var timeNs: Int64 {
        if let start { return start.timeNs }
        let digits = id.text.utf8.filter { $0 != UInt8(ascii: "-") }.prefix(17)
        guard digits.count == 17, let number = Int(String(decoding: digits, as: UTF8.self)),
            let clock = WallClock(
                year: number / 10_000_000_000_000, month: number / 100_000_000_000 % 100,
                day: number / 1_000_000_000 % 100, hour: number / 10_000_000 % 100, minute: number / 100_000 % 100,
                second: number / 1000 % 100)
        else { return 0 }
        return Int64(clamping: (Int128(clock.seconds) * 1000 + Int128(number % 1000)) * 1_000_000)
    }
}
