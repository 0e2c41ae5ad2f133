internal import Glibc

/// A file is set aside before it is erased, under a name that no other program uses.
extension UnitMover {
    func choosePrivateName(_ move: inout UnitMove) throws(UnitMove.Failure) {
        do throws(POSIXError) {
            move.aside = try PrivateName.free(id, move.file, in: move.folder.descriptor)
        } catch { throw UnitMove.Failure(error) }
    }

    /// Moves the file to its private name and checks it there. Another file is put back.
    mutating func setAside(_ move: inout UnitMove) throws(UnitMove.Failure) {
        guard let aside = move.aside else { return }
        let folder = move.folder
        let identity = try check(move).identity
        do throws(POSIXError) { try aside.receive(move.name, in: folder.descriptor) } catch {
            let name = move.name
            let outcome = MoveOutcome(
                of: identity, after: error,
                source: { () throws(POSIXError) in try folder.descriptor.status(of: name) },
                target: { () throws(POSIXError) in try folder.descriptor.status(of: aside.name) })
            switch outcome {
            case .moved: break
            case .stayed: throw UnitMove.Failure(error)
            case .unknown: throw outcomeUnknown(&move, error)
            }
        }
        move.isAside = true
        var failure = UnitMove.Failure(.changed, "it was replaced by another file at the last moment")
        do throws(POSIXError) {
            let now = try folder.descriptor.status(of: aside.name)
            if now.kind == .regular, now.identity.matchesContent(of: move.member.identity) {
                // The rename changed the ctime of its hard links, which the plan may reach later.
                return recordChange(of: now.identity)
            }
        } catch { failure = UnitMove.Failure(.failed, "it could not be checked (\(error.reason))") }
        if let reason = putBackAside(&move) { failure.reason += "; " + reason }
        throw failure
    }

    /// Erases the file that was set aside. Throws if it is still there.
    mutating func removeAside(_ move: inout UnitMove) throws(UnitMove.Failure) {
        guard let aside = move.aside else { return }
        let folder = move.folder
        do throws(POSIXError) {
            let file = try folder.descriptor.open(aside.name, [.pathOnly, .noFollow])
            try FileSystem.remove(aside.name, in: folder.descriptor)
            if let status = try? file.status(), status.linkCount > 0 { recordChange(of: status.identity) }
        } catch {
            let failure = error
            var isThere = true
            do throws(POSIXError) { _ = try folder.descriptor.status(of: aside.name) } catch {
                guard error.code == ENOENT else { throw outcomeUnknown(&move, failure) }
                isThere = false
            }
            if isThere { throw UnitMove.Failure(failure) }
        }
        move.isAside = false
        move.moved = move.copied ?? move.member.identity
    }

    /// Puts the file that was set aside back. Returns a message unless it has its own name again.
    mutating func putBackAside(_ move: inout UnitMove) -> String? {
        guard let aside = move.aside, move.isAside else { return nil }
        let path = move.member.path.displayText
        switch aside.putBack(to: move.name, in: move.folder.descriptor) {
        case .done:
            move.isAside = false
            if let identity = try? move.folder.descriptor.status(of: move.name).identity { recordChange(of: identity) }
            removeCopy(of: &move)
            return nil
        case .beside(let other):
            move.isAside = false
            removeCopy(of: &move)
            return "another file has taken the name \(path), so it is now \(other.displayText) in the same folder"
        case .failed(let error):
            move.isUnknown = true
            return
                "\(path) could not be put back (\(error.reason)): it is now \(aside.name.displayText) in its folder, "
                + "and 'phototidy undo \(id)' puts it back"
        }
    }

    /// Moves all files back that can be moved. If the photo remains incomplete, the reason names each file and its
    /// place.
    mutating func rollBack(
        _ moves: inout [UnitMove], after failure: UnitMove.Failure, of failed: Int?
    ) -> UnitMove.Failure {
        var failure = failure
        let isTorn = moves.contains { $0.operation == .erase && $0.moved != nil }
        if isTorn, let failed {
            failure.reason = "\(moves[failed].member.path.displayText) could not be erased (\(failure.reason))"
        }
        for index in moves.indices.reversed()
        where !moves[index].isUnknown && (index != failed || moves[index].isAside) {
            let wasAside = moves[index].isAside
            if let reason = rollBack(&moves[index]) {
                failure.reason += "; " + reason
            } else if isTorn, wasAside {
                failure.reason += "; \(moves[index].member.path.displayText) stands where it stood"
            }
        }
        return failure
    }

    // MARK: Copies

    mutating func copy(_ move: inout UnitMove, _ journal: inout JournalFile) throws(UnitMove.Failure) {
        guard let trash = move.trash else { return }
        try writeInfo(&move, trash, &journal)
        do throws(POSIXError) { move.copied = try copy(move, to: trash) } catch {
            trash.discardInfo(move.trashName)
            throw error.code == ESTALE
                ? UnitMove.Failure(.changed, "it was written to while it was copied") : UnitMove.Failure(error)
        }
        do throws(UnitMove.Failure) { try setAside(&move) } catch {
            // The original is still in its place: the copy is removed.
            if !move.isUnknown { removeCopy(of: &move) }
            throw error
        }
    }

    /// Copies the file atomically to its name in the trash. Returns the identity of the copy. If it throws, no copy is
    /// left.
    func copy(_ move: UnitMove, to trash: Trash) throws(POSIXError) -> FileIdentity {
        let temporary = Self.temporaryName(id, move.file)
        try VerifiedCopy(of: move.member.identity)
            .make(move.name, in: move.folder.descriptor, to: temporary, in: trash.files)
        var copy: FileIdentity?
        do throws(POSIXError) {
            let made = try trash.files.status(of: temporary).identity
            copy = made
            try FileSystem.moveWithoutReplacing(temporary, in: trash.files, to: move.trashName, in: trash.files)
            return made
        } catch {
            try? FileSystem.remove(temporary, in: trash.files)
            // The call may have moved the file before it failed.
            if let copy, let now = try? trash.files.status(of: move.trashName), now.identity.matchesContent(of: copy) {
                try? FileSystem.remove(move.trashName, in: trash.files)
            }
            throw error
        }
    }

    private func removeCopy(of move: inout UnitMove) {
        guard let trash = move.trash, let copy = move.copied else { return }
        if let now = try? trash.files.status(of: move.trashName), now.identity.matchesContent(of: copy) {
            try? FileSystem.remove(move.trashName, in: trash.files)
        }
        trash.discardInfo(move.trashName)
        move.copied = nil
    }
}
