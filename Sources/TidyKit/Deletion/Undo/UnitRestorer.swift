internal import Glibc

/// Restores the files of one photo, all or none. Each can be rolled back until the last one is restored: copies leave
/// the originals in the trash, and every `.trashinfo` is kept.
struct UnitRestorer {
    let id: RunID
    /// Files may be copied if a rename is impossible (see `UndoRun.mayCopy`).
    let mayCopy: Bool
    var files: [FileRestoration]
    /// Messages about lost attributes, and about each `.trashinfo` that could not be removed.
    private(set) var notes: [String] = []
    /// Nothing is left in the trash, so another undo has nothing to do.
    private(set) var isCleanedUp = true
    private var copies: [Int: FileIdentity] = [:]

    init(_ id: RunID, _ files: [FileRestoration], mayCopy: Bool) {
        self.id = id
        self.files = files
        self.mayCopy = mayCopy
    }

    /// Throws the error of the first file that fails; all are then in the trash again, except for `notRolledBack`.
    mutating func restore(_ folders: inout OpenFolders, _ journal: inout JournalFile?) throws(POSIXError) {
        do throws(POSIXError) {
            for index in files.indices where files[index].progress == .inTrash {
                try restore(index, &folders, &journal)
            }
        } catch {
            rollBack(&folders, &journal)
            throw error
        }
    }

    /// Restored files of a failed photo that could not be moved back to the trash.
    var notRolledBack: [FilePath] { files.filter { $0.progress != .inTrash }.map(\.target) }

