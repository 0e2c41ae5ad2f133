internal import Glibc

/// Moves the files of one photo out of the library, all or none.
struct UnitMover: ~Copyable {
    let id: RunID
    /// `--copy-to-home-trash`; nil for commands without this option.
    private let copiesToHomeTrash: Bool?
    private let state: FilePath
    private var folders = OpenFolders()
    private var trashes = OpenTrashes()
    private var locator: TrashLocator
    private var sites: [FilePath: [TrashSite]] = [:]
    /// The new ctimes of files that our own renames have changed; other names of them may be in the plan.
    private var changed: [FileID: Int128] = [:]
    private var stamp = (second: WallClock?.none, text: "")

    init(_ id: RunID, copiesToHomeTrash: Bool?, _ environment: Environment) {
        self.id = id
        self.copiesToHomeTrash = copiesToHomeTrash
        state = environment.resolvedState
        locator = TrashLocator(environment)
    }

    func releaseReservations() { trashes.releaseReservations() }

    // MARK: Before the intent

    /// Chooses the destinations of the files of a photo; `files` are their numbers. Changes nothing, but creates the
    /// trash folder if it is missing.
    mutating func prepare(
        _ members: [DeletionPlan.Member], mode: DeletionPlan.Mode, unit: Int, files: [Int]
    ) throws(UnitMove.Failure) -> [UnitMove] {
        var moves: [UnitMove] = []
        for (member, file) in zip(members, files) {
            let path = member.location.directory
            let folder: OpenFolder
            do throws(POSIXError) { folder = try folders.folder(path) } catch {
                if error.isLinkOnTheWay { throw UnitMove.Failure(.changed, error.reasonOnTheWay) }
                throw UnitMove.Failure(error)
            }
            var move = UnitMove(
                file: file, unit: unit, member: member, folder: folder,
                name: FilePath(member.location.lastComponent), operation: mode == .erase ? .erase : .move)
            if mode == .trash {
                move.otherSites = try candidates(for: path)
                try chooseTrash(&move)
            }
            if move.operation != .move { try choosePrivateName(&move) }
            moves.append(move)
        }
        return moves
    }

    private mutating func candidates(for folder: FilePath) throws(UnitMove.Failure) -> [TrashSite] {
        if let known = sites[folder] { return known }
        do throws(POSIXError) {
            let facts = try FolderFacts(try folders.folder(folder), needsAncestors: false)
            let found = locator.sites(for: facts.path, on: facts.mount)
            sites[folder] = found
            return found
        } catch { throw UnitMove.Failure(error) }
    }

    /// Chooses the next trash that can be opened, and a name in it.
    mutating func chooseTrash(_ move: inout UnitMove) throws(UnitMove.Failure) {
        var failure: POSIXError?
        while !move.otherSites.isEmpty {
            let site = move.otherSites.removeFirst()
            do throws(POSIXError) {
                move.trash = try trashes.trash(site)
                move.trashName = move.trash?.reserveName(for: move.name.bytes[...]) ?? move.name
                return
            } catch { failure = error }
        }
        if let failure, failure.isFull { throw UnitMove.Failure(failure) }
        guard copiesToHomeTrash == true else {
            throw UnitMove.Failure(
                .denied,
                "no trash on its filesystem"
                    + (copiesToHomeTrash == nil ? "" : ": --copy-to-home-trash copies it to the home trash"),
                lacksTrash: true)
        }
        do throws(POSIXError) {
            let trash = try trashes.trash(locator.homeSite)
            move.operation = .copy
            move.trash = trash
            move.trashName = trash.reserveName(for: move.name.bytes[...])
        } catch { throw UnitMove.Failure(error) }
    }

    // MARK: After the intent

    /// Checks all files again and moves them. If one cannot be moved, the previous ones are moved back.
    /// - Parameter item: for a copy, it names the files of the photo that stays, which are checked last.
    mutating func move(
        _ moves: inout [UnitMove], of item: DeletionPlan.Item, _ journal: inout JournalFile
    ) throws(UnitMove.Failure) {
        for index in moves.indices { moves[index].stays = isNeeded(moves[index]) }
        try checkContent(of: item)
        for move in moves where !move.stays { try check(move) }
        try checkKept(of: item)
        var current: Int?
        do throws(UnitMove.Failure) {
            for index in moves.indices where !moves[index].stays {
                current = index
                switch moves[index].operation {
                case .erase: try setAside(&moves[index])
                case .copy: try copy(&moves[index], &journal)
                default: try rename(&moves[index], &journal)
                }
            }
            current = nil
            // Another run may have taken what stays meanwhile, or it was this very file under another mount. Of two
            // runs that take each other's, at least one sees it here.
            try checkKept(of: item)
            // Files that were set aside are erased once all files of the photo are known to be the planned ones.
            for index in moves.indices where moves[index].isAside {
                current = index
                try removeAside(&moves[index])
            }
        } catch { throw rollBack(&moves, after: error, of: current) }
    }

