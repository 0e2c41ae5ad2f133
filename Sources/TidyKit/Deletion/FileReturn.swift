/// One file on its way back out of a trash.
struct FileReturn {
    enum Progress {
        /// Not touched yet, or back there.
        case inTrash
        /// At its target; the trash has nothing but the `.trashinfo`.
        case moved
        /// At its target, a copy or a second name; the one in the trash goes when the whole photo is there.
        case doubled
        /// At its target, in the place of the new file that had replaced it; the new file has its name in the trash.
        case exchanged
    }

    let step: RunHistory.Step
    let trash: Trash
    let trashName: FilePath
    var target: FilePath
    var progress = Progress.inTrash
    /// An undo that was cut off brought it as far as that.
    var isResumed = false

    init(_ step: RunHistory.Step, _ trash: Trash, target: FilePath) {
        self.step = step
        self.trash = trash
        self.target = target
        trashName = step.intent.name ?? FilePath(step.intent.path.lastComponent)
    }

    var name: FilePath { FilePath(target.lastComponent) }
    /// Its number in the journal.
    var file: Int { step.intent.file }

    /// What stands at the target is the copy that was made, or the file itself.
    func isOurs(_ status: FileStatus) -> Bool {
        status.identity.matchesContent(of: step.copy ?? step.identity)
            || status.identity.matchesContent(of: step.intent.identity)
    }
}
