internal import Glibc

/// Brings the files of one photo back, all of them or none. Until the last one is there, each can go back: copies leave
/// the originals in the trash, and every `.trashinfo` stays.
struct UnitReturn {
    let id: RunID
    /// Where a rename cannot reach, a copy may be made: never out of the trash of a disk that is only to hold its own.
    let mayCopy: Bool
    var files: [FileReturn]
    /// Attributes that could not be kept, a `.trashinfo` that is left.
    private(set) var notes: [String] = []
    /// All is back and tidied: nothing is left for another undo.
    private(set) var isCleanedUp = true
    private var copies: [Int: FileIdentity] = [:]

    init(_ id: RunID, _ files: [FileReturn], mayCopy: Bool) {
        self.id = id
        self.files = files
        self.mayCopy = mayCopy
    }

    /// Throws what kept one of them; then all are in the trash again but for those that `notReturned` names.
    mutating func restore(_ folders: inout OpenFolders, _ journal: inout JournalFile?) throws(POSIXError) {
        do throws(POSIXError) {
            for index in files.indices where files[index].progress == .inTrash {
                try restore(index, &folders, &journal)
            }
        } catch {
            returnToTrash(&folders, &journal)
            throw error
        }
    }

    /// Files of a photo that stayed which could not be put back into the trash.
    var notReturned: [FilePath] { files.filter { $0.progress != .inTrash }.map(\.target) }

