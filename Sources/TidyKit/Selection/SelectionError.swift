/// Why a selection cannot be changed or read; nothing was changed.
public enum SelectionError: Error, Equatable, Sendable {
    /// It would hold `count` photos.
    case overLimit(name: [UInt8], count: Int, limit: Int)
    case nameTooLong([UInt8])
    case missing(FilePath)
    case notAPhoto(FilePath, reason: String)
    /// The file of a selection holds something else, or is damaged.
    case damaged(name: [UInt8], FilePath)
    case failed(POSIXError)
    /// A folder that was named could not be searched.
    case library(LibraryError)
    /// A part of a folder that was named could not be read: the rest would be taken for the whole.
    case incomplete(LibraryWarning)
}

extension SelectionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .overLimit(let name, let count, let limit):
            "selection \(String(decoding: name, as: UTF8.self)) is limited to \(limit) photos and would hold \(count); "
                + "nothing was added (raise it with --limit, or remove some)"
        case .nameTooLong(let name):
            "the selection name \(String(decoding: name.prefix(40), as: UTF8.self))… is too long"
        case .missing(let path): "\(path.displayText): no such file; nothing was added"
        case .notAPhoto(let path, let reason): "\(path.displayText) \(reason); nothing was added"
        case .damaged(let name, let path):
            "the selection \(String(decoding: name, as: UTF8.self)) cannot be read: \(path.displayText) is damaged; "
                + "put it right from a copy, or remove it"
        case .library(let error): error.description
        case .incomplete(let warning): "\(warning.description); nothing was selected"
        case .failed(let error): (error.path.map { $0.displayText + ": " } ?? "") + error.reason
        }
    }
}
