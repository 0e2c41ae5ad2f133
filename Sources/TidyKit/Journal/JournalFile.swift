internal import Glibc

/// The open journal of one run. Lines are gathered and written together; `synchronize` makes them last through a power
/// cut, and `flush` alone through the death of the process.
package struct JournalFile: ~Copyable {
    package let id: RunID
    private let file: FileDescriptor
    private let lock: FileLock
    private var pending: [UInt8] = []
    /// An empty file beside the journal while something may be set aside: the next run finds it without reading the
    /// journals of years.
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
        // A line that a power cut tore must not swallow the next one.
        if isTorn { pending.append(UInt8(ascii: "\n")) }
    }

    package mutating func append(_ entry: JournalEntry) {
        if case .aside = entry { needsMark = true }
        entry.write(to: &pending, id: id)
    }

    package mutating func flush() throws(JournalError) {
        guard !pending.isEmpty else { return }
        do throws(POSIXError) { try file.write(pending) } catch {
            // Part of it may be in the file: what is written later must not be glued to a torn line.
            pending.insert(UInt8(ascii: "\n"), at: 0)
            throw .failed(error)
        }
        pending.removeAll(keepingCapacity: true)
    }

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

    /// Call this when nothing is set aside any more, and the lines that say so are on the disk.
    mutating func clearMark() {
        try? FileSystem.remove(mark)
        (isMarked, needsMark) = (false, false)
    }
}

/// Why a journal cannot be kept or read.
package enum JournalError: Error, Equatable, Sendable {
    /// Another process is at work on this run.
    case busy(RunID)
    case failed(POSIXError)

    /// The failed call; EBUSY for a run that is at work.
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
