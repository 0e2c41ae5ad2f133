internal import CSQLite

/// Why the index cannot be used. Never a reason to stop: a search reads the files instead.
package enum IndexError: Error, Equatable, Sendable {
    /// SQLite's extended result code, and its words.
    case database(code: Int32, message: String)
    case file(POSIXError)
    /// Rows that stand where they cannot be.
    case disorder
    /// Something else than a file has its name.
    case noFile(FilePath)
    /// It has grown to its bound, and all of it was used lately.
    case full
    /// Another version of this program made it; it is made anew when there is something to write.
    case otherVersion
}

extension IndexError {
    /// True where its content is not what this program wrote: it is then made anew.
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
