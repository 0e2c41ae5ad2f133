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
                if error.code == ELOOP || error.code == ENOTDIR {
                    throw UnitMove.Trouble(.changed, "a folder in its path has become a symbolic link")
                }
                throw UnitMove.Trouble(error)
            }
            var move = UnitMove(
                file: file, unit: unit, member: member, folder: folder,
                name: FilePath(member.location.lastComponent), operation: mode == .erase ? .erase : .move)
            if mode == .trash {
                move.otherSites = try candidates(for: path)
                try chooseTrash(&move)
            }
            moves.append(move)
        }
        return moves
    }

    private mutating func candidates(for folder: FilePath) throws(UnitMove.Trouble) -> [TrashSite] {
        if let known = sites[folder] { return known }
        do throws(POSIXError) {
            let found = locator.sites(for: try FolderFacts(folder))
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
        for index in moves.indices where !moves[index].stays {
            do throws(UnitMove.Trouble) {
                switch moves[index].operation {
                case .erase: try erase(&moves[index])
                case .copy: try copy(&moves[index], &journal)
                default: try rename(&moves[index], &journal)
                }
            } catch {
                var trouble = error
                for earlier in moves[..<index].indices.reversed() {
                    if let reason = putBack(&moves[earlier]) { trouble.reason += "; " + reason }
                }
                throw trouble
            }
        }
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
            path: trash.notedPath(of: move.member.location), deletionDate: stamp.text,
            origin: TrashInfo.Origin(
                run: id, file: move.file, unit: move.unit, operation: move.operation, identity: move.member.identity,
                state: state))
    }

    private mutating func rename(_ move: inout UnitMove, _ journal: inout JournalFile) throws(UnitMove.Trouble) {
        while let trash = move.trash {
            try announce(&move, trash, &journal)
            do throws(POSIXError) {
                try FileSystem.moveWithoutReplacing(
                    move.name, in: move.folder.descriptor, to: move.trashName, in: trash.files)
            } catch {
                trash.withdraw(move.trashName)
                if error.isOccupied {
                    // A file without a .trashinfo holds the name: it is somebody's, and stays.
                    try chooseName(&move, trash, &journal)
                    continue
                }
                guard error.isOtherFileSystem else { throw UnitMove.Trouble(error) }
                try chooseTrash(&move)
                try record(move, &journal)
                if move.operation == .copy { return try copy(&move, &journal) }
                continue
            }
            return try confirm(&move, trash)
        }
    }

    /// The file in the trash is the one that was looked at; another that took its name in between goes back.
    private mutating func confirm(_ move: inout UnitMove, _ trash: Trash) throws(UnitMove.Trouble) {
        let identity: FileIdentity
        do throws(POSIXError) { identity = try trash.files.status(of: move.trashName).identity } catch {
            throw UnitMove.Trouble(error)
        }
        move.moved = identity
        guard identity.matchesContent(of: move.member.identity) else {
            let reason = putBack(&move)
            throw UnitMove.Trouble(.changed, reason ?? "it was exchanged for another file at the last moment")
        }
        note(identity)
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
        journal.append(.intent(move.intent))
        do throws(JournalError) { try journal.synchronize() } catch {
            throw UnitMove.Trouble(.failed, error.description, stops: true)
        }
    }

    private mutating func copy(_ move: inout UnitMove, _ journal: inout JournalFile) throws(UnitMove.Trouble) {
        guard let trash = move.trash else { return }
        try announce(&move, trash, &journal)
        let temporary = Self.temporaryName(id, move.file)
        do throws(POSIXError) {
            try VerifiedCopy.make(
                move.name, in: move.folder.descriptor, to: temporary, in: trash.files, identity: move.member.identity)
            do throws(POSIXError) {
                try FileSystem.moveWithoutReplacing(temporary, in: trash.files, to: move.trashName, in: trash.files)
            } catch {
                try? FileSystem.remove(temporary, in: trash.files)
                throw error
            }
        } catch {
            trash.withdraw(move.trashName)
            throw error.code == ESTALE
                ? UnitMove.Trouble(.changed, "it was written to while it was copied") : UnitMove.Trouble(error)
        }
        do throws(UnitMove.Trouble) {
            try unlink(&move)
            do throws(POSIXError) { move.moved = try trash.files.status(of: move.trashName).identity } catch {
                throw UnitMove.Trouble(error)
            }
        } catch {
            // The original stands: the copy goes.
            if (try? move.folder.descriptor.status(of: move.name)) != nil {
                try? FileSystem.remove(move.trashName, in: trash.files)
                trash.withdraw(move.trashName)
            }
            throw error
        }
    }

    static func temporaryName(_ id: RunID, _ file: Int) -> FilePath {
        FilePath(AtomicFile.temporaryPrefix + id.text + "-" + String(file))
    }

    private mutating func erase(_ move: inout UnitMove) throws(UnitMove.Trouble) {
        try unlink(&move)
        move.moved = move.member.identity
    }

    private mutating func unlink(_ move: inout UnitMove) throws(UnitMove.Trouble) {
        let status = try check(move)
        do throws(POSIXError) {
            guard status.linkCount > 1 else {
                return try FileSystem.remove(move.name, in: move.folder.descriptor)
            }
            // Its other names may be in the plan too: the unlink changes their ctime.
            let file = try move.folder.descriptor.open(move.name, [.pathOnly, .noFollow])
            try FileSystem.remove(move.name, in: move.folder.descriptor)
            if let identity = try? file.status().identity { note(identity) }
        } catch { throw UnitMove.Trouble(error) }
    }

    /// Brings a moved file back to its name, replacing nothing. Returns what is to say when that is not possible: then it
    /// stays in the trash, and `moved` stays.
    private mutating func putBack(_ move: inout UnitMove) -> String? {
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
