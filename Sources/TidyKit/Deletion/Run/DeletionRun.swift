/// Executes a plan batch by batch: write the intents to the journal and sync it, check each file again, move it, write
/// the outcomes. One bad photo never stops its batch. A full disk or Ctrl-C stops the run, which then closes its
/// journal.
package struct DeletionRun: ~Copyable {
    /// The result of a run.
    package struct Result: Sendable {
        /// The plan with the final status of each photo.
        package var plan: DeletionPlan
        package var wasInterrupted = false
        /// Why the run ended early; nil if it did not.
        package var stopped: String?
        /// Other messages for the user.
        package var notes: [String] = []
    }

    private var result: Result
    private var journal: JournalFile
    private var mover: UnitMover
    private var follower: SelectionFollower
    private let progress: Progress
    /// The folder to which the user's relative paths refer; nil if it no longer exists.
    private let current = try? FilePath.workingDirectory()
    private var numbers: RunNumbers
    /// A file may still be set aside.
    private var isAnyUnknown = false
    private var done: (photos: Int, bytes: Int64) = (0, 0)
    private let total: (photos: Int, bytes: Int64)

    /// - Parameter plan: from the planner; only `ready` items are touched.
    /// Throws if the journal cannot be opened; nothing was changed then.
    package static func execute(
        _ plan: DeletionPlan, environment: Environment, progress: Progress = .none
    ) throws(DeletionError) -> Result {
        guard plan.items.contains(where: { $0.status == .ready }) else { return Result(plan: plan) }
        var run: DeletionRun
        do throws(JournalError) {
            run = DeletionRun(plan, try Journal(environment).open(plan.id, begins: true), environment, progress)
        } catch { return try stopped(plan, by: error) }
        run.run()
        return run.result
    }

    /// Does what `execute` would do because of its journal: throws, or returns a stopped result; nil if the run could
    /// begin. Writes nothing.
    package static func rehearse(_ plan: DeletionPlan, environment: Environment) throws(DeletionError) -> Result {
        guard plan.items.contains(where: { $0.status == .ready }),
            let error = Journal(environment).obstacle(to: plan.id, begins: true)
        else { return Result(plan: plan) }
        return try stopped(plan, by: error)
    }

    /// A full disk stops a run before its first photo just as it does later, with a report. Other errors are thrown.
    private static func stopped(_ plan: DeletionPlan, by error: JournalError) throws(DeletionError) -> Result {
        guard error.cause.isFull else { throw .journal(error) }
        var result = Result(plan: plan, stopped: error.description)
        result.plan.skipRest(error.description)
        return result
    }

    private init(
        _ plan: DeletionPlan, _ journal: consuming JournalFile, _ environment: Environment, _ progress: Progress
    ) {
        result = Result(plan: plan)
        numbers = RunNumbers(journal.history)
        self.journal = journal
        mover = UnitMover(plan.id, copiesToHomeTrash: plan.copiesToHomeTrash, environment)
        follower = SelectionFollower(environment)
        self.progress = progress
        let ready = plan.items.filter { $0.status == .ready }
        total = (ready.count, ready.totalBytes(\.bytes))
    }

    private mutating func run() {
        let plan = result.plan
        journal.append(
            .start(JournalEntry.Start(timeNs: SystemClock.nowNs(), action: "delete", root: plan.root)))
        for batch in 0..<plan.batches {
            let range = batch * plan.batchSize..<min((batch + 1) * plan.batchSize, plan.items.count)
            guard plan.items[range].contains(where: { $0.status == .ready }) else { continue }
            if Interrupt.isRequested { result.wasInterrupted = true }
            if result.wasInterrupted || result.stopped != nil { break }
            execute(range)
            report(batch: batch + 1)
        }
        result.plan.skipRest(result.wasInterrupted ? "interrupted" : result.stopped ?? "the run ended")
        journal.append(.end)
        do throws(JournalError) {
            try journal.synchronize()
            if !isAnyUnknown { journal.clearMark() }
        } catch { stop(error.description) }
    }

    private mutating func stop(_ reason: String) {
        if result.stopped == nil { result.stopped = reason }
    }

    private mutating func execute(_ range: Range<Int>) {
        mover.releaseReservations()
        var units: [(item: Int, moves: [UnitMove])] = []
        for index in range where result.plan.items[index].status == .ready {
            do throws(UnitMove.Failure) {
                let members = result.plan.items[index].members
                let moves = try mover.prepare(
                    members, mode: result.plan.mode, unit: numbers.unit(of: members), files: numbers.files(of: members))
                units.append((index, moves))
            } catch { fail(index, error) }
        }
        for unit in units {
            for move in unit.moves { move.appendIntent(to: &journal) }
        }
        // Also syncs the outcomes of the previous batch.
        do throws(JournalError) { try journal.synchronize() } catch { return stop(error.description) }
        var departures: [SelectionFollower.Departure] = []
        for index in units.indices {
            if Interrupt.isRequested { result.wasInterrupted = true }
            if !result.wasInterrupted, result.stopped == nil { move(&units[index].moves, item: units[index].item) }
            for move in units[index].moves { conclude(move, &departures) }
        }
        do throws(JournalError) { try journal.flush() } catch { stop(error.description) }
        do throws(SelectionError) { try follower.leave(departures, &journal) } catch {
            result.notes.append("the selections could not be brought up to date: \(error)")
        }
    }

    private mutating func move(_ moves: inout [UnitMove], item: Int) {
        do throws(UnitMove.Failure) {
            try mover.move(&moves, of: result.plan.items[item], &journal)
            for move in moves where move.stays {
                result.plan.items[item].members.removeAll { $0.location == move.member.location }
            }
            result.plan.items[item].status = result.plan.mode == .erase ? .erased : .trashed
            done.photos += 1
            done.bytes = done.bytes.addingClamped(result.plan.items[item].bytes)
        } catch {
            fail(item, error)
            if Interrupt.isRequested { result.wasInterrupted = true }
        }
    }

    private mutating func conclude(_ move: UnitMove, _ departures: inout [SelectionFollower.Departure]) {
        let (outcome, moved) = move.outcome
        journal.append(.outcome(file: move.file, outcome, identity: moved))
        if outcome == .unknown { isAnyUnknown = true }
        guard outcome == .trashed || outcome == .erased else { return }
        departures.append(
            SelectionFollower.Departure(
                file: move.file, named: current.map(move.member.path.absolute) ?? move.member.location,
                location: move.member.location, old: move.member.identity, new: moved))
    }

    private mutating func fail(_ item: Int, _ failure: UnitMove.Failure) {
        result.plan.items[item].status = failure.status
        result.plan.items[item].reason = failure.reason
        result.plan.items[item].lacksTrash = failure.lacksTrash
        if failure.stops { stop(failure.reason) }
    }

    private func report(batch: Int) {
        var event = Progress.Event(
            activity: result.plan.mode == .erase ? "erasing" : "trashing", done: done.photos, total: total.photos,
            bytes: done.bytes)
        event.totalBytes = total.bytes
        event.batch = batch
        event.batches = result.plan.batches
        progress.report(event)
    }
}

