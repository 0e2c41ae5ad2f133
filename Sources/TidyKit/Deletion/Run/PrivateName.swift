internal import Glibc

/// A name, in the folder of a file, that no other program uses. The file is set aside under it before it is erased or
/// replaced. If a program saves the file again at that moment, the new file has the old name, so only the file that was
/// checked is removed. Files with such names are never deleted as leftovers: after a kill, `undo` or the next run puts
/// them back.
struct PrivateName {
    /// In the folder of the file; scans ignore it.
    let name: FilePath

    init(_ name: FilePath) { self.name = name }

    /// The name that `undo` uses for a file of the run `id`.
    static func ofUndo(_ id: RunID, _ file: Int) -> PrivateName {
        PrivateName(FilePath(AtomicFile.temporaryPrefix + "undo-" + id.text + "-" + String(file)))
    }

    /// A name for a file of the run `id` that is free in its folder. The journal must contain it before it is used.
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

    /// Moves a file to this name, which must be free. Uses a plain rename if the filesystem has no RENAME_NOREPLACE: no
    /// other program creates such names.
    func receive(_ file: FilePath, in folder: borrowing FileDescriptor) throws(POSIXError) {
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
        /// Another file has taken its name, so it got this one, in the same folder.
        case beside(FilePath)
        /// It still has the private name.
        case failed(POSIXError)
    }

    /// Moves the file back to its own name. Replaces nothing.
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

    /// Removes a file that this run wrote: moves it to this name, which must be free, checks it and removes it. Another
    /// file that has taken its name in the meantime is put back.
    func remove(_ file: FilePath, of identity: FileIdentity, in folder: borrowing FileDescriptor) {
        guard (try? receive(file, in: folder)) != nil else { return }
        if let now = try? folder.status(of: name), now.identity.matchesContent(of: identity) {
            try? FileSystem.remove(name, in: folder)
        } else {
            _ = putBack(to: file, in: folder)
        }
    }

    /// Erases a file: checks it, moves it to this name, checks it again and removes it. Throws ESTALE if `isMeant` is
    /// false for the file, which then keeps its name. A missing file is not an error.
    func erase(
        _ file: FilePath, in folder: borrowing FileDescriptor, if isMeant: (FileStatus) -> Bool
    ) throws(POSIXError) {
        do throws(POSIXError) {
            guard isMeant(try folder.status(of: file)) else {
                throw POSIXError(code: ESTALE, operation: "fstatat", path: file)
            }
            // Other programs may write to `file`, so it is renamed in one step; a link and an unlink could remove a
            // newer file.
            try receive(file, in: folder)
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

    /// Moves a file that a killed `erase` left under this name back to its own name, if that is free.
    func recover(_ file: FilePath, in folder: borrowing FileDescriptor) {
        // If `erase` was killed after it reserved or linked this name, the file still has its own name too.
        if let aside = try? folder.status(of: name), aside.kind == .regular, let own = try? folder.status(of: file),
            own.identity == aside.identity || (aside.identity.bytes == 0 && aside.linkCount == 1)
        {
            try? FileSystem.remove(name, in: folder)
            return
        }
        try? FileSystem.moveWithoutReplacing(name, in: folder, to: file, in: folder)
    }
}
