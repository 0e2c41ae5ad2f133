/// The runs with unsettled files, the last to begin first, including a run that is at work. Journals are read one by
/// one, so that finding the last run need not read all of them.
struct OpenRuns {
    private let journal: Journal
    /// Not read yet; the last to begin is at the end.
    private var unread: [Journal.Entry]
    /// Read, for runs older than the order file, with their start in nanoseconds since 1970; the last to begin is at
    /// the end.
    private var open: [(timeNs: Int128, history: RunHistory)] = []

    init(_ journal: Journal) throws(JournalError) {
        self.journal = journal
        unread = try journal.entries().reversed()
    }

    mutating func next() throws(JournalError) -> RunHistory? {
        while let run = unread.last {
            if run.place == nil, let first = open.last, first.timeNs > run.writtenNs { break }
            unread.removeLast()
            guard let history = try journal.history(run.id),
                history.isRunning || !history.isWhole || history.steps.contains(where: \.needsUndo)
            else { continue }
            if run.place != nil { return history }
            // A journal is written only after its run begins, so a run with an earlier last write began earlier.
            open.append((history.start.map { Int128($0.timeNs) } ?? run.writtenNs, history))
            open.sort { ($0.timeNs, $0.history.id.text) < ($1.timeNs, $1.history.id.text) }
        }
        return open.popLast()?.history
    }
}
