internal import Glibc

/// A name beside a file that no other program writes to. The file is set aside under it before it is erased or replaced:
/// a program that saves the file again at that moment gets the old name, and what is removed is what was checked. A file
/// under such a name is never cleared up; `undo` or the next run puts it back after a kill.
struct PrivateName {
    /// In the folder of the file; a scan skips it.
    let name: FilePath

    init(_ name: FilePath) { self.name = name }

    /// The name that `undo` uses for a file of the run `id`.
    static func ofUndo(_ id: RunID, _ file: Int) -> PrivateName {
        PrivateName(FilePath(AtomicFile.temporaryPrefix + "undo-" + id.text + "-" + String(file)))
    }

    /// A name for a file of the run `id` that is free in its folder. The journal must know it before it is used.
    static func free(_ id: RunID, _ file: Int, in folder: borrowing FileDescriptor) throws(POSIXError) -> PrivateName {
        for attempt in 1..<1000 {
            let ending = attempt == 1 ? "" : "-" + String(attempt)
            let name = FilePath(
                AtomicFile.temporaryPrefix + "aside-" + id.text + "-" + String(file) + ending)
            if try isFree(name, in: folder) { return PrivateName(name) }
        }
        throw POSIXError(code: EEXIST, operation: "fstatat")
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

    /// Moves a file to this name, which must be free. A filesystem without RENAME_NOREPLACE gets a plain rename: no other
    /// program makes such names.
    func take(_ file: FilePath, in folder: borrowing FileDescriptor) throws(POSIXError) {
        do throws(POSIXError) {
            try FileSystem.renameWithoutReplacing(file, in: folder, to: name, in: folder)
        } catch {
            guard error.isUnsupported else { throw error }
            guard try Self.isFree(name, in: folder) else {
                throw POSIXError(code: EEXIST, operation: "renameat", path: name)
            }
            try FileSystem.replace(name, in: folder, with: file, in: folder)
        }
    }

    /// The result of putting a file back.
    enum PutBack: Equatable {
        /// It has its own name again.
        case done
        /// Another file has taken its name and is not replaced: this is the new name, in the same folder.
        case beside(FilePath)
        /// It still has the private name.
        case failed(POSIXError)
    }

    /// Moves the file back to its own name, replacing nothing.
    func putBack(to file: FilePath, in folder: borrowing FileDescriptor) -> PutBack {
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(name, in: folder, to: file, in: folder)
            return .done
        } catch { guard error.isOccupied else { return .failed(error) } }
        for number in 2..<10_000 {
            let beside = FilePath(RestoredName.make(file.lastComponent, stem: file.stem, number: number))
            do throws(POSIXError) {
                try FileSystem.moveWithoutReplacing(name, in: folder, to: beside, in: folder)
                return .beside(beside)
            } catch { guard error.isOccupied else { return .failed(error) } }
        }
        return .failed(POSIXError(code: EEXIST, operation: "renameat2", path: file))
    }

    /// Removes a file that this run wrote, through this name, which must be free. Another file that has taken its name in
    /// the meantime gets it back.
    func remove(_ file: FilePath, of identity: FileIdentity, in folder: borrowing FileDescriptor) {
        guard (try? take(file, in: folder)) != nil else { return }
        if let now = try? folder.status(of: name), now.identity.matchesContent(of: identity) {
            try? FileSystem.remove(name, in: folder)
        } else {
            _ = putBack(to: file, in: folder)
        }
    }

    /// Erases a file through this name: it is checked, moved, checked again and only then removed. Throws ESTALE where it
    /// is not the file that `isMeant`; that one keeps its name. A file that is gone is not an error.
    func erase(
        _ file: FilePath, in folder: borrowing FileDescriptor, if isMeant: (FileStatus) -> Bool
    ) throws(POSIXError) {
        do throws(POSIXError) {
            guard isMeant(try folder.status(of: file)) else {
                throw POSIXError(code: ESTALE, operation: "fstatat", path: file)
            }
            // Other programs write to `file`: it is moved in one step, never linked and then unlinked by that name.
            try take(file, in: folder)
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
            recover(file, in: folder)
            throw error
        }
    }

    /// Gives a file that a killed `erase` left under this name its own name again, where that is free.
    func recover(_ file: FilePath, in folder: borrowing FileDescriptor) {
        // Killed when it had only reserved this name with an empty file, or linked the file to it: the file still has its
        // own name.
        if let aside = try? folder.status(of: name), aside.kind == .regular, let own = try? folder.status(of: file),
            own.identity == aside.identity || (aside.identity.bytes == 0 && aside.linkCount == 1)
        {
            try? FileSystem.remove(name, in: folder)
            return
        }
        try? FileSystem.moveWithoutReplacing(name, in: folder, to: file, in: folder)
    }
}
