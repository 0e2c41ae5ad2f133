internal import Synchronization

/// Replaces files by new ones, with the originals in the trash under one undo ID, for `compress --in-place`. Safe for
/// use by several threads: new files are written in parallel, names change one after another.
package final class InPlaceRun: Sendable {
    package let id: RunID
    private let state: Mutex<State>
    private let roots: LibraryRoots
    private let withoutOrigin: Bool

    fileprivate struct State: ~Copyable {
        let environment: Environment
        let root: FilePath
        var journal: JournalFile?
        var mover: UnitMover
        var nextFile = 0
        /// Continues a killed run, whose start is already in the journal and whose end will not be.
        var goesOn = false
        /// A file may still be set aside.
        var isAnyUnknown = false
    }

    /// Writes nothing, not even a journal, before the first file is replaced.
    /// - Parameter root: the folder that contains the files, for `undo --list`.
    /// - Parameter roots: the folders above the files.
    /// - Parameter withoutOrigin: new files get no extended attribute that says where the original came from.
    package init(
        root: FilePath, environment: Environment, roots: LibraryRoots = LibraryRoots(), withoutOrigin: Bool = false
    ) {
        self.roots = roots
        self.withoutOrigin = withoutOrigin
        let id = RunID(ns: SystemClock.nowNs())
        self.id = id
        state = Mutex(
            State(
                environment: environment, root: root,
                mover: UnitMover(id, copiesToHomeTrash: nil, environment)))
    }

    /// Continues a killed run under its ID. End it with `close`.
    init(continuing history: RunHistory, _ start: JournalEntry.Start, environment: Environment, roots: LibraryRoots) {
        id = history.id
        self.roots = roots
        withoutOrigin = false
        var state = State(
            environment: environment, root: start.root,
            mover: UnitMover(history.id, copiesToHomeTrash: nil, environment))
        state.nextFile = history.nextFile
        state.goesOn = true
        self.state = Mutex(state)
    }

    /// Closes the journal without an end entry, so that undo keeps looking for what else the killed run left.
    func close() {
        state.withLock { state in
            try? state.journal?.synchronize()
            state.journal = nil
        }
    }

    /// Replaces the file at `path`, which goes to the trash, by `content` with the original's mode, owner, times and
    /// extended attributes. At every moment the name refers to the old file or to the new one.
    /// - Parameter identity: the state of the original when it was read. Throws `kept` if it has changed.
    /// - Parameter newPath: the path of the new file if its name changes (`x.png` to `x.jpg`), in the same folder and
    ///   free; nil for the same name.
    /// - Parameter unit: the number that an earlier call returned for the photo that this file belongs to: undo
    ///   restores them together.
    /// - Returns: the identity of the new file, and the number of its photo.
    /// - Throws: `kept` if this file cannot be replaced: it is unchanged, and nothing is left over.
    @discardableResult package func replace(
        _ path: FilePath, with content: [UInt8], expecting identity: FileIdentity, as newPath: FilePath? = nil,
        unit: Int? = nil
    ) throws(DeletionError) -> (identity: FileIdentity, unit: Int) {
        let named = path.withoutTrailingSlashes
        let location: FilePath
        let folder: OpenFolder
        do throws(POSIXError) {
            folder = try roots.open(folder: named.directory)
            location = folder.path.appending(named.lastComponent)
        } catch { throw .kept(path, reason: error.reasonOnTheWay, isFull: error.isFull) }
        let file = try start(path)
        let temporary = UnitMover.temporaryName(id, file)
        let member = DeletionPlan.Member(path: named, location: location, identity: identity)
        var replacement = JournalEntry.Replacement(
            path: newPath.map { location.directory.appending($0.lastComponent) } ?? location,
            temporary: location.directory.appending(temporary.bytes), identity: .unwritten)
        let unit = unit ?? file
        try announce(member, replacement, file: file, unit: unit)
        let new: FileIdentity
        do throws(POSIXError) {
            new = try write(content, to: temporary, like: FilePath(location.lastComponent), in: folder)
        } catch {
            keep(member, file: file)
            throw .kept(path, reason: error.reason, isFull: error.isFull)
        }
        replacement.identity = new
        do throws(DeletionError) {
            try exchange(member, replacement, file: file, unit: unit)
        } catch {
            // Another file may have this name, if an exchange could not be reversed.
            if let left = try? folder.descriptor.status(of: temporary), left.identity.matchesContent(of: new) {
                try? FileSystem.remove(temporary, in: folder.descriptor)
            }
            throw error
        }
        let now = (try? folder.descriptor.status(of: FilePath(replacement.path.lastComponent)))?.identity
        return (now ?? new, unit)
    }

    /// The current identity of a file after this run replaced another name of it.
    func current(_ identity: FileIdentity) -> FileIdentity { state.withLock { $0.mover.current(identity) } }

    /// Closes the journal. Without this call the run counts as interrupted; it can still be undone.
    package func finish() throws(DeletionError) {
        var failure: JournalError?
        state.withLock { state in
            guard state.journal != nil else { return }
            state.journal?.append(.end)
            do throws(JournalError) {
                try state.journal?.synchronize()
                if !state.isAnyUnknown { state.journal?.clearMark() }
            } catch { failure = error }
            state.journal = nil
        }
        if let failure { throw .journal(failure) }
    }

    /// The number of the next file; the first call opens the journal.
    private func start(_ path: FilePath) throws(DeletionError) -> Int {
        var failure: JournalError?
        let file = state.withLock { state in
            do throws(JournalError) {
                if state.journal == nil {
                    state.journal = try Journal(state.environment).open(id, begins: !state.goesOn)
                    let start = JournalEntry.Start(timeNs: SystemClock.nowNs(), action: "compress", root: state.root)
                    if !state.goesOn { state.journal?.append(.start(start)) }
                }
            } catch { failure = error }
            defer { state.nextFile += 1 }
            return state.nextFile
        }
        if let failure { throw .journal(failure) }
        return file
    }

    /// The journal names the temporary file before it is created, so that undo can remove it after a kill.
    private func announce(
        _ member: DeletionPlan.Member, _ replacement: JournalEntry.Replacement, file: Int, unit: Int
    ) throws(DeletionError) {
        var failure: JournalError?
        var intent = JournalEntry.Intent(
            file: file, unit: unit, operation: .replace, path: member.location, identity: member.identity)
        intent.replacement = replacement
        state.withLock { state in
            state.journal?.append(.intent(intent))
            do throws(JournalError) { try state.journal?.flush() } catch { failure = error }
        }
        if let failure { throw .journal(failure) }
    }

    /// Records that an announced replacement did not happen.
    private func keep(_ member: DeletionPlan.Member, file: Int) {
        state.withLock { state in
            state.journal?.append(.outcome(file: file, .kept, identity: member.identity))
            try? state.journal?.flush()
        }
    }

    private func write(
        _ content: [UInt8], to temporary: FilePath, like original: FilePath, in folder: OpenFolder
    ) throws(POSIXError) -> FileIdentity {
        let source = try folder.descriptor.openForReading(original)
        let status = try source.status()
        let file = try folder.descriptor.open(temporary, [.write, .create, .exclusive, .noFollow], permissions: 0o600)
        do throws(POSIXError) {
            try file.write(content)
            try source.copyExtendedAttributes(to: file, withoutOrigin: withoutOrigin)
            file.setOwnerIfAllowed(status.owner, group: status.group)
            try file.setPermissions(status.permissions)
            try file.setTimes(accessedNs: status.accessedNs, modifiedNs: status.identity.modifiedNs)
            try file.synchronize()
            return try file.status().identity
        } catch {
            try? FileSystem.remove(temporary, in: folder.descriptor)
            throw error
        }
    }

    private func exchange(
        _ member: DeletionPlan.Member, _ replacement: JournalEntry.Replacement, file: Int, unit: Int
    ) throws(DeletionError) {
        var failure: DeletionError?
        state.withLock { state in
            do throws(DeletionError) {
                try state.exchange(member, replacement, file: file, unit: unit)
            } catch { failure = error }
        }
        if let failure { throw failure }
    }
}

