/// Why a run cannot begin, or ends early. Failures of single files are not errors: they are in the report.
package enum DeletionError: Error, Equatable, Sendable {
    /// A safety rule forbids the run; nothing was changed.
    case refused(Refusal)
    /// A plan file differs from what was saved; `line` counts from 1.
    case badPlan(FilePath, line: Int, reason: String)
    case unknownRun(RunID)
    /// The run has no file of this path.
    case notOfRun(RunID, FilePath)
    /// A file could not be moved to the trash and is still in its place. `isFull`: the disk has no space.
    case kept(FilePath, reason: String, isFull: Bool = false)
    case journal(JournalError)
    case library(LibraryError)
    case selection(SelectionError)
    case failed(POSIXError)
}

extension DeletionError: CustomStringConvertible {
    package var description: String {
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

extension DeletionPlan {
    /// The record of the plan or of its result, as in Docs/Reference.md.
    package func report(isDryRun: Bool) -> DeletionReport {
        DeletionReport(
            id: id.text, isDryRun: isDryRun, mode: mode.rawValue, batchSize: batchSize, batches: batches,
            photos: photos, files: files, bytes: bytes,
            items: items.enumerated().map { index, item in
                DeletionReport.Item(
                    path: item.path, files: item.members.map(\.path), bytes: item.bytes, batch: batch(ofItem: index),
                    status: item.status.rawValue, reason: item.reason,
                    freed: item.members.totalBytes { $0.isClone ? 0 : $0.identity.bytes })
            }, freed: freedBytes())
    }
}

extension UndoResult {
    package var report: UndoReport {
        UndoReport(
            id: id.text, action: action, isDryRun: isDryRun, photos: photos, files: files, bytes: bytes,
            items: items.map {
                UndoReport.Item(
                    path: $0.path, files: $0.files, bytes: $0.bytes, status: $0.status.rawValue, reason: $0.reason)
            })
    }
}

extension RunHistory {
    package var report: RunReport {
        let totals = totals
        let time = WallClock.utc(ns: timeNs)
        let root = start?.root ?? DeletionPlan.root(of: steps.lazy.map(\.intent.path)) ?? .root
        return RunReport(
            id: id.text, time: time, localTime: TimeZone.local.wall(of: time), action: start?.action ?? "delete",
            root: root,
            photos: totals.photos,
            files: totals.files, bytes: totals.bytes, state: state.rawValue,
            canBeUndone: canBeUndone)
    }
}
