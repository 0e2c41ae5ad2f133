internal import Glibc

/// Restores a file that a new one replaced (`compress --in-place`). The new file is removed only if it is exactly the
/// one that was written, so a later change by the user is never lost.
enum Replacement {
    /// True if the new file of this step is at `target`, unchanged, so undo may replace it with the original.
    static func isInPlace(_ step: RunHistory.Step, at target: FilePath, _ folders: inout OpenFolders) -> Bool {
        guard let replacement = step.intent.replacement, replacement.path == target,
            let status = try? folders.status(of: target)
        else { return false }
        return isNew(status, of: step)
    }

    /// True if the file is the new one that was written, unchanged.
    static func isNew(_ status: FileStatus, of step: RunHistory.Step) -> Bool {
        guard let replacement = step.intent.replacement else { return false }
        return status.kind == .regular && status.identity.matchesContent(of: replacement.identity)
    }

    /// After a kill while the new file was written: removes the incomplete file. It has a name of this run, and the
    /// original was untouched at that time. Never removes the inode of the original.
    static func removeUnfinished(_ step: RunHistory.Step, _ folders: inout OpenFolders) {
        guard step.isUntouched, let temporary = step.intent.replacement?.temporary,
            temporary.lastComponent.starts(with: AtomicFile.temporaryPrefix.utf8),
            let folder = try? folders.folder(temporary.directory),
            let status = try? folder.descriptor.status(of: FilePath(temporary.lastComponent)),
            status.kind == .regular, status.linkCount == 1, status.identity.inode != step.intent.identity.inode
        else { return }
        try? FileSystem.remove(FilePath(temporary.lastComponent), in: folder.descriptor)
    }

    /// Exchanges the names of `temporary`, a copy of the original, and the new file, then removes the new one. If the
    /// filesystem cannot exchange names, erases the new file through a private name first.
    static func replaceNew(
        _ id: RunID, _ file: FileRestoration, with temporary: FilePath, _ folder: OpenFolder
    ) throws(POSIXError) {
        do throws(POSIXError) {
            try FileSystem.exchange(temporary, in: folder.descriptor, with: file.name, in: folder.descriptor)
        } catch {
            guard error.isUnsupported else { throw error }
            do throws(POSIXError) {
                try PrivateName.ofUndo(id, file.number).erase(file.name, in: folder.descriptor) {
                    isNew($0, of: file.step)
                }
            } catch {
                guard error.code == ESTALE else { throw error }
                throw POSIXError(code: EEXIST, operation: "renameat2", path: file.target)
            }
            return try FileSystem.moveWithoutReplacing(
                temporary, in: folder.descriptor, to: file.name, in: folder.descriptor)
        }
        guard isNew(try folder.descriptor.status(of: temporary), of: file.step) else {
            try FileSystem.exchange(temporary, in: folder.descriptor, with: file.name, in: folder.descriptor)
            throw POSIXError(code: EEXIST, operation: "renameat2", path: file.target)
        }
        try FileSystem.remove(temporary, in: folder.descriptor)
    }

    /// Removes a temporary file that a kill left, and the new file if it has another name (`x.png` became `x.jpg`).
    static func clean(
        _ id: RunID, _ step: RunHistory.Step, removesNew: Bool, _ folders: inout OpenFolders
    ) throws(POSIXError) {
        guard let replacement = step.intent.replacement else { return }
        let folder = try folders.folder(step.intent.path.directory)
        let paths = [replacement.temporary] + (removesNew ? [replacement.path] : [])
        for path in paths where path != step.intent.path {
            let name = FilePath(path.lastComponent)
            do throws(POSIXError) {
                guard isNew(try folder.descriptor.status(of: name), of: step) else { continue }
            } catch {
                if error.isMissing { continue }
                throw error
            }
            try PrivateName.ofUndo(id, step.intent.file).erase(name, in: folder.descriptor) { isNew($0, of: step) }
        }
        for spare in [replacement.temporary, step.aside].compactMap(\.self)
        where isSpare(spare, of: step, folder) {
            try FileSystem.remove(FilePath(spare.lastComponent), in: folder.descriptor)
        }
    }

    /// True for a spare name of the original. After a kill behind the exchange, the temporary name is one of the
    /// original: once the original has its own name again, this second name is removed. If the trash had a copy, the
    /// same bytes are back under another inode.
    private static func isSpare(_ name: FilePath, of step: RunHistory.Step, _ folder: OpenFolder) -> Bool {
        let (spareName, original) = (FilePath(name.lastComponent), FilePath(step.intent.path.lastComponent))
        guard name != step.intent.path, spareName.bytes.starts(with: AtomicFile.temporaryPrefix.utf8),
            let spare = try? folder.descriptor.status(of: spareName),
            let kept = try? folder.descriptor.status(of: original), spare.kind == .regular
        else { return false }
        if spare.identity == kept.identity { return true }
        // Or it is the copy that a killed undo was about to rename.
        let isCopy = step.copy.map(spare.identity.matchesContent) ?? false
        guard isCopy || spare.identity.matchesContent(of: step.intent.identity), kept.kind == .regular else {
            return false
        }
        return (try? VerifiedCopy.isSame(spareName, in: folder.descriptor, as: original, in: folder.descriptor))
            ?? false
    }
}

/// The name that `undo --rename` gives if another file has the original one: `IMG_1 (2).JPG`. All files of a photo get
/// the same number, so that they stay together.
enum RestoredName {
    private static let limit = 255

    /// - Parameter stem: the stem of the main file. A companion that begins with it gets the number after it.
    /// - Parameter number: 2 and up.
    static func make(_ name: ArraySlice<UInt8>, stem: ArraySlice<UInt8>, number: Int) -> [UInt8] {
        let cut =
            name.starts(with: stem) && !stem.isEmpty
            ? name.startIndex + stem.count : name.startIndex + FilePath(name).stem.count
        let tail = Array(" (\(number))".utf8) + name[cut...]
        var head = name[..<cut]
        if head.count + tail.count > limit {
            var end = head.startIndex + max(1, limit - tail.count)
            while end > head.startIndex + 1, end < head.endIndex, head[end] & 0xC0 == 0x80 { end -= 1 }
            head = head[..<min(end, head.endIndex)]
        }
        return Array(head) + tail
    }
}