    private mutating func restore(
        _ index: Int, _ folders: inout OpenFolders, _ journal: inout JournalFile?
    ) throws(POSIXError) {
        let back = files[index]
        let folder = try folders.makeFolder(back.target.directory)
        if Replacement.stands(back.step, at: back.target, &folders) {
            return try revert(index, folder, &journal)
        }
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(
                back.trashName, in: back.trash.files, to: back.name, in: folder.descriptor)
            files[index].progress = .moved
        } catch {
            if error.isOtherFileSystem, mayCopy {
                try copy(index, to: back.name, in: folder, &journal)
                files[index].progress = .doubled
            } else if isSecondName(back, folder) {
                // The link was made, and the name in the trash would not go.
                files[index].progress = .doubled
            } else {
                throw error
            }
        }
    }

    private func isSecondName(_ back: FileReturn, _ folder: OpenFolder) -> Bool {
        guard let here = try? folder.descriptor.status(of: back.name),
            let there = try? back.trash.files.status(of: back.trashName)
        else { return false }
        return here.identity == there.identity && here.kind == .regular
    }

    /// A copy gets its name after the journal knows what it is: whoever comes after a kill can tell it from a newcomer.
    private mutating func copy(
        _ index: Int, to name: FilePath?, in folder: OpenFolder, _ journal: inout JournalFile?
    ) throws(POSIXError) {
        let back = files[index]
        let temporary = UnitMover.temporaryName(id, back.file)
        do throws(POSIXError) { try FileSystem.remove(temporary, in: folder.descriptor) } catch {
            if !error.isMissing { throw error }
        }
        var lost: POSIXError?
        try VerifiedCopy.make(
            back.trashName, in: back.trash.files, to: temporary, in: folder.descriptor,
            identity: try back.trash.files.status(of: back.trashName).identity, lost: { lost = $0 })
        do throws(POSIXError) {
            let identity = try folder.descriptor.status(of: temporary).identity
            copies[back.file] = identity
            journal?.append(.copied(file: back.file, identity: identity))
            do throws(JournalError) { try journal?.synchronize() } catch { throw error.cause }
            guard let name else { return }
            try FileSystem.moveWithoutReplacing(temporary, in: folder.descriptor, to: name, in: folder.descriptor)
        } catch {
            try? FileSystem.remove(temporary, in: folder.descriptor)
            throw error
        }
        if let lost {
            notes.append("\(back.target.displayText): its attributes or ACL could not be kept: \(lost.reason)")
        }
    }

    /// The original takes its name again from the new file, which has it at this moment.
    private mutating func revert(
        _ index: Int, _ folder: OpenFolder, _ journal: inout JournalFile?
    ) throws(POSIXError) {
        let back = files[index]
        do throws(POSIXError) {
            try FileSystem.exchange(back.trashName, in: back.trash.files, with: back.name, in: folder.descriptor)
        } catch {
            guard error.isUnsupported || error.isOtherFileSystem else { throw error }
            let temporary = UnitMover.temporaryName(id, back.file)
            try copy(index, to: nil, in: folder, &journal)
            do throws(POSIXError) {
                try Replacement.takeName(id, back, with: temporary, folder)
            } catch {
                try? FileSystem.remove(temporary, in: folder.descriptor)
                throw error
            }
            files[index].progress = .doubled
            return
        }
        files[index].progress = .exchanged
        // What came out must be the file that we wrote; a user's change of the last moment goes back.
        if let out = try? back.trash.files.status(of: back.trashName), !Replacement.isNew(out, of: back.step) {
            throw POSIXError(code: EEXIST, operation: "renameat2", path: back.target)
        }
    }

    // MARK: Back into the trash

    /// Puts those that came back into the trash again, the last one first.
    mutating func returnToTrash(_ folders: inout OpenFolders, _ journal: inout JournalFile?) {
        for index in files.indices.reversed() where files[index].progress != .inTrash {
            do throws(POSIXError) {
                try returnToTrash(files[index], try folders.folder(files[index].target.directory))
                files[index].progress = .inTrash
            } catch {
                notes.append(
                    "\(files[index].target.displayText) could not be put back into the trash: \(error.reason)")
                isCleanedUp = false
            }
        }
        for back in files where back.progress == .inTrash { journal?.append(.stayed(file: back.file)) }
        try? journal?.flush()
    }

    private func returnToTrash(_ back: FileReturn, _ folder: OpenFolder) throws(POSIXError) {
        let identity = copies[back.file] ?? back.step.copy
        switch back.progress {
        case .inTrash: return
        case .doubled:
            // The one in the trash must be there before its double goes.
            _ = try back.trash.files.status(of: back.trashName)
            try SetAside(id, back.file).erase(back.name, in: folder.descriptor) { status in
                identity.map(status.identity.matchesContent) ?? back.isOurs(status)
            }
        case .exchanged:
            try FileSystem.exchange(back.trashName, in: back.trash.files, with: back.name, in: folder.descriptor)
        case .moved:
            guard back.isOurs(try folder.descriptor.status(of: back.name)) else {
                throw POSIXError(code: ESTALE, operation: "fstatat", path: back.target)
            }
            try FileSystem.moveWithoutReplacing(
                back.name, in: folder.descriptor, to: back.trashName, in: back.trash.files)
        }
    }

    // MARK: Behind the last one

    /// All are there: what is left of them in the trash goes. What cannot be tidied is noted, and left to the next undo.
    mutating func cleanUp(_ folders: inout OpenFolders, _ journal: inout JournalFile?) {
        for back in files { journal?.append(.returned(file: back.file)) }
        try? journal?.flush()
        for back in files {
            do throws(POSIXError) {
                let folder = try folders.folder(back.target.directory)
                try cleanUp(back, folder)
                try Replacement.clean(
                    id, back.step, removesNew: back.target == back.step.intent.path, &folders)
                try back.trash.removeInfo(of: back.trashName)
            } catch {
                let reason = ReturnObstacles.leftover(of: back, &folders) ?? error.reason
                notes.append("\(back.target.displayText) is back, and " + back.leftover(reason))
                isCleanedUp = false
            }
        }
    }

    private func cleanUp(_ back: FileReturn, _ folder: OpenFolder) throws(POSIXError) {
        switch back.progress {
        case .inTrash, .moved: return
        case .exchanged:
            try SetAside(id, back.file).erase(back.trashName, in: back.trash.files) {
                Replacement.isNew($0, of: back.step)
            }
        case .doubled:
            let isLink = isSecondName(back, folder)
            if back.isResumed, !isLink,
                !(try VerifiedCopy.isSame(back.trashName, in: back.trash.files, as: back.name, in: folder.descriptor))
            {
                throw POSIXError(code: ESTALE, operation: "compare", path: back.target)
            }
            // The new name must be on the disk before the old one goes. Without permission to read the folder, it is when
            // the system likes.
            if let readable = try? folder.descriptor.open(.current, [.read, .directory]) { try readable.synchronize() }
            let original = try back.trash.files.status(of: back.trashName).identity
            try SetAside(id, back.file).erase(back.trashName, in: back.trash.files) {
                $0.identity.matchesContent(of: original)
            }
        }
    }
}

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

    func leftover(_ reason: String) -> String {
        "what it left in the trash could not be removed "
            + "(\(trash.site.root.displayText), \(trashName.displayText)): \(reason)"
    }

    /// Its number in the journal.
    var file: Int { step.intent.file }

    /// What stands at the target is the copy that was made, or the file itself.
    func isOurs(_ status: FileStatus) -> Bool {
        status.identity.matchesContent(of: step.copy ?? step.identity)
            || status.identity.matchesContent(of: step.intent.identity)
    }
}
