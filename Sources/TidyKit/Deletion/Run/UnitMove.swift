/// One file of a photo that is being deleted or replaced: its place, its expected identity and its destination.
struct UnitMove {
    /// Its number in the journal; `unit` is that of its photo.
    let file: Int
    let unit: Int
    let member: DeletionPlan.Member
    let folder: OpenFolder
    let name: FilePath
    var operation: JournalEntry.Operation
    var trash: Trash?
    var trashName = FilePath([])
    /// Other trashes to try if the first turns out to be on another filesystem.
    var otherSites: [TrashSite] = []
    /// The new file that replaces it.
    var replacement: JournalEntry.Replacement?
    /// A shared sidecar that is not moved: another photo still needs it.
    var stays = false
    /// The identity after the move; nil if it is in its place.
    var moved: FileIdentity?
    /// The private name under which it is set aside before it is erased or replaced; nil if it needs none.
    var aside: PrivateName?
    /// The identity of its copy in the trash.
    var copied: FileIdentity?
    /// It has its private name at the moment.
    var isAside = false
    /// The outcome of a failed call could not be checked; `undo` has to look at the disk.
    var isUnknown = false

    /// Why a file stays, as the report says it.
    struct Failure: Error {
        var status: DeletionPlan.Status
        var reason: String
        /// The disk is full, or the journal cannot be written, so the run stops.
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
            } else if error.isStale {
                self.init(.changed, error.reason)
            } else if error.isDenied {
                self.init(.denied, error.reason)
            } else if error.isInterruption {
                self.init(.failed, "not tried: interrupted")
            } else {
                self.init(.failed, error.reason, stops: error.isFull)
            }
        }
    }

    /// Appends what the journal must contain before the file is touched.
    func appendIntent(to journal: inout JournalFile) {
        journal.append(.intent(intent))
        if let aside { journal.append(.aside(file: file, folder.path.appending(aside.name.bytes))) }
    }

    /// The outcome, and the identity of the file in its present place.
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
