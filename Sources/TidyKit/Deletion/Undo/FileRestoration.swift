/// One file that is being restored from a trash.
struct FileRestoration {
    enum Progress {
        /// Not touched yet, or moved back.
        case inTrash
        /// At its target; only the `.trashinfo` is left in the trash.
        case moved
        /// At its target, as a copy or a second name. The one in the trash is removed once the whole photo is restored.
        case doubled
        /// At its target, exchanged with the new file that had replaced it; that one now has its name in the trash.
        case exchanged
    }

    let step: RunHistory.Step
    let trash: Trash
    let trashName: FilePath
    var target: FilePath
    var progress = Progress.inTrash
    /// An interrupted undo brought it this far.
    var isResumed = false

    init(_ step: RunHistory.Step, _ trash: Trash, target: FilePath) {
        self.step = step
        self.trash = trash
        self.target = target
        trashName = step.intent.name ?? FilePath(step.intent.path.lastComponent)
    }

    var name: FilePath { FilePath(target.lastComponent) }

    func leftover(_ reason: String) -> String {
        "what it left in the trash could not be removed "
            + "(\(trash.site.root.displayText), \(trashName.displayText)): \(reason)"
    }

    /// Its number in the journal.
    var number: Int { step.intent.file }

    /// True if the file at the target is the copy that was made, or the file itself.
    func isOurs(_ status: FileStatus) -> Bool {
        status.identity.matchesContent(of: step.copy ?? step.identity)
            || status.identity.matchesContent(of: step.intent.identity)
    }
}

extension Trash {
    /// Moves `trashName` to `name` in `folder`. Replaces nothing. Across filesystems makes a verified copy. The
    /// `.trashinfo` is removed last.
    /// - Parameter temporary: the name of the copy until it is complete.
    func restore(
        _ trashName: FilePath, to name: FilePath, in folder: borrowing FileDescriptor, temporary: FilePath
    ) throws(POSIXError) {
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(trashName, in: files, to: name, in: folder)
        } catch {
            guard error.isOtherFileSystem else { throw error }
            let identity = try files.status(of: trashName).identity
            do throws(POSIXError) { try FileSystem.remove(temporary, in: folder) } catch {
                if !error.isMissing { throw error }
            }
            try VerifiedCopy(of: identity).make(trashName, in: files, to: temporary, in: folder)
            do throws(POSIXError) {
                try FileSystem.moveWithoutReplacing(temporary, in: folder, to: name, in: folder)
            } catch {
                try? FileSystem.remove(temporary, in: folder)
                throw error
            }
            try FileSystem.remove(trashName, in: files)
        }
        discardInfo(trashName)
    }
}
