internal import Glibc

/// The way back of a file that a new one replaced (`compress --in-place`): the new file goes only while it is exactly the
/// one that was written; a change that the user made to it since is never lost.
enum Replacement {
    /// The new file of this step stands at `target`, unchanged: undo may put the original in its place.
    static func stands(_ step: RunHistory.Step, at target: FilePath) -> Bool {
        guard let replacement = step.intent.replacement, replacement.path == target else { return false }
        return isOurs(replacement, at: target)
    }

    /// Killed while the new file was written: what there is of it goes, whatever became of the original since. It bears
    /// a name of this run, and the original stood untouched at that time; its own inode is never removed.
    static func removeUnfinished(_ step: RunHistory.Step) {
        guard step.isOnlyAnnounced, let temporary = step.intent.replacement?.temporary,
            temporary.lastComponent.starts(with: AtomicFile.temporaryPrefix.utf8),
            let status = try? FileStatus.of(temporary), status.kind == .regular, status.linkCount == 1,
            status.identity.inode != step.intent.identity.inode
        else { return }
        try? FileSystem.remove(temporary)
    }

    private static func isOurs(_ replacement: JournalEntry.Replacement, at path: FilePath) -> Bool {
        guard let now = try? FileStatus.of(path) else { return false }
        return now.kind == .regular && now.identity.matchesContent(of: replacement.identity)
    }

    /// The original takes its name again in one step; at every moment the name shows one of the two.
    static func revert(
        _ step: RunHistory.Step, _ trashName: FilePath, _ trash: Trash, _ name: FilePath,
        _ folder: borrowing FileDescriptor
    ) throws(POSIXError) {
        do throws(POSIXError) {
            try FileSystem.exchange(trashName, in: trash.files, with: name, in: folder)
        } catch {
            guard error.isUnsupported || error.isOtherFileSystem else { throw error }
            let temporary = FilePath(AtomicFile.temporaryPrefix + String(step.intent.file) + "-back")
            try? FileSystem.remove(temporary, in: folder)
            let identity = try trash.files.status(of: trashName).identity
            try VerifiedCopy.make(trashName, in: trash.files, to: temporary, in: folder, identity: identity)
            try FileSystem.replace(name, in: folder, with: temporary, in: folder)
            try FileSystem.remove(trashName, in: trash.files)
            return trash.withdraw(trashName)
        }
        // What came out must be the file that we wrote; a user's change of the last moment goes back.
        if let out = try? trash.files.status(of: trashName).identity, let ours = step.intent.replacement?.identity,
            !out.matchesContent(of: ours)
        {
            try FileSystem.exchange(trashName, in: trash.files, with: name, in: folder)
            throw POSIXError(code: EEXIST, operation: "renameat2", path: name)
        }
        try FileSystem.remove(trashName, in: trash.files)
        trash.withdraw(trashName)
    }

    /// Removes a temporary file that a kill left, and the new file where it has another name (`x.png` became `x.jpg`).
    static func clean(_ step: RunHistory.Step, removesNew: Bool) {
        guard let replacement = step.intent.replacement else { return }
        let paths = [replacement.temporary] + (removesNew ? [replacement.path] : [])
        for path in paths where path != step.intent.path && isOurs(replacement, at: path) {
            try? FileSystem.remove(path)
        }
        if isSecondName(replacement.temporary, of: step.intent.path) { try? FileSystem.remove(replacement.temporary) }
    }

    /// Killed after the exchange, the temporary name holds the original: once that is back at its own, it is one too many.
    private static func isSecondName(_ temporary: FilePath, of original: FilePath) -> Bool {
        guard temporary != original, temporary.lastComponent.starts(with: AtomicFile.temporaryPrefix.utf8),
            let spare = try? FileStatus.of(temporary), let kept = try? FileStatus.of(original)
        else { return false }
        return spare.kind == .regular && spare.identity == kept.identity
    }
}
