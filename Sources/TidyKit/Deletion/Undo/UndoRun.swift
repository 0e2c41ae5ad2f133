internal import Glibc

/// Undoes one run, photo by photo. A photo is restored with all its files or stays in the trash. A photo with an
/// obstacle is skipped. Intents and outcomes are written to the journal of the run, so that the next undo can finish or
/// roll back what a kill interrupted.
struct UndoRun: ~Copyable {
    let history: RunHistory
    private var journal: JournalFile?
    let options: Undo.Options
    private let environment: Environment
    private let progress: Progress
    var locator: StepLocator
    /// For the dry run.
    var obstacles = RestoreObstacles()
    var result: UndoResult
    var settled: [Int] = []
    /// Files with an intent that the run did not reach.
    var kept: [RunHistory.Step] = []
    private var arrivals: [SelectionFollower.Arrival] = []
    var finished = 0
    private var journalFailure: JournalError?
    private let root: FilePath
    private let folder: FilePath?
    private static let batchSize = 20

    init(
        _ history: RunHistory, _ journal: consuming JournalFile?, _ options: Undo.Options, _ environment: Environment,
        _ progress: Progress
    ) {
        self.history = history
        self.journal = journal
        self.options = options
        self.environment = environment
        self.progress = progress
        locator = StepLocator(id: history.id, environment)
        result = UndoResult(id: history.id, action: history.start?.action ?? "delete", isDryRun: options.isDryRun)
        root = DeletionPlan.root(of: history.steps.lazy.map(\.intent.path)) ?? .root
        folder = options.folder?.resolvedWhereItExists
    }

    /// Nil if nothing is left to undo.
    mutating func run() -> UndoResult? {
        let units = units()
        var index = 0
        while index < units.count {
            if Interrupt.isRequested {
                result.wasInterrupted = true
                break
            }
            let batch = units[index..<min(index + Self.batchSize, units.count)]
            undo(batch)
            index += batch.count
            progress.report(
                Progress.Event(activity: "restoring", done: index, total: units.count, bytes: result.bytes))
        }
        conclude()
        result.isOnlyFinished = result.items.isEmpty && finished > 0
        return result.items.isEmpty && !result.isOnlyFinished && !result.wasInterrupted && !result.isUnfinished
            ? nil : result
    }

    /// The files of each requested photo, in the order of the run.
    private func units() -> [[RunHistory.Step]] {
        var units: [Int: [RunHistory.Step]] = [:]
        var order: [Int] = []
        for step in history.steps where step.needsUndo {
            if let asked = options.units, !asked.contains(step.intent.unit) { continue }
            if units[step.intent.unit] == nil { order.append(step.intent.unit) }
            units[step.intent.unit, default: []].append(step)
        }
        return order.compactMap { units[$0] }
    }

    /// Updates the selections first, then writes that nothing is left, so that a killed undo is repeated.
    private mutating func conclude() {
        guard !options.isDryRun else { return }
        let isIdle = settled.isEmpty && kept.isEmpty && arrivals.isEmpty && journalFailure == nil
        if isIdle, history.isClosed { return }
        locator.synchronize()
        let follower = SelectionFollower(environment)
        let departures = history.steps.flatMap(\.selections).sorted { $0.order < $1.order }
        do throws(SelectionError) { try follower.arrive(arrivals, of: departures) } catch {
            result.isUnfinished = true
            result.notes.append(
                "the selections could not be brought up to date: \(error); 'phototidy undo \(history.id)' tries again")
            // Only these need another undo.
            let waiting = Set(arrivals.filter { !$0.memberships.isEmpty }.map(\.file))
            settled.removeAll { waiting.contains($0) }
        }
        do throws(SelectionError) { try follower.refresh(arrivals) } catch {
            // The selections still have the new files, which are gone.
            let waiting = Set(history.steps.filter { $0.intent.operation == .replace }.map(\.intent.file))
            let isWaiting = arrivals.contains { waiting.contains($0.file) }
            if isWaiting { result.isUnfinished = true }
            result.notes.append(
                "the selections could not be brought up to date: \(error)"
                    + (isWaiting ? "; 'phototidy undo \(history.id)' tries again" : ""))
            settled.removeAll { waiting.contains($0) }
        }
        for step in kept { journal?.append(.outcome(file: step.intent.file, .kept, identity: step.intent.identity)) }
        for file in settled { journal?.append(.settled(file: file)) }
        if !result.wasInterrupted, options.units == nil, !result.isUnfinished { journal?.append(.end) }
        do throws(JournalError) { try journal?.synchronize() } catch { journalFailure = error }
        if let journalFailure {
            result.isUnfinished = true
            result.notes.append("what was brought back could not be noted: \(journalFailure)")
        }
    }

