internal import Glibc

/// The journals of all runs: one append-only file for each run in `$XDG_STATE_HOME/phototidy/journal/`, locked while a
/// process works on it.
package struct Journal: Sendable {
    package let folder: FilePath
    static let suffix = ".journal"
    /// The suffix of the mark, which exists while a file of the run may be set aside.
    static let markSuffix = ".aside"
    /// More than any run can write, so a longer file is not a journal.
    static let sizeLimit = 1 << 31

    package init(_ environment: Environment) { folder = environment.state.appending("journal") }

    func path(of id: RunID) -> FilePath { folder.appending(id.text + Self.suffix) }

    /// Opens the journal of `id` for writing, creates it if it is missing, and holds its lock for the lifetime of the
    /// value. Throws `busy` if another process works on the run.
    /// - Parameter begins: the run begins or continues, and becomes the last in the order of runs.
    package func open(_ id: RunID, begins: Bool = false) throws(JournalError) -> JournalFile {
        do throws(POSIXError) {
            try FileSystem.createFolders(folder, permissions: 0o700)
            let path = path(of: id)
            // A new run is added to the order before its journal is created, so that a run that is killed in between
            // still counts as the newest.
            let isNew = (try? FileStatus.of(path)) == nil
            if begins, isNew { try RunOrder.note(id, in: folder) }
            guard let lock = try FileLock.ifFree(path) else { throw POSIXError(code: EWOULDBLOCK, operation: "fcntl") }
            let file = try FileDescriptor.open(path, [.readWrite, .append, .noFollow, .nonBlocking])
            guard try file.status().kind == .regular else {
                throw POSIXError(code: EINVAL, operation: "open", path: path)
            }
            let content = try file.readToEnd(limit: Self.sizeLimit)
            if begins, !isNew { try RunOrder.note(id, in: folder) }
            if content.isEmpty { try FileSystem.synchronizeFolder(folder) }
            return JournalFile(
                file: file, lock: lock, mark: folder.appending(id.text + Self.markSuffix),
                isTorn: content.last != nil && content.last != UInt8(ascii: "\n"),
                history: RunHistory(id: id, content: content))
        } catch {
            if error.code == EWOULDBLOCK { throw .busy(id) }
            throw .failed(error)
        }
    }

    /// What the journal of `id` says now; nil if there is none.
    package func history(_ id: RunID) throws(JournalError) -> RunHistory? {
        do throws(POSIXError) {
            var history = RunHistory(
                id: id, content: try FileSystem.stateContents(of: path(of: id), limit: Self.sizeLimit))
            history.isRunning = try FileLock.isTaken(path(of: id))
            return history
        } catch {
            if error.isMissing { return nil }
            throw .failed(error)
        }
    }

    /// One journal in the folder.
    struct Entry {
        let id: RunID
        /// The time of the last write, in nanoseconds since 1970 (UTC).
        let writtenNs: Int128
        /// Its place in the order of runs; nil for runs older than the order file.
        let place: Int?
    }

    /// The runs that left a journal, the last to begin first. Runs older than the order file follow, in the order of
    /// their last writes.
    func entries() throws(JournalError) -> [Entry] {
        let places = RunOrder(folder).places
        return try runs().map { Entry(id: $0.id, writtenNs: $0.writtenNs, place: places[$0.id]) }
            .sorted { ($0.place ?? -1, $0.writtenNs, $0.id.text) > ($1.place ?? -1, $1.writtenNs, $1.id.text) }
    }

    /// The runs that left a journal, the most recently written first. Times are in nanoseconds since 1970 (UTC).
    package func runs() throws(JournalError) -> [(id: RunID, writtenNs: Int128)] { try runs(with: Self.suffix) }

    /// The runs that may have been killed while something was set aside.
    func runsWithMark() throws(JournalError) -> [RunID] { try runs(with: Self.markSuffix).map(\.id) }

    private func runs(with suffix: String) throws(JournalError) -> [(id: RunID, writtenNs: Int128)] {
        var runs: [(id: RunID, writtenNs: Int128)] = []
        do throws(POSIXError) {
            let descriptor = try FileDescriptor.open(folder, [.read, .directory])
            var stream = try DirectoryStream(descriptor, path: folder)
            while let entry = try stream.next() {
                guard entry.name.count > suffix.utf8.count,
                    entry.name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8),
                    let id = RunID(entry.name.dropLast(suffix.utf8.count)),
                    let status = try? descriptor.status(of: FilePath(entry.name)), status.kind == .regular
                else { continue }
                runs.append((id, status.identity.modifiedNs))
            }
        } catch {
            if error.isMissing { return [] }
            throw .failed(error)
        }
        return runs.sorted { ($0.writtenNs, $0.id.text) > ($1.writtenNs, $1.id.text) }
    }
}

/// No run begins without a journal. A dry run checks whether it could be opened, and writes nothing.
extension Journal {
    /// The error that `open` would throw for `id`, as far as can be seen without writing; nil if none.
    /// - Parameter begins: as for `open`. A run that begins needs space on the disk; undo does not.
    func obstacle(to id: RunID, begins: Bool = false) -> JournalError? {
        if (try? FileLock.isTaken(path(of: id))) == true { return .busy(id) }
        let files = begins ? [RunOrder.path(folder), path(of: id)] : [path(of: id)]
        for file in files {
            if let error = FileSystem.obstacleToMaking(file) { return .failed(error) }
        }
        // The folder must be readable: it is synced, and `undo` finds the journal by reading it.
        if begins, let error = FileSystem.obstacleToReading(folder: folder) { return .failed(error) }
        guard begins, let error = FileSystem.obstacleOfSpace(at: folder) else { return nil }
        let missing = files.first { (try? FileStatus.of($0)) == nil }
        let path = error.operation == "write" ? nil : missing
        return .failed(POSIXError(code: error.code, operation: error.operation, path: path))
    }
}
