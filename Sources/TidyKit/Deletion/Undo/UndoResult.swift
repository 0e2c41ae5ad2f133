/// What an undo did, or would do.
public struct UndoResult: Sendable {
    public enum Status: String, Sendable {
        /// Would come back.
        case ready
        case restored
        /// Another file has its place.
        case conflict
        /// Has left the trash, and is not back.
        case gone
        /// Other than what was trashed.
        case changed
        case failed
    }

    public struct Item: Sendable {
        /// Where the main file came from; absolute.
        public var path: FilePath
        /// Where the files of the photo are now, or would be.
        public var files: [FilePath]
        public var bytes: Int64
        public var status: Status
        public var reason: String?
        /// Other files have its names: it comes back under new ones.
        public var isRenamed = false
    }

    public let id: RunID
    /// `delete` or `compress`
    public var action: String
    public var isDryRun: Bool
    public var items: [Item] = []
    public var wasInterrupted = false
    /// The run was cut off, and nothing of it was there to come back: what it left was cleared away. Nothing else was
    /// undone: to undo the run before it is not what somebody asks for after a crash.
    public var isOnlyCleared = false
    /// Nothing was left to bring back: an earlier undo, which was cut off, had done that. What it left undone, such as the
    /// selections, is done now.
    public var isOnlyFinished = false
    /// Where nothing of the run is left: the one before it, which an undo by its ID brings back.
    public var next: RunID?
    public var notes: [String] = []
    /// Something could not be tidied, or brought up to date: another undo of this run will try again.
    public var isUnfinished = false
    /// What came back lacks something that `notes` tells of, its attributes perhaps.
    public var isFlawed = false

    public var photos: Int { items.count { $0.status == .restored || $0.status == .ready } }
    public var files: Int {
        items.reduce(0) { $0 + ($1.status == .restored || $1.status == .ready ? $1.files.count : 0) }
    }
    public var bytes: Int64 {
        items.totalBytes { $0.status == .restored || $0.status == .ready ? $0.bytes : 0 }
    }
    public var isComplete: Bool {
        !isUnfinished && !isFlawed && items.allSatisfy { $0.status == .restored || $0.status == .ready }
    }
    /// All that was left of the run has left the trash.
    public var isGone: Bool { !items.isEmpty && items.allSatisfy { $0.status == .gone } }

    func followed(by next: RunID?) -> UndoResult {
        var result = self
        result.next = next
        return result
    }
}
