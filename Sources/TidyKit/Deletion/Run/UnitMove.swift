/// One file of a photo that is being deleted or replaced: where it is, what it must be, and where it goes.
struct UnitMove {
    /// Its number in the journal, and that of its photo.
    let file: Int
    let unit: Int
    let member: DeletionPlan.Member
    let folder: OpenFolder
    let name: FilePath
    var operation: JournalEntry.Operation
    var trash: Trash?
    var trashName = FilePath([])
    /// Other trashes to try when the first turns out to be on another filesystem.
    var otherSites: [TrashSite] = []
    /// The new file that takes its place.
    var replacement: JournalEntry.Replacement?
    /// A shared sidecar that is not moved: another photo still needs it.
    var stays = false
    /// The file as it is after the move.
    var moved: FileIdentity?
    /// Its private name, where it is set aside before it is erased; nil where it is not.
    var aside: PrivateName?
    /// The copy of it that is in the trash.
    var copied: FileIdentity?
    /// It has its private name at the moment.
    var isAside = false
    /// Calls failed that should tell what became of it: `undo` looks.
    var isUnknown = false

    /// Why a file stays, in the words of the report.
    struct Failure: Error {
        var status: DeletionPlan.Status
        var reason: String
        /// The disk is full, or the journal cannot be written: nothing more is tried.
        var stops = false
        var lacksTrash = false

        init(_ status: DeletionPlan.Status, _ reason: String, stops: Bool = false, lacksTrash: Bool = false) {
            self.status = status
            self.reason = reason
            self.stops = stops
            self.lacksTrash = lacksTrash
        }

        init(_ error: POSIXError) {
            if error.isMissing {
                self.init(.missing, "gone since the plan was made")
            } else if error.isDenied {
                self.init(.denied, error.reason)
            } else if error.isInterruption {
                self.init(.failed, "not tried: interrupted")
            } else {
                self.init(.failed, error.reason, stops: error.isFull)
            }
        }
    }

    /// What the journal must tell before the file is touched.
    func appendIntent(to journal: inout JournalFile) {
        journal.append(.intent(intent))
        if let aside { journal.append(.aside(file: file, folder.path.appending(aside.name.bytes))) }
    }

    /// What became of it; the identity where it has gone.
    var outcome: (JournalEntry.Outcome, FileIdentity) {
        if isUnknown { return (.unknown, member.identity) }
        guard let moved else { return (.kept, member.identity) }
        return (operation == .erase ? .erased : .trashed, moved)
    }

    var intent: JournalEntry.Intent {
        var intent = JournalEntry.Intent(
            file: file, unit: unit, operation: operation, path: member.location, identity: member.identity)
        intent.trash = trash?.site.root
        intent.name = trash == nil ? nil : trashName
        intent.replacement = replacement
        return intent
    }
}
