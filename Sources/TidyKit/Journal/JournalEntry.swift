/// One line of a journal. Fields are separated by tabs, paths are percent-encoded, and the last field is a checksum
/// seeded by the run's ID: a torn or damaged line is not an entry.
package enum JournalEntry: Hashable, Sendable {
    /// What a run does with a file.
    package enum Operation: String, Sendable {
        /// Renamed into a trash.
        case move
        /// Copied into the home trash, then unlinked.
        case copy
        /// Unlinked.
        case erase
        /// Moved into a trash while a new file takes its place.
        case replace
    }

    /// The outcome of a move.
    package enum Outcome: String, Sendable {
        case trashed, erased
        /// It is in its place: not moved, or put back.
        case kept
        /// The check after the move failed, so the outcome is unknown until `undo` looks at the disk.
        case unknown
    }

    /// The run begins, or continues after an interruption.
    case start(Start)
    /// The file is about to be moved to this path, a private name in its own folder, to be checked before it is erased
    /// or replaced. Written and synced before that move. A file that is found there later was not erased.
    case aside(file: Int, FilePath)
    /// A file is about to be moved. Written and synced before anything is touched. A second intent for the same file
    /// replaces the first, for example because its name in the trash was taken in the meantime.
    case intent(Intent)
    /// `identity` is the one in the new place.
    case outcome(file: Int, Outcome, identity: FileIdentity)
    /// The file was a member of a selection: at `index`, after the member `after` (nil for the first). Members that
    /// left before it are not counted.
    case left(file: Int, selection: [UInt8], index: Int, path: FilePath, after: FilePath?)
    /// The run ended, or was interrupted by the user.
    case end
    /// Undo is about to move the file to this path.
    case target(file: Int, FilePath)
    /// Undo made a verified copy of the file, which is about to get its name. The file in the trash is removed last.
    case copied(file: Int, identity: FileIdentity)
    /// Undo restored the file with its whole photo; selections and the trash may still have to be updated.
    case restored(file: Int)
    /// Undo could not restore the photo: the file is in the trash again.
    case stayed(file: Int)
    /// The file is back, or was never moved: nothing is left to undo.
    case settled(file: Int)

    /// What a run is, when it began and where.
    package struct Start: Hashable, Sendable {
        /// Nanoseconds since 1970 (UTC).
        package var timeNs: Int64
        /// `delete` or `compress`.
        package var action: String
        /// The folder that contains all files of the run.
        package var root: FilePath

        package init(timeNs: Int64, action: String, root: FilePath) {
            self.timeNs = timeNs
            self.action = action
            self.root = root
        }
    }

    /// All that undo needs to know about one file.
    package struct Intent: Hashable, Sendable {
        /// The number of the file in the run, from 0.
        package var file: Int
        /// The number of the photo in the run, from 0.
        package var unit: Int
        package var operation: Operation
        /// Absolute; its folders contain no symbolic link.
        package var path: FilePath
        package var identity: FileIdentity
        /// The trash folder that holds `files` and `info`; nil for `erase`.
        package var trash: FilePath?
        /// The name in the trash.
        package var name: FilePath?
        /// With `replace`: where the new file goes, its temporary name, and its identity.
        package var replacement: Replacement?

        package init(
            file: Int, unit: Int, operation: Operation, path: FilePath, identity: FileIdentity
        ) {
            self.file = file
            self.unit = unit
            self.operation = operation
            self.path = path
            self.identity = identity
        }
    }

    /// The new file of a `replace`.
    package struct Replacement: Hashable, Sendable {
        package var path: FilePath
        package var temporary: FilePath
        package var identity: FileIdentity

        package init(path: FilePath, temporary: FilePath, identity: FileIdentity) {
            self.path = path
            self.temporary = temporary
            self.identity = identity
        }
    }
}

