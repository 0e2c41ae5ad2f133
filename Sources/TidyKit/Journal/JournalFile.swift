internal import Glibc

/// The open journal of one run. Lines are buffered. After `flush` they survive a kill, after `synchronize` also a power
/// cut.
package struct JournalFile: ~Copyable {
    package let id: RunID
    private let file: FileDescriptor
    private let lock: FileLock
    private var pending: [UInt8] = []
    /// An empty file beside the journal, which exists while something may be set aside, so that the next run need not
    /// read every journal.
    private let mark: FilePath
    private var isMarked = false
    private var needsMark = false
    /// The content of the journal when it was opened.
    package let history: RunHistory

    init(
        file: consuming FileDescriptor, lock: consuming FileLock, mark: FilePath, isTorn: Bool, history: RunHistory
    ) {
        id = history.id
        self.mark = mark
        self.file = file
        self.lock = lock
        self.history = history
        // A torn line must not swallow the next one.
        if isTorn { pending.append(UInt8(ascii: "\n")) }
    }

    /// Adds a line to the buffer; writes nothing.
    package mutating func append(_ entry: JournalEntry) {
        if case .aside = entry { needsMark = true }
        entry.write(to: &pending, id: id)
    }

    /// Writes the buffered lines, which then survive a kill. Keeps them if that fails.
    package mutating func flush() throws(JournalError) {
        guard !pending.isEmpty else { return }
        do throws(POSIXError) { try file.write(pending) } catch {
            // A part may have been written: the next line must not be appended to a torn one.
            pending.insert(UInt8(ascii: "\n"), at: 0)
            throw .failed(error)
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// Writes and syncs the buffered lines, which then survive a power cut.
    package mutating func synchronize() throws(JournalError) {
        if needsMark, !isMarked {
            do throws(POSIXError) {
                _ = try FileDescriptor.open(mark, [.write, .create, .noFollow], permissions: 0o600)
                try FileSystem.synchronizeFolder(mark.directory)
            } catch { throw .failed(error) }
            isMarked = true
        }
        try flush()
        do throws(POSIXError) { try file.synchronizeData() } catch { throw .failed(error) }
    }

    /// Call this once nothing is set aside any more and the lines that say so are on the disk.
    mutating func clearMark() {
        try? FileSystem.remove(mark)
        (isMarked, needsMark) = (false, false)
    }
}

/// Why a journal cannot be written or read.
package enum JournalError: Error, Equatable, Sendable {
    /// Another process works on this run.
    case busy(RunID)
    case failed(POSIXError)

    /// The failed call; EBUSY for `busy`.
    var cause: POSIXError {
        switch self {
        case .busy: POSIXError(code: EBUSY, operation: "fcntl")
        case .failed(let error): error
        }
    }
}

extension JournalError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .busy(let id): "run \(id) is still at work in another process"
        case .failed(let error):
            "the journal cannot be written: " + (error.path.map { $0.displayText + ": " } ?? "") + error.reason
        }
    }
}
