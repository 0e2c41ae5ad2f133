internal import Glibc

/// A file moves to a private name in its own folder before it is erased. Whoever saves it anew at that moment takes its
/// name, and not what is erased: what was moved is looked at first, and put back where it is another file. The journal knows
/// the private name before it is used; nothing ever clears it up, and `undo` or the next run puts back what a kill left.
package enum AsideFile {
    static let prefix = AtomicFile.temporaryPrefix + "aside-"

    /// The private name for a file of a run, one that is free in its folder.
    static func name(_ id: RunID, _ file: Int, in folder: borrowing FileDescriptor) throws(POSIXError) -> FilePath {
        for attempt in 1..<1000 {
            let ending = attempt == 1 ? "" : "-" + String(attempt)
            let name = FilePath(prefix + id.text + "-" + String(file) + ending)
            do throws(POSIXError) { _ = try folder.status(of: name) } catch {
                if error.code == ENOENT { return name }
                throw error
            }
        }
        throw POSIXError(code: EEXIST, operation: "fstatat")
    }

    /// Moves a file to its private name, which is free. Where the filesystem has no RENAME_NOREPLACE a plain rename does:
    /// nobody else makes such names.
    static func take(
        _ name: FilePath, to aside: FilePath, in folder: borrowing FileDescriptor
    ) throws(POSIXError) {
        do throws(POSIXError) {
            try FileSystem.renameWithoutReplacing(name, in: folder, to: aside, in: folder)
        } catch {
            guard error.isUnsupported else { throw error }
            guard try isFree(aside, in: folder) else {
                throw POSIXError(code: EEXIST, operation: "renameat", path: aside)
            }
            try FileSystem.replace(aside, in: folder, with: name, in: folder)
        }
    }

    private static func isFree(_ name: FilePath, in folder: borrowing FileDescriptor) throws(POSIXError) -> Bool {
        do throws(POSIXError) {
            _ = try folder.status(of: name)
            return false
        } catch {
            if error.code == ENOENT { return true }
            throw error
        }
    }

    /// What became of a file that was put back.
    enum Return: Equatable {
        /// It has its name again.
        case back
        /// Another file has taken its name meanwhile, and is not replaced: it stands under this one beside it.
        case beside(FilePath)
        /// It is still where it was set aside.
        case failed(POSIXError)
    }

    /// Puts what stands under a private name back to `name`, replacing nothing.
    static func putBack(_ aside: FilePath, to name: FilePath, in folder: borrowing FileDescriptor) -> Return {
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(aside, in: folder, to: name, in: folder)
            return .back
        } catch { guard error.isOccupied else { return .failed(error) } }
        for number in 2..<10_000 {
            let beside = FilePath(RestoredName.make(name.lastComponent, stem: name.stem, number: number))
            do throws(POSIXError) {
                try FileSystem.moveWithoutReplacing(aside, in: folder, to: beside, in: folder)
                return .beside(beside)
            } catch { guard error.isOccupied else { return .failed(error) } }
        }
        return .failed(POSIXError(code: EEXIST, operation: "renameat2", path: name))
    }

    /// Removes a file that this run wrote, unless another one has taken its name: that goes back to it.
    /// - Parameter aside: a private name that is free.
    static func remove(
        _ name: FilePath, of identity: FileIdentity, aside: FilePath, in folder: borrowing FileDescriptor
    ) {
        guard (try? take(name, to: aside, in: folder)) != nil else { return }
        if let now = try? folder.status(of: aside), now.identity.matchesContent(of: identity) {
            try? FileSystem.remove(aside, in: folder)
        } else {
            _ = putBack(aside, to: name, in: folder)
        }
    }

    /// Where a file is, after a call that should have moved it failed: the answer may have been lost on its way.
    enum Whereabouts { case moved, stayed, unknown }

    static func whereabouts(
        of identity: FileIdentity, after error: POSIXError, _ name: FilePath, in folder: borrowing FileDescriptor,
        to newName: FilePath, in newFolder: borrowing FileDescriptor
    ) -> Whereabouts {
        if error.saysThatNothingWasDone { return .stayed }
        do throws(POSIXError) {
            if try newFolder.status(of: newName).identity.matchesContent(of: identity) { return .moved }
        } catch { if error.code != ENOENT { return .unknown } }
        do throws(POSIXError) {
            _ = try folder.status(of: name)
            return .stayed
        } catch {
            // Gone from both: nothing that this call did.
            return error.code == ENOENT ? .stayed : .unknown
        }
    }
}

extension POSIXError {
    /// The kernel refused the call. What a disk or a server says (EIO, ESTALE, ETIMEDOUT) may come after the deed, and so may
    /// ENOENT: a server answers so to a request that it carried out when it came for the first time.
    fileprivate var saysThatNothingWasDone: Bool {
        isOccupied || isOtherFileSystem || isUnsupported || isDenied || isFull
            || [ENAMETOOLONG, EBUSY, ELOOP, ENOTDIR, EISDIR, EMLINK, ENOMEM].contains(code)
    }
}

