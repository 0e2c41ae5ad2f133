/// What keeps a library from being read at all.
public enum LibraryError: Error, Equatable, Sendable {
    /// An operand that does not exist: never the same as an empty folder.
    case missing(FilePath)
    case unreadable(POSIXError)
    /// Ctrl-C.
    case interrupted
}

extension LibraryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let path): "\(path.displayText): no such file or folder"
        case .unreadable(let error): (error.path.map { $0.displayText + ": " } ?? "") + error.reason
        case .interrupted: "interrupted"
        }
    }
}
