internal import Glibc

/// A file moves to a private name in its own folder before it is erased. Whoever saves it anew at that moment takes its
/// name, and not what is erased: what was moved is looked at first, and put back where it is another file. The journal knows
/// the private name before it is used; nothing ever clears it up, and `undo` or the next run puts back what a kill left.
public enum AsideFile {
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