/// What a run that was killed left under private names is put back before the next run begins.
extension AsideFile {
    /// Looks only at runs that may have left something; those at work are left alone.
    /// - Returns: what to say of each file that was found.
    package static func recover(_ environment: Environment) -> [String] {
        let journal = Journal(environment)
        var notes: [String] = []
        for id in (try? journal.runsWithMark()) ?? [] {
            guard let history = try? journal.history(id), !history.isRunning, var file = try? journal.open(id) else {
                continue
            }
            var isDone = true
            for step in file.history.steps where step.mayBeAside {
                switch recover(step) {
                case .success(let (outcome, note)):
                    if let outcome {
                        file.append(.outcome(file: step.intent.file, outcome, identity: step.intent.identity))
                    }
                    if let note { notes.append(note) }
                case .failure: isDone = false
                }
            }
            if isDone, (try? file.synchronize()) != nil { file.clearMark() }
        }
        return notes
    }

    /// What became of one file; nil where `undo` has to find out. Throws where it cannot be looked for: its disk may be
    /// away.
    private static func recover(
        _ step: RunHistory.Step
    ) -> Result<(outcome: JournalEntry.Outcome?, note: String?), POSIXError> {
        guard let aside = step.aside else { return .success((nil, nil)) }
        let path = step.intent.path.displayText
        do throws(POSIXError) {
            let folder = try OpenFolder(aside.directory)
            let name = FilePath(aside.lastComponent)
            let isErased = step.intent.operation == .erase
            do throws(POSIXError) { _ = try folder.descriptor.status(of: name) } catch {
                guard error.isMissing else { throw error }
                guard isErased else { return .success((nil, nil)) }
                let isThere = (try? folder.descriptor.status(of: FilePath(step.intent.path.lastComponent))) != nil
                return .success((isThere ? .kept : .erased, nil))
            }
            switch putBack(name, to: FilePath(step.intent.path.lastComponent), in: folder.descriptor) {
            case .back:
                return .success(
                    (isErased ? .kept : nil, "\(path) was set aside by a run that was killed, and is back."))
            case .beside(let other):
                return .success(
                    (
                        isErased ? .kept : nil,
                        "\(path) was set aside by a run that was killed. Its name is taken, so it is now "
                            + "\(other.displayText) in the same folder."
                    ))
            case .failed(let error): throw error
            }
        } catch {
            if error.isMissing { return .success((nil, nil)) }
            return .failure(error)
        }
    }
}

extension RunHistory.Step {
    /// What was set aside may be there still.
    var mayBeAside: Bool { aside != nil && !isSettled && (outcome == nil || outcome == .unknown) }
}

/// Erases a file that nobody may have saved anew: it gets a private name first, then what bears that name is looked at, and
/// only then it goes. What is not the file that was meant gets its name back.
struct SetAside {
    /// In the folder of the file; a scan passes it over.
    let name: FilePath

    init(_ id: RunID, _ file: Int) {
        name = FilePath(AtomicFile.temporaryPrefix + "undo-" + id.text + "-" + String(file))
    }

    /// Throws ESTALE where another file has the name: it stays. A file that has gone needs no erasing.
    func erase(
        _ file: FilePath, in folder: borrowing FileDescriptor, if isMeant: (FileStatus) -> Bool
    ) throws(POSIXError) {
        do throws(POSIXError) {
            guard isMeant(try folder.status(of: file)) else {
                throw POSIXError(code: ESTALE, operation: "fstatat", path: file)
            }
            // Others write to `file`: it is moved in one step, never linked and then unlinked by that name.
            try AsideFile.take(file, to: name, in: folder)
        } catch {
            if error.isMissing { return }
            throw error
        }
        do throws(POSIXError) {
            guard isMeant(try folder.status(of: name)) else {
                throw POSIXError(code: ESTALE, operation: "fstatat", path: file)
            }
            try FileSystem.remove(name, in: folder)
        } catch {
            putBack(file, in: folder)
            throw error
        }
    }

    /// What a kill left under the private name gets its own again, where that is free.
    func putBack(_ file: FilePath, in folder: borrowing FileDescriptor) {
        // Killed when it had only claimed that name with an empty file, or linked the file to it: the file has its own.
        if let aside = try? folder.status(of: name), aside.kind == .regular, let own = try? folder.status(of: file),
            own.identity == aside.identity || (aside.identity.bytes == 0 && aside.linkCount == 1)
        {
            try? FileSystem.remove(name, in: folder)
            return
        }
        try? FileSystem.moveWithoutReplacing(name, in: folder, to: file, in: folder)
    }
}
