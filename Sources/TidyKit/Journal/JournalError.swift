internal import Glibc

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