    private mutating func restore(
        _ index: Int, _ folders: inout OpenFolders, _ journal: inout JournalFile?
    ) throws(POSIXError) {
        let file = files[index]
        let folder = try folders.makeFolder(file.target.directory)
        if Replacement.isInPlace(file.step, at: file.target, &folders) {
            return try restoreOverReplacement(index, folder, &journal)
        }
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(
                file.trashName, in: file.trash.files, to: file.name, in: folder.descriptor)
            files[index].progress = .moved
        } catch {
            if error.isOtherFileSystem, mayCopy {
                try copy(index, to: file.name, in: folder, &journal)
                files[index].progress = .doubled
            } else if isSecondName(file, folder) {
                // The link was created, but the name in the trash could not be removed.
                files[index].progress = .doubled
            } else {
                throw error
            }
        }
    }

    private func isSecondName(_ file: FileRestoration, _ folder: OpenFolder) -> Bool {
        guard let here = try? folder.descriptor.status(of: file.name),
            let there = try? file.trash.files.status(of: file.trashName)
        else { return false }
        return here.identity == there.identity && here.kind == .regular
    }

    /// A copy is renamed only after its identity is in the journal, so that after a kill it can be distinguished from a
    /// new file.
    private mutating func copy(
        _ index: Int, to name: FilePath?, in folder: OpenFolder, _ journal: inout JournalFile?
    ) throws(POSIXError) {
        let file = files[index]
        let temporary = UnitMover.temporaryName(id, file.number)
        do throws(POSIXError) { try FileSystem.remove(temporary, in: folder.descriptor) } catch {
            if !error.isMissing { throw error }
        }
        let source = try file.trash.files.status(of: file.trashName).identity
        let lost = try VerifiedCopy(of: source, mayLoseAttributes: true)
            .make(file.trashName, in: file.trash.files, to: temporary, in: folder.descriptor)
        do throws(POSIXError) {
            let identity = try folder.descriptor.status(of: temporary).identity
            copies[file.number] = identity
            journal?.append(.copied(file: file.number, identity: identity))
            do throws(JournalError) { try journal?.synchronize() } catch { throw error.cause }
            guard let name else { return }
            try FileSystem.moveWithoutReplacing(temporary, in: folder.descriptor, to: name, in: folder.descriptor)
        } catch {
            try? FileSystem.remove(temporary, in: folder.descriptor)
            throw error
        }
        if let lost {
            notes.append("\(file.target.displayText): its attributes or ACL could not be kept: \(lost.reason)")
        }
    }

    /// Restores the original over the new file, which has its name at this moment.
    private mutating func restoreOverReplacement(
        _ index: Int, _ folder: OpenFolder, _ journal: inout JournalFile?
    ) throws(POSIXError) {
        let file = files[index]
        do throws(POSIXError) {
            try FileSystem.exchange(file.trashName, in: file.trash.files, with: file.name, in: folder.descriptor)
        } catch {
            guard error.isUnsupported || error.isOtherFileSystem else { throw error }
            let temporary = UnitMover.temporaryName(id, file.number)
            try copy(index, to: nil, in: folder, &journal)
            do throws(POSIXError) {
                try Replacement.replaceNew(id, file, with: temporary, folder)
            } catch {
                try? FileSystem.remove(temporary, in: folder.descriptor)
                throw error
            }
            files[index].progress = .doubled
            return
        }
        files[index].progress = .exchanged
        // The file that came out must be the one that we wrote; if the user changed it at the last moment, it is put
        // back.
        if let out = try? file.trash.files.status(of: file.trashName), !Replacement.isNew(out, of: file.step) {
            throw POSIXError(code: EEXIST, operation: "renameat2", path: file.target)
        }
    }

    // MARK: Back into the trash

    /// Moves the restored files back to the trash, the last one first.
    mutating func rollBack(_ folders: inout OpenFolders, _ journal: inout JournalFile?) {
        for index in files.indices.reversed() where files[index].progress != .inTrash {
            do throws(POSIXError) {
                try rollBack(files[index], try folders.folder(files[index].target.directory))
                files[index].progress = .inTrash
            } catch {
                notes.append(
                    "\(files[index].target.displayText) could not be put back into the trash: \(error.reason)")
                isCleanedUp = false
            }
        }
        for file in files where file.progress == .inTrash { journal?.append(.stayed(file: file.number)) }
        try? journal?.flush()
    }

    private func rollBack(_ file: FileRestoration, _ folder: OpenFolder) throws(POSIXError) {
        let identity = copies[file.number] ?? file.step.copy
        switch file.progress {
        case .inTrash: return
        case .doubled:
            // The file in the trash must exist before its double is removed.
            _ = try file.trash.files.status(of: file.trashName)
            try PrivateName.ofUndo(id, file.number).erase(file.name, in: folder.descriptor) { status in
                identity.map(status.identity.matchesContent) ?? file.isOurs(status)
            }
        case .exchanged:
            try FileSystem.exchange(file.trashName, in: file.trash.files, with: file.name, in: folder.descriptor)
        case .moved:
            guard file.isOurs(try folder.descriptor.status(of: file.name)) else {
                throw POSIXError(code: ESTALE, operation: "fstatat", path: file.target)
            }
            try FileSystem.moveWithoutReplacing(
                file.name, in: folder.descriptor, to: file.trashName, in: file.trash.files)
        }
    }

    // MARK: Behind the last one

    /// Once all files are restored: removes what is left of them in the trash. Notes what cannot be removed, for the
    /// next undo.
    mutating func cleanUp(_ folders: inout OpenFolders, _ journal: inout JournalFile?) {
        for file in files { journal?.append(.restored(file: file.number)) }
        try? journal?.flush()
        for file in files {
            do throws(POSIXError) {
                let folder = try folders.folder(file.target.directory)
                try cleanUp(file, folder)
                try Replacement.clean(
                    id, file.step, removesNew: file.target == file.step.intent.path, &folders)
                try file.trash.removeInfo(of: file.trashName)
            } catch {
                let reason = RestoreObstacles.leftover(of: file, &folders) ?? error.reason
                notes.append("\(file.target.displayText) is back, and " + file.leftover(reason))
                isCleanedUp = false
            }
        }
    }

    private func cleanUp(_ file: FileRestoration, _ folder: OpenFolder) throws(POSIXError) {
        switch file.progress {
        case .inTrash, .moved: return
        case .exchanged:
            try PrivateName.ofUndo(id, file.number).erase(file.trashName, in: file.trash.files) {
                Replacement.isNew($0, of: file.step)
            }
        case .doubled:
            let isLink = isSecondName(file, folder)
            if file.isResumed, !isLink,
                !(try VerifiedCopy.isSame(file.trashName, in: file.trash.files, as: file.name, in: folder.descriptor))
            {
                throw POSIXError(code: ESTALE, operation: "compare", path: file.target)
            }
            // The new name must be on the disk before the old one is removed. Without permission to read the folder it
            // cannot be synced.
            if let readable = try? folder.descriptor.open(.current, [.read, .directory]) { try readable.synchronize() }
            let original = try file.trash.files.status(of: file.trashName).identity
            try PrivateName.ofUndo(id, file.number).erase(file.trashName, in: file.trash.files) {
                $0.identity.matchesContent(of: original)
            }
        }
    }
}
