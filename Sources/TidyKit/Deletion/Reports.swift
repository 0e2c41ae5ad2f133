extension DeletionPlan {
    /// The plan, or what became of it, as SPEC.md has it.
    public func report(isDryRun: Bool) -> DeletionReport {
        DeletionReport(
            id: id.text, isDryRun: isDryRun, mode: mode.rawValue, batchSize: batchSize, batches: batches,
            photos: photos, files: files, bytes: mode == .erase ? freedBytes(countsEarlier: true) : bytes,
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

extension RunHistory {
    /// When the run began; from its ID where the journal does not tell, 0 where that is no time either.
    public var timeNs: Int64 {
        if let start { return start.timeNs }
        let digits = id.text.utf8.filter { $0 != UInt8(ascii: "-") }.prefix(17)
        guard digits.count == 17, let number = Int(String(decoding: digits, as: UTF8.self)),
            let clock = WallClock(
                year: number / 10_000_000_000_000, month: number / 100_000_000_000 % 100,
                day: number / 1_000_000_000 % 100, hour: number / 10_000_000 % 100, minute: number / 100_000 % 100,
                second: number / 1000 % 100)
        else { return 0 }
        return Int64(clamping: (Int128(clock.seconds) * 1000 + Int128(number % 1000)) * 1_000_000)
    }
}
