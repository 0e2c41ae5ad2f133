internal import Glibc
internal import Synchronization

/// The folders that outputs are written to. What leads to the output folder of the run may hold links and is followed once;
/// below it no link is followed, whoever puts one there while the run is at work.
final class OutputFolders: Sendable {
    private struct State {
        var isRootThere = false
        /// Folders that were cleared of what killed runs left.
        var cleared: Set<FilePath> = []
    }

    private let root: FilePath
    private let roots = LibraryRoots()
    private let state: Mutex<State>

    /// - Parameter root: as the user named it; it may not be there yet.
    init(root: FilePath) {
        self.root = root.bytes.isEmpty ? .current : root
        let isThere = (try? FileStatus.of(self.root, followLinks: true))?.kind == .directory
        if isThere { roots.add(self.root) }
        state = Mutex(State(isRootThere: isThere))
    }

    /// Nil where the folder is not there yet.
    func existing(_ folder: FilePath) throws(POSIXError) -> OpenFolder? {
        guard state.withLock({ $0.isRootThere }) else { return nil }
        do throws(POSIXError) { return try roots.open(folder: folder) } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Opens a folder, which is made with all that lead to it where it is missing.
    func make(_ folder: FilePath) throws(POSIXError) -> OpenFolder {
        let open = try makeAll(folder)
        if state.withLock({ $0.cleared.insert(open.path).inserted }) { OutputFile.removeLeftovers(in: open) }
        return open
    }

    private func makeAll(_ folder: FilePath) throws(POSIXError) -> OpenFolder {
        let made: Result<Void, POSIXError> = state.withLock { state in
            Result { () throws(POSIXError) in
                if state.isRootThere { return }
                try FileSystem.createFolders(root)
                roots.add(root)
                state.isRootThere = true
            }
        }
        try made.get()
        if let open = try existing(folder) { return open }
        guard folder != root, folder.directory != folder else {
            throw POSIXError(code: ENOENT, operation: "open", path: folder)
        }
        let above = try makeAll(folder.directory)
        do throws(POSIXError) {
            try FileSystem.createFolder(FilePath(folder.lastComponent), in: above.descriptor)
        } catch { if !error.isOccupied { throw error } }
        return OpenFolder(
            above.path.appending(folder.lastComponent),
            try above.descriptor.open(FilePath(folder.lastComponent), [.pathOnly, .directory, .noFollow]))
    }
}
