internal import Glibc

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
            try FileSystem.moveWithoutReplacing(file, in: folder, to: name, in: folder)
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
