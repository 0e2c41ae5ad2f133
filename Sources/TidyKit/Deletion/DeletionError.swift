/// What keeps a run from beginning, or ends it early. Files that fail one by one are no error: they are in the report.
public enum DeletionError: Error, Equatable, Sendable {
    /// A rule of safety forbids it; nothing was changed.
    case refused(Refusal)
    /// A plan file that is not what was saved; `line` counts from 1.
    case badPlan(FilePath, line: Int, reason: String)
    case unknownRun(RunID)
    /// The path is none of that run's.
    case notOfRun(RunID, FilePath)
    /// One file could not be put in the trash; it stands where it stood. `isFull`: for want of space on the disk.
    case kept(FilePath, reason: String, isFull: Bool = false)
    case journal(JournalError)
    case library(LibraryError)
    case selection(SelectionError)
    case failed(POSIXError)
}

extension DeletionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.description
        case .badPlan(let path, let line, let reason):
            "\(path.displayText), line \(line): \(reason); nothing was changed"
        case .unknownRun(let id): "there is no run \(id); 'phototidy undo --list' shows them"
        case .notOfRun(let id, let path):
            "\(path.displayText) is not in run \(id); nothing was changed ('phototidy undo \(id) -n' shows its photos)"
        case .kept(let path, let reason, _): "\(path.displayText): \(reason)"
        case .journal(let error): error.description
        case .library(let error): error.description
        case .selection(let error): error.description
        case .failed(let error): (error.path.map { $0.displayText + ": " } ?? "") + error.reason
        }
    }
}