    /// The files of the photo that stays are still there, as they were planned.
    private func checkKept(of item: DeletionPlan.Item) throws(UnitMove.Failure) {
        for copy in item.kept {
            if let reason = copy.reasonAgainstCopies(item.keeper) { throw UnitMove.Failure(.changed, reason) }
        }
    }

    /// A copy still holds what the photo holds that stays.
    private func checkContent(of item: DeletionPlan.Item) throws(UnitMove.Failure) {
        let reason: String?
        do throws(POSIXError) { reason = try item.reasonAgainstContent() } catch { throw UnitMove.Failure(error) }
        if let reason { throw UnitMove.Failure(.changed, reason) }
    }

    /// True for a shared sidecar if another of its photos exists, or may exist.
    private func isNeeded(_ move: UnitMove) -> Bool {
        move.member.siblings.contains { sibling in
            do throws(POSIXError) {
                _ = try move.folder.descriptor.status(of: FilePath(sibling.lastComponent))
                return true
            } catch { return !error.isMissing }
        }
    }

    private func expected(_ member: DeletionPlan.Member) -> FileIdentity { current(member.identity) }

    /// The identity after the moves of this run: moving one name of a file changes the ctime of all its names.
    func current(_ identity: FileIdentity) -> FileIdentity {
        var identity = identity
        if let now = changed[identity.id] { identity.changedNs = now }
        return identity
    }

    /// Throws unless the file is the planned one at this moment.
    @discardableResult
    func check(_ move: UnitMove) throws(UnitMove.Failure) -> FileStatus {
        let status: FileStatus
        do throws(POSIXError) {
            if let hash = move.member.hash {
                let file = try move.folder.descriptor.openForReading(move.name)
                if try ContentHash.sha256(of: file) != hash { throw POSIXError(code: ESTALE, operation: "read") }
            }
            status = try move.folder.descriptor.status(of: move.name)
        } catch {
            if error.code == ESTALE || error.code == ELOOP {
                throw UnitMove.Failure(.changed, "its content changed since the plan was made")
            }
            throw UnitMove.Failure(error)
        }
        if let difference = status.identity.difference(from: expected(move.member)) {
            throw UnitMove.Failure(.changed, difference + " since the plan was made")
        }
        return status
    }

    mutating func recordChange(of identity: FileIdentity) { changed[identity.id] = identity.changedNs }

    /// The content of the `.trashinfo`.
    mutating func information(_ move: UnitMove, _ trash: Trash) -> TrashInfo {
        let now = WallClock.utc(ns: SystemClock.nowNs())
        if stamp.second != now { stamp = (now, TimeZone.local.wall(of: now).text) }
        return TrashInfo(
            location: move.member.location, deletionDate: stamp.text,
            origin: TrashInfo.Origin(
                run: id, file: move.file, unit: move.unit, operation: move.operation, identity: move.member.identity,
                state: state))
    }

    /// For a failed call that may have been carried out, if that cannot be checked.
    func outcomeUnknown(_ move: inout UnitMove, _ error: POSIXError) -> UnitMove.Failure {
        move.isUnknown = true
        return UnitMove.Failure(
            .failed, "the outcome is unknown (\(error.reason)); 'phototidy undo \(id)' will look for the file")
    }

    /// Writes the `.trashinfo`. Chooses another name if this one has been taken in the meantime.
    mutating func writeInfo(
        _ move: inout UnitMove, _ trash: Trash, _ journal: inout JournalFile
    ) throws(UnitMove.Failure) {
        while true {
            do throws(POSIXError) { return try trash.writeInfo(move.trashName, information(move, trash)) } catch {
                guard error.isOccupied else { throw UnitMove.Failure(error) }
            }
            try chooseName(&move, trash, &journal)
        }
    }

    func chooseName(
        _ move: inout UnitMove, _ trash: Trash, _ journal: inout JournalFile
    ) throws(UnitMove.Failure) {
        move.trashName = trash.reserveName(for: move.name.bytes[...])
        try recordIntent(move, &journal)
    }

    /// Syncs a changed destination to the journal before it is used.
    func recordIntent(_ move: UnitMove, _ journal: inout JournalFile) throws(UnitMove.Failure) {
        move.appendIntent(to: &journal)
        do throws(JournalError) { try journal.synchronize() } catch {
            throw UnitMove.Failure(.failed, error.description, stops: true)
        }
    }

    static func temporaryName(_ id: RunID, _ file: Int) -> FilePath {
        FilePath(AtomicFile.temporaryPrefix + id.text + "-" + String(file))
    }
}
