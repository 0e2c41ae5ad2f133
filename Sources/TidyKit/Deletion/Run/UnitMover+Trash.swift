internal import Glibc

/// Moves files to the trash, and back if the photo fails.
extension UnitMover {
    mutating func rename(_ move: inout UnitMove, _ journal: inout JournalFile) throws(UnitMove.Failure) {
        while let trash = move.trash {
            try writeInfo(&move, trash, &journal)
            let failure: POSIXError?
            do throws(UnitMove.Failure) { failure = try moveToTrash(&move, trash, &journal) } catch {
                if !move.isUnknown { trash.discardInfo(move.trashName) }
                throw error
            }
            guard let failure else { return try confirm(&move, trash) }
            trash.discardInfo(move.trashName)
            if failure.isOccupied {
                // A file without a .trashinfo has that name. It belongs to the user and stays.
                try chooseName(&move, trash, &journal)
                continue
            }
            guard failure.isOtherFileSystem else { throw UnitMove.Failure(failure) }
            try chooseTrash(&move)
            if move.operation == .copy { try choosePrivateName(&move) }
            try recordIntent(move, &journal)
            if move.operation == .copy { return try copy(&move, &journal) }
        }
    }

    /// Nil if the file is in the trash; otherwise the error that left it in its place. Throws if neither is known.
    private mutating func moveToTrash(
        _ move: inout UnitMove, _ trash: Trash, _ journal: inout JournalFile
    ) throws(UnitMove.Failure) -> POSIXError? {
        do throws(POSIXError) {
            try FileSystem.renameWithoutReplacing(
                move.name, in: move.folder.descriptor, to: move.trashName, in: trash.files)
            return nil
        } catch {
            if error.isUnsupported { return try moveBySettingAside(&move, trash, &journal) }
            switch outcome(of: move, after: error, from: move.name, trash) {
            case .moved: return nil
            case .stayed: return error
            case .unknown: throw outcomeUnknown(&move, error)
            }
        }
    }

    /// If the filesystem has no RENAME_NOREPLACE: sets the file aside first, then moves it with a link and an unlink,
    /// or a plain rename. A file that another program writes under the old name is then never removed.
    private mutating func moveBySettingAside(
        _ move: inout UnitMove, _ trash: Trash, _ journal: inout JournalFile
    ) throws(UnitMove.Failure) -> POSIXError? {
        if move.aside == nil {
            try choosePrivateName(&move)
            try recordIntent(move, &journal)
        }
        try setAside(&move)
        guard let aside = move.aside else { return nil }
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(
                aside.name, in: move.folder.descriptor, to: move.trashName, in: trash.files)
        } catch {
            switch outcome(of: move, after: error, from: aside.name, trash) {
            case .moved: break
            case .stayed:
                if let reason = rollBack(&move) { throw UnitMove.Failure(.failed, "\(error.reason); \(reason)") }
                return error
            case .unknown: throw outcomeUnknown(&move, error)
            }
        }
        move.isAside = false
        return nil
    }

    private func outcome(
        of move: UnitMove, after error: POSIXError, from name: FilePath, _ trash: Trash
    ) -> MoveOutcome {
        MoveOutcome(
            of: move.member.identity, after: error,
            source: { () throws(POSIXError) in try move.folder.descriptor.status(of: name) },
            target: { () throws(POSIXError) in try trash.files.status(of: move.trashName) })
    }

    /// Checks that the file in the trash is the one that was planned. Another file that took its name in between is
    /// moved back.
    private mutating func confirm(_ move: inout UnitMove, _ trash: Trash) throws(UnitMove.Failure) {
        do throws(POSIXError) {
            let identity = try trash.files.status(of: move.trashName).identity
            move.moved = identity
            if identity.matchesContent(of: move.member.identity) { return recordChange(of: identity) }
        } catch {
            // It was moved, and its identity is unknown, so it is moved back.
            move.moved = move.member.identity
            guard let reason = rollBack(&move) else {
                throw UnitMove.Failure(.failed, "it could not be checked in the trash (\(error.reason)), and is back")
            }
            move.isUnknown = true
            throw UnitMove.Failure(.failed, "it could not be checked in the trash (\(error.reason)); \(reason)")
        }
        let reason = rollBack(&move)
        throw UnitMove.Failure(.changed, reason ?? "it was replaced by another file at the last moment")
    }

    /// Moves a file back to its name. Replaces nothing. Returns nil, or a message if that fails; the file and `moved`
    /// are then unchanged.
    mutating func rollBack(_ move: inout UnitMove) -> String? {
        if move.isAside { return putBackAside(&move) }
        guard move.moved != nil else { return nil }
        guard let trash = move.trash else { return "\(move.member.path.displayText) is erased already" }
        do throws(POSIXError) {
            try trash.restore(
                move.trashName, to: move.name, in: move.folder.descriptor,
                temporary: Self.temporaryName(id, move.file))
            move.moved = nil
            if let identity = try? move.folder.descriptor.status(of: move.name).identity { recordChange(of: identity) }
            return nil
        } catch {
            return "\(move.member.path.displayText) could not be put back (\(error.reason)) and is in the trash"
        }
    }
}
