/// The open journal of one run. Lines are gathered and written together; `synchronize` makes them last through a power
/// cut, and `flush` alone through the death of the process.
public struct JournalFile: ~Copyable {
    public let id: RunID
    private let file: FileDescriptor
    private let lock: FileLock
    private var pending: [UInt8] = []
    /// What the journal told when it was opened.
    public let history: RunHistory

    init(id: RunID, file: consuming FileDescriptor, lock: consuming FileLock, isTorn: Bool, history: RunHistory) {
        self.id = id
        self.file = file
        self.lock = lock
        self.history = history
        // A line that a power cut tore must not swallow the next one.
        if isTorn { pending.append(UInt8(ascii: "\n")) }
    }

    public mutating func append(_ entry: JournalEntry) { entry.write(to: &pending, id: id) }

    public mutating func flush() throws(JournalError) {
        guard !pending.isEmpty else { return }
        do throws(POSIXError) { try file.write(pending) } catch {
            // Part of it may be in the file: what is written later must not be glued to a torn line.
            pending.insert(UInt8(ascii: "\n"), at: 0)
            throw .failed(error)
        }
        pending.removeAll(keepingCapacity: true)
    }

    public mutating func synchronize() throws(JournalError) {
        try flush()
        do throws(POSIXError) { try file.synchronizeData() } catch { throw .failed(error) }
    }
}
