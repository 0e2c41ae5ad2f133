extension DeletionPlan {
    /// The plan, or what became of it, as SPEC.md has it.
    public func report(isDryRun: Bool) -> DeletionReport {
        DeletionReport(
            id: id.text, isDryRun: isDryRun, mode: mode.rawValue, batchSize: batchSize, batches: batches,
            photos: photos, files: files, bytes: bytes,
            items: items.enumerated().map { index, item in
                DeletionReport.Item(
                    path: item.path, files: item.members.map(\.path), bytes: item.bytes, batch: batch(ofItem: index),
                    status: item.status.rawValue, reason: item.reason)
            })
    }
}

extension UndoResult {
    public var report: UndoReport {
        UndoReport(
            id: id.text, action: action, isDryRun: isDryRun, photos: photos, files: files, bytes: bytes,
            items: items.map {
                UndoReport.Item(
                    path: $0.path, files: $0.files, bytes: $0.bytes, status: $0.status.rawValue, reason: $0.reason)
            })
    }
}

extension RunHistory {
    public var report: RunReport {
        let totals = totals
        let time = WallClock.utc(ns: timeNs)
        let local = WallClock(seconds: time.seconds + Int64(SystemClock.localOffset(ns: timeNs)))
        let root = start?.root ?? DeletionPlan.root(of: steps.lazy.map(\.intent.path)) ?? .root
        return RunReport(
            id: id.text, time: time, localTime: local, action: start?.action ?? "delete", root: root,
            photos: totals.photos,
            files: totals.files, bytes: totals.bytes, state: state.rawValue,
            canBeUndone: canBeUndone)
    }
}
