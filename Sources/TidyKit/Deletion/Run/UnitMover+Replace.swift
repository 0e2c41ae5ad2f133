internal import Glibc

/// Replaces a file with a new one and moves the old one to the trash. The name always shows one of the two.
extension UnitMover {
    /// `move.replacement` is the new file, complete under its temporary name in the same folder. The original first
    /// gets a second name in the trash; then the new file gets its name.
    mutating func replace(_ move: inout UnitMove, _ journal: inout JournalFile) throws(UnitMove.Failure) {
        guard let replacement = move.replacement else { return }
        try check(move)
        try addToTrash(&move, &journal)
        // The second name changed its ctime.
        if let moved = move.moved { recordChange(of: moved) }
        do throws(UnitMove.Failure) {
            if replacement.path == move.member.location {
                try swap(&move, replacement, &journal)
            } else {
                try put(&move, replacement)
            }
        } catch {
            // A file that is still set aside may have no other name than the one in the trash.
            if let trash = move.trash, !move.isUnknown {
                try? FileSystem.remove(move.trashName, in: trash.files)
                trash.discardInfo(move.trashName)
            }
            move.moved = nil
            throw error
        }
        // Our links changed the ctime of its hard links, which this run may reach later.
        if let trash = move.trash, let now = try? trash.files.status(of: move.trashName).identity {
            recordChange(of: now)
        }
    }

    /// Gives the original a second name in the trash; copies it if the filesystem has no hard links.
    private mutating func addToTrash(_ move: inout UnitMove, _ journal: inout JournalFile) throws(UnitMove.Failure) {
        while let trash = move.trash {
            try writeInfo(&move, trash, &journal)
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
                // If another program has taken the name, its file is not removed.
                if isThere { try? FileSystem.remove(move.trashName, in: trash.files) }
                trash.discardInfo(move.trashName)
                if error.isOccupied {
                    try chooseName(&move, trash, &journal)
                } else if error.isOtherFileSystem {
                    try chooseTrash(&move)
                    guard move.operation == .replace else {
                        throw UnitMove.Failure(.denied, "no trash on its filesystem", lacksTrash: true)
                    }
                    try recordIntent(move, &journal)
                } else if error.code == ESTALE {
                    throw UnitMove.Failure(.changed, "it changed meanwhile")
                } else {
                    throw UnitMove.Failure(error)
                }
            }
        }
    }

    /// Links the file into the trash. Returns true if it has to be copied instead.
    private func link(_ move: UnitMove, _ trash: Trash) throws(POSIXError) -> Bool {
        do throws(POSIXError) {
            try FileSystem.link(move.name, in: move.folder.descriptor, to: move.trashName, in: trash.files)
            return false
        } catch {
            guard error.code == EPERM || error.code == EMLINK || error.isUnsupported else { throw error }
            _ = try copy(move, to: trash)
            return true
        }
    }

    /// Exchanges the names of the original and the new file. Undoes the exchange if the file that was replaced is not
    /// the unchanged original.
    private mutating func swap(
        _ move: inout UnitMove, _ replacement: JournalEntry.Replacement, _ journal: inout JournalFile
    ) throws(UnitMove.Failure) {
        let (folder, temporary) = (move.folder, FilePath(replacement.temporary.lastComponent))
        do throws(POSIXError) {
            try FileSystem.exchange(temporary, in: folder.descriptor, with: move.name, in: folder.descriptor)
        } catch {
            guard error.isUnsupported else { throw UnitMove.Failure(error) }
            return try swapBySettingAside(&move, replacement, &journal)
        }
        var failure = UnitMove.Failure(.changed, "it changed meanwhile")
        var isOriginal = false
        do throws(POSIXError) {
            isOriginal = try folder.descriptor.status(of: temporary).identity
                .matchesContent(of: move.member.identity)
            if isOriginal { return try FileSystem.remove(temporary, in: folder.descriptor) }
        } catch { failure = UnitMove.Failure(error) }
        do throws(POSIXError) {
            try FileSystem.exchange(temporary, in: folder.descriptor, with: move.name, in: folder.descriptor)
        } catch {
            // The exchange is complete. The original is in the trash, and undo knows its second name.
            if isOriginal { return }
            move.isUnknown = true
            failure.reason += "; the file that another program saved is now \(temporary.displayText) in its folder"
            throw failure
        }
        // The user's program saved the file once more in between: that file came out now, and is kept beside it.
        if let out = try? folder.descriptor.status(of: temporary).identity,
            !out.matchesContent(of: replacement.identity)
        {
            failure.reason += Self.explanation(
                PrivateName(temporary).putBack(to: move.name, in: folder.descriptor), temporary)
        }
        throw failure
    }

    /// If the filesystem cannot exchange names: sets the original aside, then gives the free name to the new file.
    private mutating func swapBySettingAside(
        _ move: inout UnitMove, _ replacement: JournalEntry.Replacement, _ journal: inout JournalFile
    ) throws(UnitMove.Failure) {
        if move.aside == nil {
            try choosePrivateName(&move)
            try recordIntent(move, &journal)
        }
        try setAside(&move)
        let (folder, temporary) = (move.folder, FilePath(replacement.temporary.lastComponent))
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(
                temporary, in: folder.descriptor, to: move.name, in: folder.descriptor)
        } catch {
            var failure =
                error.isOccupied ? UnitMove.Failure(.changed, "it changed meanwhile") : UnitMove.Failure(error)
            if let reason = putBackAside(&move) { failure.reason += "; " + reason }
            throw failure
        }
        try dropAside(&move, new: move.name, replacement)
    }

    /// For a new file with another name, which must be free: moves it there, then removes the original's name.
    private mutating func put(
        _ move: inout UnitMove, _ replacement: JournalEntry.Replacement
    ) throws(UnitMove.Failure) {
        let folder = move.folder
        let (temporary, new) = (
            FilePath(replacement.temporary.lastComponent), FilePath(replacement.path.lastComponent)
        )
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(temporary, in: folder.descriptor, to: new, in: folder.descriptor)
        } catch { throw UnitMove.Failure(error) }
        do throws(UnitMove.Failure) { try setAside(&move) } catch {
            // Its temporary name is free again, and no other program creates such names.
            PrivateName(temporary).remove(new, of: replacement.identity, in: folder.descriptor)
            throw error
        }
        try dropAside(&move, new: new, replacement)
    }

    /// The original is in the trash and the new file in its place: removes the third name; if that fails, everything is
    /// rolled back.
    private mutating func dropAside(
        _ move: inout UnitMove, new: FilePath, _ replacement: JournalEntry.Replacement
    ) throws(UnitMove.Failure) {
        let moved = move.moved
        do throws(UnitMove.Failure) { try removeAside(&move) } catch {
            var failure = error
            PrivateName(FilePath(replacement.temporary.lastComponent))
                .remove(new, of: replacement.identity, in: move.folder.descriptor)
            if !move.isUnknown, let reason = putBackAside(&move) { failure.reason += "; " + reason }
            throw failure
        }
        move.moved = moved
    }

    private static func explanation(_ result: PrivateName.PutBack, _ aside: FilePath) -> String {
        switch result {
        case .done: "; the file that another program saved meanwhile has its name again"
        case .beside(let other):
            "; the file that another program saved meanwhile is now \(other.displayText) in the same folder"
        case .failed: "; the file that another program saved meanwhile is now \(aside.displayText) in its folder"
        }
    }
}
