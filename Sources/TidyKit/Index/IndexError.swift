internal import CSQLite

/// Why the index cannot be used. A search then reads the files instead; it never fails for this reason.
package enum IndexError: Error, Equatable, Sendable {
    /// SQLite's extended result code and message.
    case database(code: Int32, message: String)
    case file(POSIXError)
    /// Rows were returned out of order.
    case disorder
    /// The name of the index is taken by something that is not a file.
    case noFile(FilePath)
    /// The index has reached its size limit, and all of its rows were used recently.
    case full
    /// Another version of this program created the index. It is rebuilt when there is something to write.
    case otherVersion
}

extension IndexError {
    /// True if the content is not what this program writes: the index is then rebuilt.
    var isDamage: Bool {
        guard case .database(let code, _) = self else { return self == .disorder }
        return [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_FORMAT].contains(code & 0xFF)
    }
}

extension IndexError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .database(_, let message): message
        case .file(let error): error.reason
        case .noFile(let path): "\(path.displayText) is not a file"
        case .disorder: "damaged"
        case .full: "full"
        case .otherVersion: "made by another version"
        }
    }
}
