/// What an undo did, or would do.
package struct UndoResult: Sendable {
    /// What can be done with a photo, or what was done.
    package enum Status: String, Sendable {
        /// Can be restored.
        case ready
        case restored
        /// Another file has its name.
        case conflict
        /// Neither in the trash nor restored.
        case gone
        /// The file in the trash is not the one that was moved there.
        case changed
        case failed
    }

    /// One photo of the run.
    package struct Item: Sendable {
        /// The original path of the main file; absolute.
        package var path: FilePath
        /// The present or future paths of the photo's files.
        package var files: [FilePath]
        package var bytes: Int64
        package var status: Status
        package var reason: String?
        /// Other files have its names, so it is restored under new ones.
        package var isRenamed = false
    }

    package let id: RunID
    /// `delete` or `compress`
    package var action: String
    package var isDryRun: Bool
    package var items: [Item] = []
    package var wasInterrupted = false
    /// The run was killed before it moved anything, and its leftovers have been removed. Nothing else was undone: after
    /// a crash the user does not expect the previous run to be undone.
    package var isOnlyCleared = false
    /// An earlier, killed undo had restored everything. What it left undone, such as the selections, is done now.
    package var isOnlyFinished = false
    /// If nothing of this run is left: the previous run, which the user can undo by its ID.
    package var next: RunID?
    package var notes: [String] = []
    /// Leftovers could not be removed, or selections not updated. Another undo of this run will try again.
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
    /// True if all files of the run have left the trash.
    package var isGone: Bool { !items.isEmpty && items.allSatisfy { $0.status == .gone } }

    func followed(by next: RunID?) -> UndoResult {
        var result = self
        result.next = next
        return result
    }
}
