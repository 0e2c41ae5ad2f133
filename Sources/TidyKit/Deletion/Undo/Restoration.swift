internal import Glibc

/// The way back out of a trash: nothing is replaced, and the `.trashinfo` goes last.
enum Restoration {
    /// Moves `trashName` to `name` in `folder`; across filesystems by a copy that is compared.
    /// - Parameter temporary: a name that the copy has until it is whole.
    static func bring(
        _ trashName: FilePath, from trash: Trash, to name: FilePath, in folder: borrowing FileDescriptor,
        temporary: FilePath
    ) throws(POSIXError) {
        do throws(POSIXError) {
            try FileSystem.moveWithoutReplacing(trashName, in: trash.files, to: name, in: folder)
        } catch {
            guard error.isOtherFileSystem else { throw error }
            let identity = try trash.files.status(of: trashName).identity
            do throws(POSIXError) { try FileSystem.remove(temporary, in: folder) } catch {
                if !error.isMissing { throw error }
            }
            try VerifiedCopy.make(trashName, in: trash.files, to: temporary, in: folder, identity: identity)
            do throws(POSIXError) {
                try FileSystem.moveWithoutReplacing(temporary, in: folder, to: name, in: folder)
            } catch {
                try? FileSystem.remove(temporary, in: folder)
                throw error
            }
            try FileSystem.remove(trashName, in: trash.files)
        }
        trash.withdraw(trashName)
    }
}
