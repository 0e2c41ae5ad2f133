/// What the journal of one run says, without torn and damaged lines.
package struct RunHistory: Sendable {
    /// One file of the run, and how far its move came.
    package struct Step: Sendable, Hashable {
        package var intent: JournalEntry.Intent
        package var outcome: JournalEntry.Outcome?
        /// What the file was when it was last known: after the move where its outcome is written.
        package var identity: FileIdentity
        /// Where undo was about to put it; nil before the first undo, and after one that left it in the trash.
        package var target: FilePath?
        /// The private name, in its own folder, that it was last to be set aside under. Only the disk shows whether it
        /// got that name, and whether it still has it.
        package var aside: FilePath?
        /// The copy that undo made of it.
        package var copy: FileIdentity?
        /// Undo brought it back, with all files of its photo.
        package var isRestored = false
        /// Restored, or never moved: nothing is left to undo.
        package var isSettled = false
        /// It has left the trash and is not back, as the disk shows; in memory alone.
        package var isGone = false
        package var selections: [Membership] = []

        package init(intent: JournalEntry.Intent) {
            self.intent = intent
            identity = intent.identity
        }

        /// The new file that was to take its place was not written to its end: the file was never touched.
        package var isUntouched: Bool { intent.replacement?.identity == .unwritten }

        /// Only the disk knows what became of it.
        package var isUncertain: Bool { outcome == nil || outcome == .unknown }

        /// Undo has to examine this file.
        package var isOpen: Bool {
            !isSettled && outcome != .kept && outcome != .erased && (intent.operation != .erase || aside != nil)
        }
    }

    /// The place in a selection that a file had.
    package struct Membership: Sendable, Hashable {
        package var selection: [UInt8]
        package var index: Int
        package var path: FilePath
        package var after: FilePath?
        /// Counts all departures of the run: undo goes through them backwards.
        package var order: Int
    }

    package let id: RunID
    /// The last start; nil where the journal is damaged or lost.
    package private(set) var start: JournalEntry.Start?
    package private(set) var steps: [Step] = []
    /// False after a kill or a power cut: then the trash may know more than the journal.
    package private(set) var isClosed = false
    /// A line could not be read: only the trash knows what it said.
    private var isDamaged = false
    /// The journal has every file that the run moved.
    package var isWhole: Bool { isClosed && !isDamaged }
    /// Another process holds the journal: the run is at work.
    package var isRunning = false
    /// We have no journal of the run. Only the disk that has its files says that there was one, and anybody may have
    /// written that.
    package var isForeign = false
    private var positions: [Int: Int] = [:]
    private var departures = 0

    package init(id: RunID) { self.id = id }

    /// Reads all lines; the last one counts only with its newline.
    init(id: RunID, content: [UInt8]) {
        self.init(id: id)
        var start = content.startIndex
        while let end = content[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if let entry = JournalEntry(line: content[start..<end], id: id) {
                apply(entry)
            } else if start != end {
                isDamaged = true
            }
            start = end + 1
        }
        if start != content.endIndex { isClosed = false }
    }

    package mutating func apply(_ entry: JournalEntry) {
        switch entry {
        case .start(let start):
            self.start = start
            isClosed = false
        case .intent(let intent):
            var step = Step(intent: intent)
            // A second intent before it is known what became of the first: where it was set aside still counts.
            if let index = positions[intent.file], steps[index].isOpen, steps[index].outcome != .trashed {
                step.aside = steps[index].aside
            }
            add(step)
        case .aside(let file, let path):
            // Beside the file and under a name of ours, or it is not a place of ours.
            guard path.lastComponent.starts(with: AtomicFile.temporaryPrefix.utf8) else { return }
            change(file) { if path.directory == $0.intent.path.directory { $0.aside = path } }
        case .outcome(let file, let outcome, let identity):
            change(file) {
                $0.outcome = outcome
                $0.identity = identity
            }
        case .left(let file, let selection, let index, let path, let after):
            let membership = Membership(
                selection: selection, index: index, path: path, after: after, order: departures)
            departures += 1
            change(file) { $0.selections.append(membership) }
        case .end: isClosed = true
        case .target(let file, let path):
            change(file) {
                $0.target = path
                $0.copy = nil
            }
        case .copied(let file, let identity): change(file) { $0.copy = identity }
        case .restored(let file): change(file) { $0.isRestored = true }
        case .stayed(let file):
            change(file) {
                $0.target = nil
                $0.copy = nil
            }
        case .settled(let file): change(file) { $0.isSettled = true }
        }
    }

    /// A file that only the trash knows of: its line of the journal is lost.
    package mutating func add(_ step: Step) {
        if let index = positions[step.intent.file] {
            steps[index] = step
        } else {
            positions[step.intent.file] = steps.count
            steps.append(step)
            nextFile = max(nextFile, step.intent.file + 1)
            nextUnit = max(nextUnit, step.intent.unit + 1)
        }
    }

    private mutating func change(_ file: Int, _ body: (inout Step) -> Void) {
        if let index = positions[file] { body(&steps[index]) }
    }

    /// False, too, where the outcome of an intent is lost.
    package func knows(file: Int) -> Bool { positions[file].map { !steps[$0].isUntouched } ?? false }

    /// In memory alone: the disk shows that the file of an intent was never moved.
    package mutating func keep(file: Int) { change(file) { $0.outcome = .kept } }

    /// In memory alone: the file has left the trash, and is not back.
    package mutating func lose(file: Int) { change(file) { $0.isGone = true } }

    /// The number for the next file, should the run go on.
    package private(set) var nextFile = 0
    package private(set) var nextUnit = 0

    /// For lists: how many photos, files and bytes the run took away.
    package var totals: (photos: Int, files: Int, bytes: Int64) {
        let taken = steps.filter { $0.outcome != .kept && !$0.isUntouched }
        return (Set(taken.map(\.intent.unit)).count, taken.count, taken.totalBytes(\.intent.identity.bytes))
    }

    /// When the run began, in nanoseconds since 1970 (UTC). Taken from its ID where the journal has no start; 0 where
    /// the ID is not a time either.
    package var timeNs: Int64 { start?.timeNs ?? id.timeNs ?? 0 }

    package enum State: String, Sendable {
        case running, interrupted, done, erased, undone
        case partlyUndone = "partly undone"
        /// All its files have left the trash.
        case gone
        /// Some have; those that are left can be brought back.
        case partlyGone = "partly gone"
        /// Only the disk that has its files knows it.
        case foreign
        /// Nothing was moved.
        case empty
    }

    package var state: State {
        if isRunning { return .running }
        let taken = steps.filter { $0.outcome != .kept && !$0.isUntouched }
        if taken.isEmpty { return .empty }
        if isForeign { return .foreign }
        if taken.allSatisfy({ $0.intent.operation == .erase && !$0.isOpen }) { return .erased }
        let open = taken.filter(\.isOpen)
        if open.isEmpty { return .undone }
        let trashed = taken.count { $0.isOpen || $0.intent.operation != .erase }
        let gone = open.count(where: \.isGone)
        if gone > 0 { return gone == trashed ? .gone : .partlyGone }
        if open.count < trashed { return .partlyUndone }
        return isClosed ? .done : .interrupted
    }

    /// Something of it is left to bring back.
    package var canBeUndone: Bool { !isRunning && steps.contains { $0.isOpen && !$0.isGone && !$0.isUntouched } }
}
