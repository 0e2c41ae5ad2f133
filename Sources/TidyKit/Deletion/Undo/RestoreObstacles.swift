internal import Glibc

/// The obstacles to a restore from a trash, found without writing. The dry run of undo reports them, and so does a run
/// that failed, so that both give the same reason.
struct RestoreObstacles {
    /// Bytes that the copies of the previous photos need, by device.
    private var reservedBytes: [UInt64: Int64] = [:]

    /// The folders that a file comes from and goes to.
    private struct Ends {
        let trash: FolderFacts
        /// The target folder, or its nearest ancestor that exists.
        let target: FolderFacts
        let folder: OpenFolder
        let isThere: Bool

        init(_ file: FileRestoration, _ folders: inout OpenFolders) throws(POSIXError) {
            folder = try folders.nearestFolder(to: file.target.directory)
            target = try FolderFacts(folder, needsAncestors: false)
            trash = try FolderFacts(file.trash.files, at: file.trash.site.root.appending("files"))
            isThere = folder.path == file.target.directory
        }

        /// True if a rename cannot move the file there.
        var isApart: Bool { trash.mount != target.mount }
    }

    /// Why the files of a photo cannot be restored; nil if no obstacle is known. Throws if a folder cannot be read.
    mutating func reason(
        against files: [FileRestoration], mayCopy: Bool, _ folders: inout OpenFolders
    ) throws(POSIXError) -> String? {
        var reserved = reservedBytes
        for file in files {
            let ends = try Ends(file, &folders)
            if let reason = try Self.obstacle(to: file, ends, mayCopy: mayCopy, &folders) { return reason }
            guard ends.isApart else { continue }
            let device = ends.target.mount.device
            reserved[device] = reserved[device, default: 0].addingClamped(file.step.intent.identity.bytes)
            if let full = FileSystem.obstacleOfSpace(for: reserved[device, default: 0], at: ends.folder.path) {
                return full.reason
            }
        }
        reservedBytes = reserved
        return nil
    }

    private static func obstacle(
        to file: FileRestoration, _ ends: Ends, mayCopy: Bool, _ folders: inout OpenFolders
    ) throws(POSIXError) -> String? {
        if let reason = ends.target.obstacleToAdding { return reason }
        let replaces = Replacement.isInPlace(file.step, at: file.target, &folders)
        if replaces {
            let new = try ends.folder.descriptor.status(of: file.name)
            let reason = ends.target.obstacle(to: new, named: file.name, in: ends.folder.descriptor)
            if let reason { return reason }
        }
        guard ends.isApart else { return try obstacleInTrash(to: file).map { "in the trash: " + $0 } }
        guard mayCopy || replaces else { return POSIXError(code: EXDEV, operation: "renameat2").reason }
        // A copy is renamed once it is complete, so names must be removable too.
        if ends.isThere, let reason = ends.target.obstacle { return reason }
        _ = try file.trash.files.openForReading(file.trashName)
        return nil
    }

    private static func obstacleInTrash(to file: FileRestoration) throws(POSIXError) -> String? {
        let files = try FolderFacts(file.trash.files, at: file.trash.site.root.appending("files"))
        return files.obstacle(
            to: try file.trash.files.status(of: file.trashName), named: file.trashName, in: file.trash.files)
    }

    // MARK: Behind it

    /// Why leftovers of a restored file cannot be removed from the trash or its folder; nil if no obstacle is known.
    static func leftover(of file: FileRestoration, _ folders: inout OpenFolders) -> String? {
        do throws(POSIXError) {
            let isCopied =
                file.progress == .inTrash ? try Ends(file, &folders).isApart : file.progress == .doubled
            let isStill = isCopied && (try? file.trash.files.status(of: file.trashName)) != nil
            if isStill, let reason = try obstacleInTrash(to: file) { return reason }
            let removesNew = file.target == file.step.intent.path
            if let reason = try newFile(of: file.step, removesNew: removesNew, &folders) { return reason }
            return try info(of: file.trashName, file.trash)
        } catch { return error.reason }
    }

    /// Why the new file that replaced it under another name cannot be removed; nil if no obstacle is known.
    static func newFile(
        of step: RunHistory.Step, removesNew: Bool, _ folders: inout OpenFolders
    ) throws(POSIXError) -> String? {
        guard let replacement = step.intent.replacement else { return nil }
        let folder: OpenFolder
        do throws(POSIXError) { folder = try folders.folder(step.intent.path.directory) } catch {
            // Undo will have created it by then.
            if removesNew, error.isMissing { return nil }
            throw error
        }
        for path in [replacement.temporary] + (removesNew ? [replacement.path] : []) where path != step.intent.path {
            let name = FilePath(path.lastComponent)
            guard let status = try? folder.descriptor.status(of: name), Replacement.isNew(status, of: step) else {
                continue
            }
            let facts = try FolderFacts(folder, needsAncestors: false)
            if let reason = facts.obstacle(to: status, named: name, in: folder.descriptor) { return reason }
        }
        return nil
    }

    /// Why the `.trashinfo` of `name` cannot be removed; nil if no obstacle is known.
    static func info(of name: FilePath, _ trash: Trash) throws(POSIXError) -> String? {
        let info = Trash.infoName(of: name)
        guard let status = try? trash.info.status(of: info) else { return nil }
        return try FolderFacts(trash.info, at: trash.site.root.appending("info"))
            .obstacle(to: status, named: info, in: trash.info)
    }
}