extension JournalEntry {
    /// Appends the line, newline included.
    func write(to text: inout [UInt8], id: RunID) {
        var line = LineWriter()
        switch self {
        case .start(let start):
            line.word("start")
            line.number(start.timeNs)
            line.word(start.action)
            line.path(start.root)
        case .intent(let intent):
            line.word("intent")
            line.number(intent.file)
            line.number(intent.unit)
            line.word(intent.operation.rawValue)
            line.identity(intent.identity)
            line.path(intent.path)
            line.path(intent.trash)
            line.path(intent.name)
            if let replacement = intent.replacement {
                line.path(replacement.path)
                line.path(replacement.temporary)
                line.identity(replacement.identity)
            }
        case .outcome(let file, let outcome, let identity):
            line.word("outcome")
            line.number(file)
            line.word(outcome.rawValue)
            line.identity(identity)
        case .left(let file, let selection, let index, let path, let after):
            line.word("left")
            line.number(file)
            line.path(FilePath(selection))
            line.number(index)
            line.path(path)
            line.path(after)
        case .end: line.word("end")
        case .aside(let file, let path):
            line.word("aside")
            line.number(file)
            line.path(path)
        case .target(let file, let path):
            line.word("target")
            line.number(file)
            line.path(path)
        case .copied(let file, let identity):
            line.word("copied")
            line.number(file)
            line.identity(identity)
        // The stored word of older versions, which new ones must still read and write.
        case .restored(let file): line.file("returned", file)
        case .stayed(let file): line.file("stayed", file)
        case .settled(let file): line.file("settled", file)
        }
        line.finish(into: &text, seed: id.bytes)
    }

    /// Nil for a line that is incomplete or whose checksum is wrong.
    init?(line: ArraySlice<UInt8>, id: RunID) {
        guard var fields = LineReader(line, seed: id.bytes), let word = fields.word() else { return nil }
        switch word {
        case "start":
            guard let time = fields.number(Int64.self), let action = fields.word(), let root = fields.path() else {
                return nil
            }
            self = .start(Start(timeNs: time, action: action, root: root))
        case "intent":
            guard let intent = Intent(&fields) else { return nil }
            self = .intent(intent)
        case "outcome":
            guard let file = fields.number(Int.self), let outcome = fields.word().flatMap(Outcome.init),
                let identity = fields.identity()
            else { return nil }
            self = .outcome(file: file, outcome, identity: identity)
        case "left":
            guard let file = fields.number(Int.self), let selection = fields.path(),
                let index = fields.number(Int.self),
                let path = fields.path(), let after = fields.optionalPath()
            else { return nil }
            self = .left(file: file, selection: selection.bytes, index: index, path: path, after: after)
        case "end": self = .end
        case "aside":
            guard let file = fields.number(Int.self), let path = fields.path(), path.isPlain else { return nil }
            self = .aside(file: file, path)
        case "target":
            guard let file = fields.number(Int.self), let path = fields.path(), path.isPlain else { return nil }
            self = .target(file: file, path)
        case "copied":
            guard let file = fields.number(Int.self), let identity = fields.identity() else { return nil }
            self = .copied(file: file, identity: identity)
        // "returned" is the stored word for `.restored`.
        case "returned", "stayed", "settled":
            guard let file = fields.number(Int.self) else { return nil }
            self =
                word == "returned"
                ? .restored(file: file) : word == "stayed" ? .stayed(file: file) : .settled(file: file)
        default: return nil
        }
    }
}

extension LineWriter {
    fileprivate mutating func file(_ word: String, _ number: Int) {
        self.word(word)
        self.number(number)
    }
}

extension JournalEntry.Intent {
    /// A journal may be on a disk from elsewhere, so its paths are restricted: each is absolute without `..`, a file in
    /// the trash is a single name, and a new file is in the folder of the old one.
    private var isPlain: Bool {
        guard Self.isNumber(file), Self.isNumber(unit) else { return false }
        guard path.isPlain, trash?.isPlain ?? true, name?.isPlainName ?? true else { return false }
        guard let replacement else { return true }
        return [replacement.path, replacement.temporary].allSatisfy { $0.isPlain && $0.directory == path.directory }
            && replacement.temporary.lastComponent.starts(with: AtomicFile.temporaryPrefix.utf8)
    }

    /// True for a valid number of a file or photo. The bound ensures that adding 1 cannot overflow.
    static func isNumber(_ number: Int) -> Bool { (0...Int(Int32.max)).contains(number) }

    fileprivate init?(_ fields: inout LineReader) {
        guard let file = fields.number(Int.self), let unit = fields.number(Int.self),
            let operation = fields.word().flatMap(JournalEntry.Operation.init), let identity = fields.identity(),
            let path = fields.path(), let trash = fields.optionalPath(), let name = fields.optionalPath()
        else { return nil }
        self.init(file: file, unit: unit, operation: operation, path: path, identity: identity)
        (self.trash, self.name) = (trash, name)
        if operation == .replace {
            guard let path = fields.path(), let temporary = fields.path(), let identity = fields.identity() else {
                return nil
            }
            replacement = JournalEntry.Replacement(path: path, temporary: temporary, identity: identity)
        }
        guard isPlain else { return nil }
    }
}