extension InPlaceRun.State {
    fileprivate mutating func exchange(
        _ member: DeletionPlan.Member, _ replacement: JournalEntry.Replacement, file: Int, unit: Int
    ) throws(DeletionError) {
        guard var journal = journal.take() else { return }
        var failure: DeletionError?
        var moves: [UnitMove] = []
        do throws(UnitMove.Failure) {
            moves = try mover.prepare([member], mode: .trash, unit: unit, files: [file])
            moves[0].operation = .replace
            moves[0].replacement = replacement
            if replacement.path != member.location { try mover.choosePrivateName(&moves[0]) }
            try mover.recordIntent(moves[0], &journal)
            try mover.replace(&moves[0], &journal)
            journal.append(.outcome(file: file, .trashed, identity: moves[0].moved ?? member.identity))
            try? journal.flush()
            let name = FilePath(replacement.path.lastComponent)
            if let now = (try? moves[0].folder.descriptor.status(of: name))?.identity {
                try? SelectionFollower(environment).replace(member, with: replacement, identity: now)
            }
        } catch {
            let isUnknown = moves.first?.isUnknown ?? false
            if isUnknown { isAnyUnknown = true }
            journal.append(.outcome(file: file, isUnknown ? .unknown : .kept, identity: member.identity))
            try? journal.flush()
            failure = .kept(member.path, reason: error.reason, isFull: error.stops)
        }
        self.journal = consume journal
        if let failure { throw failure }
    }
}

extension SelectionFollower {
    /// Replaces the original by the new file in every selection.
    fileprivate func replace(
        _ member: DeletionPlan.Member, with replacement: JournalEntry.Replacement, identity: FileIdentity
    ) throws(SelectionError) {
        let named = (try? member.path.absolute()) ?? member.location
        for old in Set([named, member.location]) {
            let new = old.directory.appending(replacement.path.lastComponent)
            try replace(old, with: new, identity: identity)
        }
    }
}
