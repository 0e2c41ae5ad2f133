internal import Glibc

/// Undoes one run, photo by photo: a photo is restored with all its files or stays in the trash. A photo with an
/// obstacle is skipped, and the rest goes on. Intents and outcomes are written to the journal of the run, so that the
/// next undo can finish, or roll back, what a kill interrupted.
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
    /// Files that the run announced and did not reach.
    var kept: [RunHistory.Step] = []
    private var arrivals: [SelectionFollower.Arrival] = []
    var finished = 0
    private var journalFailure: JournalError?
    private let root: FilePath
    private let directory: FilePath?
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
        directory = options.folder?.resolvedWhereItExists
    }

    /// Nil when nothing is left to undo.
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

    /// The files of each photo that is asked for, in the order of the run.
    private func units() -> [[RunHistory.Step]] {
        var units: [Int: [RunHistory.Step]] = [:]
        var order: [Int] = []
        for step in history.steps where step.isOpen {
            if let asked = options.units, !asked.contains(step.intent.unit) { continue }
            if units[step.intent.unit] == nil { order.append(step.intent.unit) }
            units[step.intent.unit, default: []].append(step)
        }
        return order.compactMap { units[$0] }
    }

    /// First the selections, then the line that says that nothing is left: an undo that is killed in between is
    /// repeated.
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
            // The others need no second look.
            let waiting = Set(arrivals.filter { !$0.memberships.isEmpty }.map(\.file))
            settled.removeAll { waiting.contains($0) }
        }
        do throws(SelectionError) { try follower.refresh(arrivals) } catch {
            // They name the new files still, which are gone.
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

    /// Looks at each photo, notes where its files go, and brings them there.
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

    /// One photo, and what is to become of it.
    struct Photo {
        var files: [FileRestoration] = []
        var item: UndoResult.Item
        /// Photos that have partly left the trash are reported beside what is left of them.
        var gone: UndoResult.Item?
        /// Nothing was found that can be restored or must be reported.
        var isEmpty = false
        /// It had been set aside before it was to be erased, and has its name again.
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
            // What an undo that was killed had brought back goes again: together or not at all.
            unit.rollBack(&locator.folders, &journal)
        }
        result.notes += unit.notes
        if !unit.isCleanedUp { result.isUnfinished = true }
        if !unit.notes.isEmpty { result.isFlawed = true }
    }

    /// Never out of the trash of a disk that is only to hold its own.
    func mayCopy(_ files: [FileRestoration]) -> Bool {
        directory != nil || files.allSatisfy { $0.trash.site.top == nil }
    }

    /// An unusual place must be in the journal before a file goes there.
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

    /// The reason in the words of the dry run, where the dry run could have found it.
    private mutating func explained(_ error: POSIXError, _ unit: borrowing UnitRestorer) -> String {
        guard error.isDenied || error.code == EBUSY else { return Self.reason(error) }
        var obstacles = RestoreObstacles()
        let reason = try? obstacles.reason(against: unit.files, mayCopy: unit.mayCopy, &locator.folders)
        return (reason ?? nil) ?? Self.reason(error)
    }

    /// Where the file goes: its own place, or the same one below another folder.
    func target(of step: RunHistory.Step) -> FilePath {
        let origin = step.intent.path
        guard let directory else { return origin }
        return directory.appending(origin.bytes.dropFirst(root == .root ? 1 : root.bytes.count + 1))
    }

    /// - Parameter isCleanedUp: nothing of it is left in the trash, so that no other undo needs to check it.
    mutating func settle(_ step: RunHistory.Step, at location: FilePath, isCleanedUp: Bool = true) {
        if options.isDryRun { return }
        let identity: FileIdentity
        do throws(POSIXError) { identity = try locator.folders.status(of: location).identity } catch {
            // Its selections must be updated: the next undo tries again.
            result.isUnfinished = true
            result.notes.append("\(location.displayText) is back, and cannot be looked at: \(error.reason)")
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
