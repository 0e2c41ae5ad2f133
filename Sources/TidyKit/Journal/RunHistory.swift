/// The content of the journal of one run, without torn and damaged lines.
package struct RunHistory: Sendable {
    /// One file of the run, and how far its move got.
    package struct Step: Sendable, Hashable {
        package var intent: JournalEntry.Intent
        package var outcome: JournalEntry.Outcome?
        /// The last known identity: after the move if its outcome is known, otherwise before.
        package var identity: FileIdentity
        /// Where undo was about to move it; nil before the first undo, and after one that left it in the trash.
        package var target: FilePath?
        /// The private name, in its own folder, for its last setting aside. Only the disk shows whether it got that
        /// name and still has it.
        package var aside: FilePath?
        /// The copy that undo made of it.
        package var copy: FileIdentity?
        /// Undo restored it, with all files of its photo.
        package var isRestored = false
        /// Restored, or never moved: nothing is left to undo.
        package var isSettled = false
        /// It is neither in the trash nor restored, according to the disk. Not stored.
        package var isGone = false
        package var selections: [Membership] = []

        package init(intent: JournalEntry.Intent) {
            self.intent = intent
            identity = intent.identity
        }

        /// The new file that was to replace it was never completed, so this file was not touched.
        package var isUntouched: Bool { intent.replacement?.identity == .unwritten }

        /// Only the disk shows what became of it.
        package var isUncertain: Bool { outcome == nil || outcome == .unknown }

        /// Undo has to examine this file.
        package var needsUndo: Bool {
            !isSettled && outcome != .kept && outcome != .erased && (intent.operation != .erase || aside != nil)
        }
    }

    /// The place in a selection that a file had.
    package struct Membership: Sendable, Hashable {
        package var selection: [UInt8]
        package var index: Int
        package var path: FilePath
        package var after: FilePath?
        /// The position among all departures of the run; undo goes through them backwards.
        package var order: Int
    }

    package let id: RunID
    /// The last start; nil if the journal is damaged or lost.
    package private(set) var start: JournalEntry.Start?
    package private(set) var steps: [Step] = []
    /// False after a kill or a power cut: then the trash may know more than the journal.
    package private(set) var isClosed = false
    /// A line could not be read. Only the trash may show what it said.
    private var isDamaged = false
    /// The journal contains every file that the run moved.
    package var isWhole: Bool { isClosed && !isDamaged }
    /// Another process has locked the journal.
    package var isRunning = false
    /// There is no journal of the run, only `.trashinfo` files, which anybody may have written.
    package var isForeign = false
    private var positions: [Int: Int] = [:]
    private var departures = 0

    package init(id: RunID) { self.id = id }

    /// Reads all lines; ignores a last one without a newline.
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

    /// Updates the history with the next entry of the journal.
    package mutating func apply(_ entry: JournalEntry) {
        switch entry {
        case .start(let start):
            self.start = start
            isClosed = false
        case .intent(let intent):
            var step = Step(intent: intent)
            // A second intent while the outcome of the first is unknown: the file may still have its private name.
            if let index = positions[intent.file], steps[index].needsUndo, steps[index].outcome != .trashed {
                step.aside = steps[index].aside
            }
            add(step)
        case .aside(let file, let path):
            // Only a private name in the folder of the file is accepted.
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

    /// Adds a file that only the trash shows, because its line of the journal is lost.
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

    /// True if the journal has the file and the run may have touched it.
    package func knows(file: Int) -> Bool { positions[file].map { !steps[$0].isUntouched } ?? false }

    /// Notes that, according to the disk, the file was never moved. Not stored.
    package mutating func keep(file: Int) { change(file) { $0.outcome = .kept } }

    /// Notes that the file is neither in the trash nor restored. Not stored.
    package mutating func lose(file: Int) { change(file) { $0.isGone = true } }

    /// The number for the next file if the run continues.
    package private(set) var nextFile = 0
    package private(set) var nextUnit = 0

    /// The photos, files and bytes that the run took away, for lists.
    package var totals: (photos: Int, files: Int, bytes: Int64) {
        let taken = steps.filter { $0.outcome != .kept && !$0.isUntouched }
        return (Set(taken.map(\.intent.unit)).count, taken.count, taken.totalBytes(\.intent.identity.bytes))
    }

    /// When the run began, in nanoseconds since 1970 (UTC). Taken from its ID if the journal has no start; 0 if the ID
    /// contains no time either.
    package var timeNs: Int64 { start?.timeNs ?? id.timeNs ?? 0 }

    /// The state of a run, as lists show it.
    package enum State: String, Sendable {
        case running, interrupted, done, erased, undone
        case partlyUndone = "partly undone"
        /// All its files have left the trash.
        case gone
        /// Some of its files have left the trash; the others can be restored.
        case partlyGone = "partly gone"
        /// It has no journal, only files in a trash.
        case foreign
        /// Nothing was moved.
        case empty
    }

    package var state: State {
        if isRunning { return .running }
        let taken = steps.filter { $0.outcome != .kept && !$0.isUntouched }
        if taken.isEmpty { return .empty }
        if isForeign { return .foreign }
        if taken.allSatisfy({ $0.intent.operation == .erase && !$0.needsUndo }) { return .erased }
        let open = taken.filter(\.needsUndo)
        if open.isEmpty { return .undone }
        let trashed = taken.count { $0.needsUndo || $0.intent.operation != .erase }
        let gone = open.count(where: \.isGone)
        if gone > 0 { return gone == trashed ? .gone : .partlyGone }
        if open.count < trashed { return .partlyUndone }
        return isClosed ? .done : .interrupted
    }

    /// True if some of its files can be restored.
    package var canBeUndone: Bool { !isRunning && steps.contains { $0.needsUndo && !$0.isGone && !$0.isUntouched } }
}
