internal import Synchronization

/// Why a photo cannot be replaced, known before anything is written; the dry run and the run check it.
package final class InPlaceObstacles: Sendable {
    private struct State {
        var locator: TrashLocator
        var folders: [FilePath: FolderFacts] = [:]
        /// Cached; nil before the first check.
        var journal: Result<Void, JournalError>?
    }

    private let state: Mutex<State>
    private let roots: LibraryRoots
    private let journal: Journal

    /// - Parameter roots: the folders above the photos.
    package init(environment: Environment, roots: LibraryRoots) {
        state = Mutex(State(locator: TrashLocator(environment)))
        journal = Journal(environment)
        self.roots = roots
    }

    /// Returns nil if no obstacle is known.
    /// - Parameter newPath: the path of the new file, if its name changes.
    package func reason(against path: FilePath, as newPath: FilePath?) -> String? {
        let path = path.withoutTrailingSlashes
        let name = FilePath(path.lastComponent)
        do throws(POSIXError) {
            let folder = try roots.open(folder: path.directory)
            let status = try folder.descriptor.status(of: name)
            let (facts, hasTrash) = try facts(of: folder)
            if let obstacle = facts.obstacle(to: status, named: name, in: folder.descriptor) { return obstacle }
            if !hasTrash { return "no trash on its filesystem" }
            guard let newPath, newPath != path else { return nil }
            do throws(POSIXError) {
                _ = try folder.descriptor.status(of: FilePath(newPath.lastComponent))
                return "\(newPath.displayText) is there already"
            } catch { return nil }
        } catch { return error.reasonOnTheWay }
    }

    /// Throws the reason why no file can be replaced: the dry run checks what the run will need.
    func checkJournal() throws(JournalError) {
        let found = state.withLock { state in
            if let known = state.journal { return known }
            let error = journal.obstacle(to: RunID(ns: SystemClock.nowNs()), begins: true)
            let found: Result<Void, JournalError> = error.map { .failure($0) } ?? .success(())
            state.journal = found
            return found
        }
        try found.get()
    }

    private func facts(of folder: OpenFolder) throws(POSIXError) -> (FolderFacts, hasTrash: Bool) {
        let known: Result<(FolderFacts, Bool), POSIXError> = state.withLock { state in
            Result { () throws(POSIXError) in
                let facts: FolderFacts
                if let known = state.folders[folder.path] {
                    facts = known
                } else {
                    facts = try FolderFacts(folder, needsAncestors: false)
                    state.folders[folder.path] = facts
                }
                return (facts, !state.locator.sites(for: facts.path, on: facts.mount).isEmpty)
            }
        }
        return try known.get()
    }
}
