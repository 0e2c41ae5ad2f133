internal import Glibc

/// A new file takes the place of one that goes to the trash. At every moment the name shows the old file or the new one.
extension UnitMover {
    /// `move.replacement` names the new file, written under its temporary name in the same folder. The original first gets
    /// a second name in the trash; then the new file takes its name.
    mutating func replace(_ move: inout UnitMove, _ journal: inout JournalFile) throws(UnitMove.Trouble) {
        guard let replacement = move.replacement else { return }
        try check(move)
        try addToTrash(&move, &journal)
        do throws(UnitMove.Trouble) {
            if replacement.path == move.member.location {
                try swap(move, replacement)
            } else {
                try put(move, replacement)
            }
        } catch {
            if let trash = move.trash {
                try? FileSystem.remove(move.trashName, in: trash.files)
                trash.withdraw(move.trashName)
            }
            move.moved = nil
            throw error
        }
        // Its other names, which this run may come to, have a new ctime by our own links.
        if let trash = move.trash, let now = try? trash.files.status(of: move.trashName).identity { note(now) }
    }

    /// A second name in the trash for the original; a copy of it where the filesystem has no links.
    private mutating func addToTrash(_ move: inout UnitMove, _ journal: inout JournalFile) throws(UnitMove.Trouble) {
        while let trash = move.trash {
            try announce(&move, trash, &journal)
            var isThere = false
            do throws(POSIXError) {
                let isCopy = try link(move, trash)
                isThere = true
                let identity = try trash.files.status(of: move.trashName).identity
                if !isCopy, !identity.matchesContent(of: move.member.identity) {
                    throw POSIXError(code: ESTALE, operation: "fstatat", path: move.name)
                }
                move.moved = identity
                return
            } catch {
                // A name that somebody else has taken is not ours to remove.
                if isThere { try? FileSystem.remove(move.trashName, in: trash.files) }
                trash.withdraw(move.trashName)
                if error.isOccupied {
                    try chooseName(&move, trash, &journal)
                } else if error.isOtherFileSystem {
                    try chooseTrash(&move)
                    guard move.operation == .replace else {
                        throw UnitMove.Trouble(.denied, "no trash on its filesystem", lacksTrash: true)
                    }
                    try record(move, &journal)
                } else if error.code == ESTALE {
                    throw UnitMove.Trouble(.changed, "it changed meanwhile")
                } else {
                    throw UnitMove.Trouble(error)
                }
            }
        }
    }

    /// Returns whether it had to be a copy.
    private func link(_ move: UnitMove, _ trash: Trash) throws(POSIXError) -> Bool {
        do throws(POSIXError) {
            try FileSystem.link(move.name, in: move.folder.descriptor, to: move.trashName, in: trash.files)
            return false
        } catch {
            guard error.code == EPERM || error.code == EMLINK || error.isUnsupported else { throw error }
            try VerifiedCopy.make(
                move.name, in: move.folder.descriptor, to: move.trashName, in: trash.files,
                identity: move.member.identity)
            return true
        }
    }

    /// The new file under the same name. What comes out must be the original, unchanged; else all is put back.
    private func swap(_ move: UnitMove, _ replacement: JournalEntry.Replacement) throws(UnitMove.Trouble) {
        let (folder, temporary) = (move.folder, FilePath(replacement.temporary.lastComponent))
        do throws(POSIXError) {
            do throws(POSIXError) {
                try FileSystem.exchange(temporary, in: folder.descriptor, with: move.name, in: folder.descriptor)
            } catch {
                guard error.isUnsupported else { throw error }
                guard try folder.descriptor.status(of: move.name).identity.matchesContent(of: move.member.identity)
                else {
                    throw POSIXError(code: ESTALE, operation: "fstatat", path: move.name)
                }
                return try FileSystem.replace(
                    move.name, in: folder.descriptor, with: temporary, in: folder.descriptor)
            }
            var isOriginal = false
            do throws(POSIXError) {
                isOriginal = try folder.descriptor.status(of: temporary).identity
                    .matchesContent(of: move.member.identity)
                guard isOriginal else { throw POSIXError(code: ESTALE, operation: "fstatat", path: move.name) }
                try FileSystem.remove(temporary, in: folder.descriptor)
            } catch {
                do throws(POSIXError) {
                    try FileSystem.exchange(temporary, in: folder.descriptor, with: move.name, in: folder.descriptor)
                } catch {
                    // The exchange stands: the original is in the trash, and undo knows of its second name.
                    if isOriginal { return }
                    throw error
                }
                throw error
            }
        } catch {
            throw error.code == ESTALE
                ? UnitMove.Trouble(.changed, "it changed meanwhile") : UnitMove.Trouble(error)
        }
    }

    /// The new file under another name, which must be free; then the original's name goes.
    private func put(_ move: UnitMove, _ replacement: JournalEntry.Replacement) throws(UnitMove.Trouble) {
        let (folder, new) = (move.folder, FilePath(replacement.path.lastComponent))
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(
                FilePath(replacement.temporary.lastComponent), in: folder.descriptor, to: new, in: folder.descriptor)
            do throws(POSIXError) {
                guard try folder.descriptor.status(of: move.name).identity.matchesContent(of: move.member.identity)
                else {
                    throw POSIXError(code: ESTALE, operation: "fstatat", path: move.name)
                }
                try FileSystem.remove(move.name, in: folder.descriptor)
            } catch {
                try? FileSystem.remove(new, in: folder.descriptor)
                throw error
            }
        } catch {
            throw error.code == ESTALE
                ? UnitMove.Trouble(.changed, "it changed meanwhile") : UnitMove.Trouble(error)
        }
    }
}
