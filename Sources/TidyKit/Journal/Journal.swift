internal import Glibc

/// The journals of all runs: one file a run in `$XDG_STATE_HOME/phototidy/journal/`, append-only lines, locked while a
/// process works on it.
public struct Journal: Sendable {
    public let folder: FilePath
    static let suffix = ".journal"
    /// Of the file that says: something of this run may be set aside.
    static let markSuffix = ".aside"
    /// More than any run can write; what is longer is none of ours.
    static let sizeLimit = 1 << 31

    public init(_ environment: Environment) { folder = environment.state.appending("journal") }

    private func path(of id: RunID) -> FilePath { folder.appending(id.text + Self.suffix) }

    /// Opens the journal of `id` for writing, makes it where it is missing, and holds its lock until the value goes.
    /// Throws `busy` where another process works on the run.
    public func open(_ id: RunID) throws(JournalError) -> JournalFile {
        do throws(POSIXError) {
            try FileSystem.createFolders(folder, permissions: 0o700)
            let path = path(of: id)
            guard let lock = try FileLock.ifFree(path) else { throw POSIXError(code: EWOULDBLOCK, operation: "fcntl") }
            let file = try FileDescriptor.open(path, [.readWrite, .append, .noFollow])
            let content = try file.readToEnd(limit: Self.sizeLimit)
            if content.isEmpty { try FileSystem.synchronizeFolder(folder) }
            return JournalFile(
                id: id, file: file, lock: lock, mark: folder.appending(id.text + Self.markSuffix),
                isTorn: content.last != nil && content.last != UInt8(ascii: "\n"),
                history: RunHistory(id: id, content: content))
        } catch {
            if error.code == EWOULDBLOCK { throw .busy(id) }
            throw .failed(error)
        }
    }

    /// The journal of `id` as it stands; nil where there is none.
    public func history(_ id: RunID) throws(JournalError) -> RunHistory? {
        do throws(POSIXError) {
            let file = try FileDescriptor.open(path(of: id), [.read, .noFollow])
            var history = RunHistory(id: id, content: try file.readToEnd(limit: Self.sizeLimit))
            history.isRunning = try FileLock.isTaken(path(of: id))
            return history
        } catch {
            if error.isMissing { return nil }
            throw .failed(error)
        }
    }

    /// The runs that left a journal, the one that was written last in front.
    public func runs() throws(JournalError) -> [(id: RunID, writtenNs: Int128)] { try runs(with: Self.suffix) }

    /// The runs that were killed, perhaps, while something was set aside.
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