extension DeletionPlan {
    /// Marks the items that are still ready as failed, without trying them.
    fileprivate mutating func skipRest(_ reason: String) {
        for index in items.indices where items[index].status == .ready {
            items[index].status = .failed
            items[index].reason = "not tried: \(reason)"
        }
    }
}

/// The numbers of files and photos in the journal of a run. If a plan runs again, each file keeps its number. Its new
/// intent then replaces the old one, and a photo that a kill split remains one photo.
struct RunNumbers {
    private let steps: [FilePath: RunHistory.Step]
    private var locator: StepLocator
    private var nextFile: Int
    private var nextUnit: Int

    init(_ history: RunHistory) {
        steps = Dictionary(history.steps.map { ($0.intent.path, $0) }) { _, last in last }
        locator = StepLocator(id: history.id)
        nextFile = history.nextFile
        nextUnit = history.nextUnit
    }

    mutating func unit(of members: [DeletionPlan.Member]) -> Int {
        for member in members {
            if let known = steps[member.location] { return known.intent.unit }
        }
        defer { nextUnit += 1 }
        return nextUnit
    }

    /// The numbers of the files. Also removes what a kill left in the trash for them, which the new intent does not
    /// mention.
    mutating func files(of members: [DeletionPlan.Member]) -> [Int] {
        members.map { member in
            if let step = steps[member.location], step.isSettled || step.outcome == nil || step.outcome == .kept {
                if step.outcome == nil, !step.isSettled { try? locator.clean(step) }
                return step.intent.file
            }
            defer { nextFile += 1 }
            return nextFile
        }
    }
}
