/// What an undo did, or would do.
package struct UndoResult: Sendable {
    package enum Status: String, Sendable {
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

    package struct Item: Sendable {
        /// Where the main file came from; absolute.
        package var path: FilePath
        /// Where the files of the photo are now, or would go.
        package var files: [FilePath]
        package var bytes: Int64
        package var status: Status
        package var reason: String?
        /// Other files have its names: it comes back under new ones.
        package var isRenamed = false
    }

    package let id: RunID
    /// `delete` or `compress`
    package var action: String
    package var isDryRun: Bool
    package var items: [Item] = []
    package var wasInterrupted = false
    /// The run was cut off before it moved anything, and what it left has been cleaned up. Nothing else was undone:
    /// after a crash the user does not expect the run before it to be undone.
    package var isOnlyCleared = false
    /// Nothing was left to bring back: an earlier undo, which was cut off, had done that. What it left undone, such as the
    /// selections, is done now.
    package var isOnlyFinished = false
    /// When nothing of this run is left: the run before it, which an undo by its ID restores.
    package var next: RunID?
    package var notes: [String] = []
    /// Something could not be tidied, or brought up to date: another undo of this run will try again.
    package var isUnfinished = false
    /// A restored file lacks something that `notes` names, such as its attributes.
    package var isFlawed = false

    package var photos: Int { items.count { $0.status == .restored || $0.status == .ready } }
    package var files: Int {
        items.reduce(0) { $0 + ($1.status == .restored || $1.status == .ready ? $1.files.count : 0) }
    }
    package var bytes: Int64 {
        items.totalBytes { $0.status == .restored || $0.status == .ready ? $0.bytes : 0 }
    }
    package var isComplete: Bool {
        !isUnfinished && !isFlawed && items.allSatisfy { $0.status == .restored || $0.status == .ready }
    }
    /// All that was left of the run has left the trash.
    package var isGone: Bool { !items.isEmpty && items.allSatisfy { $0.status == .gone } }

    func followed(by next: RunID?) -> UndoResult {
        var result = self
        result.next = next
        return result
    }
}
