/// The runs that have files which are not settled, the one that began last in front; a run at work is among them. A
/// journal is read when it may be the next, so that the last run is found without those of years.
struct OpenRuns {
    private let journal: Journal
    /// Not read yet, the one that began last at the end.
    private var unread: [Journal.Entry]
    /// Read, of before the order of runs was kept: when they began, the last one at the end.
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
                history.isRunning || !history.isWhole || history.steps.contains(where: \.isOpen)
            else { continue }
            if run.place != nil { return history }
            // Nobody writes to a journal before its run begins: what was written earlier began earlier.
            open.append((history.start.map { Int128($0.timeNs) } ?? run.writtenNs, history))
            open.sort { ($0.timeNs, $0.history.id.text) < ($1.timeNs, $1.history.id.text) }
        }
        return open.popLast()?.history
    }
}