    /// Examines each photo, writes the targets of its files to the journal, and restores them.
    private mutating func undo(_ batch: ArraySlice<[RunHistory.Step]>) {
        var found: [Photo] = []
        for steps in batch { found.append(inspect(steps)) }
        if !options.isDryRun, !history.isForeign {
            for photo in found where photo.item.status == .restored {
                for file in photo.files where file.progress == .inTrash {
                    journal?.append(.target(file: file.number, file.target))
                }
            }
            do throws(JournalError) { try journal?.synchronize() } catch { journalFailure = error }
        }
        for photo in found { restore(photo) }
    }

    /// One photo, and what undo will do with it.
    struct Photo {
        var files: [FileRestoration] = []
        var item: UndoResult.Item
        /// The files that have left the trash, which are reported separately from the others.
        var gone: UndoResult.Item?
        /// There is nothing to restore or to report.
        var isEmpty = false
        /// It had been set aside to be erased, and has its name again.
        var isRecovered = false
    }

    private mutating func restore(_ photo: Photo) {
        if let gone = photo.gone { result.items.append(gone) }
        if photo.isRecovered { result.items.append(photo.item) }
        var photo = photo
        let isDone = photo.files.allSatisfy { $0.progress != .inTrash }
        let isWell = photo.item.status == .restored || photo.item.status == .ready
        defer { if !photo.isEmpty, !isDone || !isWell { result.items.append(photo.item) } }
        if options.isDryRun, !photo.files.isEmpty, isDone, photo.item.status == .ready { finished += 1 }
        guard !options.isDryRun, !photo.files.isEmpty else { return }
        var unit = UnitRestorer(
            history.id, photo.files, mayCopy: mayCopy(photo.files))
        if photo.item.status == .restored {
            do throws(POSIXError) {
                try checkNoted(photo)
                try unit.restore(&locator.folders, &journal)
                unit.cleanUp(&locator.folders, &journal)
                for file in unit.files { settle(file.step, at: file.target, isCleanedUp: unit.isCleanedUp) }
                if isDone { finished += 1 }
            } catch { fail(&photo.item, error, unit) }
        } else {
            // Files that a killed undo had restored are rolled back: all or none.
            unit.rollBack(&locator.folders, &journal)
        }
        result.notes += unit.notes
        if !unit.isCleanedUp { result.isUnfinished = true }
        if !unit.notes.isEmpty { result.isFlawed = true }
    }

    /// True if files may be copied to another filesystem: not from the trash of a disk, which has only files of that
    /// disk, unless a target folder was given.
    func mayCopy(_ files: [FileRestoration]) -> Bool {
        folder != nil || files.allSatisfy { $0.trash.site.top == nil }
    }

    /// Throws unless an unusual target is in the journal before a file is moved there.
    private func checkNoted(_ photo: Photo) throws(POSIXError) {
        guard let journalFailure, photo.files.contains(where: { $0.target != $0.step.intent.path }) else { return }
        throw journalFailure.cause
    }

    private mutating func fail(_ item: inout UndoResult.Item, _ error: POSIXError, _ unit: borrowing UnitRestorer) {
        item.status = error.isOccupied ? .conflict : .failed
        item.reason =
            error.isOccupied
            ? "another file has taken its place; --rename brings it back beside it"
            : explained(error, unit)
        let notRolledBack = unit.notRolledBack
        if notRolledBack.isEmpty { return }
        item.reason? +=
            "; back already, without the rest of the photo: " + notRolledBack.map(\.displayText).joined(separator: ", ")
    }

    /// The reason that the dry run would give, if it could have found the obstacle.
    private mutating func explained(_ error: POSIXError, _ unit: borrowing UnitRestorer) -> String {
        guard error.isDenied || error.code == EBUSY else { return Self.reason(error) }
        var obstacles = RestoreObstacles()
        let reason = try? obstacles.reason(against: unit.files, mayCopy: unit.mayCopy, &locator.folders)
        return (reason ?? nil) ?? Self.reason(error)
    }

    /// The target of the file: its original path, or the same path below another folder.
    func target(of step: RunHistory.Step) -> FilePath {
        let origin = step.intent.path
        guard let folder else { return origin }
        return folder.appending(origin.bytes.dropFirst(root == .root ? 1 : root.bytes.count + 1))
    }

    /// - Parameter isCleanedUp: true if nothing of it is left in the trash, so that no other undo needs to check it.
    mutating func settle(_ step: RunHistory.Step, at location: FilePath, isCleanedUp: Bool = true) {
        if options.isDryRun { return }
        let identity: FileIdentity
        do throws(POSIXError) { identity = try locator.folders.status(of: location).identity } catch {
            // Its selections could not be updated; the next undo tries again.
            result.isUnfinished = true
            result.notes.append("\(location.displayText) is back, but cannot be read: \(error.reason)")
            return
        }
        if isCleanedUp { settled.append(step.intent.file) }
        arrivals.append(
            SelectionFollower.Arrival(
                file: step.intent.file, memberships: step.selections, origin: step.intent.path,
                replacement: step.intent.replacement.flatMap { $0.path == step.intent.path ? nil : $0.path },
                location: location, identity: identity))
    }
}
