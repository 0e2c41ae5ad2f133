internal import Glibc

/// Moves the files of one photo out of the library, all of them or none.
struct UnitMover: ~Copyable {
    let id: RunID
    private let copiesToHomeTrash: Bool
    private let state: FilePath
    private var folders = OpenFolders()
    private var trashes = OpenTrashes()
    private var locator: TrashLocator
    private var sites: [FilePath: [TrashSite]] = [:]
    /// The ctime that our own renames gave to files which have other names in the plan.
    private var changed: [FolderFacts.Place: Int128] = [:]
    private var stamp = (second: Int64.min, text: "")

    init(_ id: RunID, copiesToHomeTrash: Bool, _ environment: Environment) {
        self.id = id
        self.copiesToHomeTrash = copiesToHomeTrash
        state = environment.resolvedState
        locator = TrashLocator(environment)
    }

    func forgetPromises() { trashes.forgetPromises() }

    // MARK: Before the intent

    /// Where the files of a photo are to go; `files` are their numbers. Touches nothing but the trash folder, which is made where it is missing.
    mutating func prepare(
        _ members: [DeletionPlan.Member], mode: DeletionPlan.Mode, unit: Int, files: [Int]
    ) throws(UnitMove.Trouble) -> [UnitMove] {
        var moves: [UnitMove] = []
        for (member, file) in zip(members, files) {
            let path = member.location.directory
            let folder: OpenFolder
            do throws(POSIXError) { folder = try folders.folder(path) } catch {
                if error.isLinkOnTheWay { throw UnitMove.Trouble(.changed, error.reasonOnTheWay) }
                throw UnitMove.Trouble(error)
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

    private mutating func candidates(for folder: FilePath) throws(UnitMove.Trouble) -> [TrashSite] {
        if let known = sites[folder] { return known }
        do throws(POSIXError) {
            let facts = try FolderFacts(try folders.folder(folder), needsLine: false)
            let found = locator.sites(for: facts.path, on: facts.mount)
            sites[folder] = found
            return found
        } catch { throw UnitMove.Trouble(error) }
    }

    /// The next trash that can be opened, and a name in it.
    mutating func chooseTrash(_ move: inout UnitMove) throws(UnitMove.Trouble) {
        var failure: POSIXError?
        while !move.otherSites.isEmpty {
            let site = move.otherSites.removeFirst()
            do throws(POSIXError) {
                move.trash = try trashes.trash(site)
                move.trashName = move.trash?.freeName(for: move.name.bytes[...]) ?? move.name
                return
            } catch { failure = error }
        }
        if let failure, failure.isFull { throw UnitMove.Trouble(failure) }
        guard copiesToHomeTrash else {
            throw UnitMove.Trouble(
                .denied, "no trash on its filesystem: --copy-to-home-trash copies it to the home trash",
                lacksTrash: true)
        }
        do throws(POSIXError) {
            let trash = try trashes.trash(locator.homeSite)
            move.operation = .copy
            move.trash = trash
            move.trashName = trash.freeName(for: move.name.bytes[...])
        } catch { throw UnitMove.Trouble(error) }
    }

    // MARK: After the intent

    /// Looks at all files again and moves them. When one cannot be moved, those that went before it are brought back.
    /// - Parameter kept: of a copy, the files of the photo that stays; looked at last.
    mutating func move(
        _ moves: inout [UnitMove], kept: [DeletionPlan.Member], _ journal: inout JournalFile
    ) throws(UnitMove.Trouble) {
        for index in moves.indices { moves[index].stays = isNeeded(moves[index]) }
        for move in moves where !move.stays { try check(move) }
        for copy in kept {
            if let reason = copy.reasonAgainstCopies { throw UnitMove.Trouble(.changed, reason) }
        }
        var done = 0
        do throws(UnitMove.Trouble) {
            for index in moves.indices where !moves[index].stays {
                done = index
                switch moves[index].operation {
                case .erase: try setAside(&moves[index])
                case .copy: try copy(&moves[index], &journal)
                default: try rename(&moves[index], &journal)
                }
            }
            // What was set aside goes when all files of the photo are known to be those that were planned.
            for index in moves.indices where moves[index].isAside {
                done = index
                try removeAside(&moves[index])
            }
        } catch { throw takeBack(&moves, after: error, of: done) }
    }

    /// A sidecar of several photos of which another one stands, or may stand.
    private func isNeeded(_ move: UnitMove) -> Bool {
        move.member.siblings.contains { sibling in
            do throws(POSIXError) {
                _ = try move.folder.descriptor.status(of: FilePath(sibling.lastComponent))
                return true
            } catch { return !error.isMissing }
        }
    }

    private func expected(_ member: DeletionPlan.Member) -> FileIdentity { current(member.identity) }

    /// What a file of that identity is since this run: moving one of its names changes the ctime of all of them.
    func current(_ identity: FileIdentity) -> FileIdentity {
        var identity = identity
        if let now = changed[FolderFacts.Place(identity)] { identity.changedNs = now }
        return identity
    }

    /// The file is the one that was planned, at this moment.
    @discardableResult
    func check(_ move: UnitMove) throws(UnitMove.Trouble) -> FileStatus {
        let status: FileStatus
        do throws(POSIXError) {
            if let hash = move.member.hash {
                let file = try move.folder.descriptor.openForReading(move.name)
                if try ContentHash.sha256(of: file) != hash { throw POSIXError(code: ESTALE, operation: "read") }
            }
            status = try move.folder.descriptor.status(of: move.name)
        } catch {
            if error.code == ESTALE || error.code == ELOOP {
                throw UnitMove.Trouble(.changed, "its content changed since the plan was made")
            }
            throw UnitMove.Trouble(error)
        }
        if let difference = status.identity.difference(from: expected(move.member)) {
            throw UnitMove.Trouble(.changed, difference + " since the plan was made")
        }
        return status
    }

    mutating func note(_ identity: FileIdentity) { changed[FolderFacts.Place(identity)] = identity.changedNs }

    /// The text beside the file in the trash.
    private mutating func information(_ move: UnitMove, _ trash: Trash) -> TrashInfo {
        let now = SystemClock.nowNs()
        if stamp.second != now / 1_000_000_000 {
            let local = Int128(now) + Int128(SystemClock.localOffset(ns: now)) * 1_000_000_000
            stamp = (now / 1_000_000_000, WallClock.utc(ns: local).text)
        }
        return TrashInfo(
            location: move.member.location, deletionDate: stamp.text,
            origin: TrashInfo.Origin(
                run: id, file: move.file, unit: move.unit, operation: move.operation, identity: move.member.identity,
                state: state))
    }

    private mutating func rename(_ move: inout UnitMove, _ journal: inout JournalFile) throws(UnitMove.Trouble) {
        while let trash = move.trash {
            try announce(&move, trash, &journal)
            let failure: POSIXError?
            do throws(UnitMove.Trouble) { failure = try moveToTrash(&move, trash, &journal) } catch {
                if !move.isUnknown { trash.withdraw(move.trashName) }
                throw error
            }
            guard let failure else { return try confirm(&move, trash) }
            trash.withdraw(move.trashName)
            if failure.isOccupied {
                // A file without a .trashinfo holds the name: it is somebody's, and stays.
                try chooseName(&move, trash, &journal)
                continue
            }
            guard failure.isOtherFileSystem else { throw UnitMove.Trouble(failure) }
            try chooseTrash(&move)
            if move.operation == .copy { try choosePrivateName(&move) }
            try record(move, &journal)
            if move.operation == .copy { return try copy(&move, &journal) }
        }
    }

    /// Nil where the file is in the trash, else why it stands where it stood. Throws where neither is known.
    private mutating func moveToTrash(
        _ move: inout UnitMove, _ trash: Trash, _ journal: inout JournalFile
    ) throws(UnitMove.Trouble) -> POSIXError? {
        do throws(POSIXError) {
            try FileSystem.renameWithoutReplacing(
                move.name, in: move.folder.descriptor, to: move.trashName, in: trash.files)
            return nil
        } catch {
            if error.isUnsupported { return try moveBySettingAside(&move, trash, &journal) }
            let place = AsideFile.whereabouts(
                of: move.member.identity, after: error, move.name, in: move.folder.descriptor, to: move.trashName,
                in: trash.files)
            switch place {
            case .moved: return nil
            case .stayed: return error
            case .unknown: throw lose(&move, error)
            }
        }
    }

    /// Where the filesystem has no RENAME_NOREPLACE: a link and an unlink, or a plain rename, of what was set aside, so that
    /// nothing is unlinked by the name that others write to.
    private mutating func moveBySettingAside(
        _ move: inout UnitMove, _ trash: Trash, _ journal: inout JournalFile
    ) throws(UnitMove.Trouble) -> POSIXError? {
        if move.aside == nil {
            try choosePrivateName(&move)
            try record(move, &journal)
        }
        try setAside(&move)
        guard let aside = move.aside else { return nil }
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(
                aside, in: move.folder.descriptor, to: move.trashName, in: trash.files)
        } catch {
            let place = AsideFile.whereabouts(
                of: move.member.identity, after: error, aside, in: move.folder.descriptor, to: move.trashName,
                in: trash.files)
            switch place {
            case .moved: break
            case .stayed:
                if let reason = putBack(&move) { throw UnitMove.Trouble(.failed, "\(error.reason); \(reason)") }
                return error
            case .unknown: throw lose(&move, error)
            }
        }
        move.isAside = false
        return nil
    }

    /// The file in the trash is the one that was looked at; another that took its name in between goes back.
    private mutating func confirm(_ move: inout UnitMove, _ trash: Trash) throws(UnitMove.Trouble) {
        do throws(POSIXError) {
            let identity = try trash.files.status(of: move.trashName).identity
            move.moved = identity
            if identity.matchesContent(of: move.member.identity) { return note(identity) }
        } catch {
            // It has gone, and nothing says what it is: back it goes.
            move.moved = move.member.identity
            guard let reason = putBack(&move) else {
                throw UnitMove.Trouble(.failed, "it could not be looked at in the trash (\(error.reason)), and is back")
            }
            move.isUnknown = true
            throw UnitMove.Trouble(.failed, "it could not be looked at in the trash (\(error.reason)); \(reason)")
        }
        let reason = putBack(&move)
        throw UnitMove.Trouble(.changed, reason ?? "it was exchanged for another file at the last moment")
    }

    /// A call failed that may have been carried out, and nothing tells whether it was.
    func lose(_ move: inout UnitMove, _ error: POSIXError) -> UnitMove.Trouble {
        move.isUnknown = true
        return UnitMove.Trouble(
            .failed, "it is not known what became of it (\(error.reason)): 'phototidy undo \(id)' looks for it")
    }

    /// Writes the `.trashinfo`; takes another name when this one was taken meanwhile.
    mutating func announce(
        _ move: inout UnitMove, _ trash: Trash, _ journal: inout JournalFile
    ) throws(UnitMove.Trouble) {
        while true {
            do throws(POSIXError) { return try trash.announce(move.trashName, information(move, trash)) } catch {
                guard error.isOccupied else { throw UnitMove.Trouble(error) }
            }
            try chooseName(&move, trash, &journal)
        }
    }

    func chooseName(
        _ move: inout UnitMove, _ trash: Trash, _ journal: inout JournalFile
    ) throws(UnitMove.Trouble) {
        move.trashName = trash.freeName(for: move.name.bytes[...])
        try record(move, &journal)
    }

    /// Another place than the intent says is on the disk before it is used.
    func record(_ move: UnitMove, _ journal: inout JournalFile) throws(UnitMove.Trouble) {
        move.announce(in: &journal)
        do throws(JournalError) { try journal.synchronize() } catch {
            throw UnitMove.Trouble(.failed, error.description, stops: true)
        }
    }

    static func temporaryName(_ id: RunID, _ file: Int) -> FilePath {
        FilePath(AtomicFile.temporaryPrefix + id.text + "-" + String(file))
    }

    /// Brings a moved file back to its name, replacing nothing. Returns what is to say when that is not possible: then it
    /// stays where it is, and `moved` stays.
    mutating func putBack(_ move: inout UnitMove) -> String? {
        if move.isAside { return putBackAside(&move) }
        guard move.moved != nil else { return nil }
        guard let trash = move.trash else { return "\(move.member.path.displayText) is erased already" }
        do throws(POSIXError) {
            try Restoration.bring(
                move.trashName, from: trash, to: move.name, in: move.folder.descriptor,
                temporary: Self.temporaryName(id, move.file))
            move.moved = nil
            if let identity = try? move.folder.descriptor.status(of: move.name).identity { note(identity) }
            return nil
        } catch {
            return "\(move.member.path.displayText) could not be put back (\(error.reason)) and is in the trash"
        }
    }
}
