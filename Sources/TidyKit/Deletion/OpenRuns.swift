/// The runs that have files which are not settled, the one that began last in front; a run at work is among them. A
/// journal is read when it may be the next, so that the last run is found without those of years.
struct OpenRuns {
    private let journal: Journal
    /// Not read yet, the one that was written last at the end.
    private var unread: [(id: RunID, writtenNs: Int128)]
    private var open: [(timeNs: Int128, id: RunID)] = []

    init(_ journal: Journal) throws(JournalError) {
        self.journal = journal
        unread = try journal.runs().reversed()
    }

    mutating func next() throws(JournalError) -> RunID? {
        // Nobody writes to a journal before its run begins: what was written earlier began earlier.
        while let run = unread.last, open.last.map({ $0.timeNs <= run.writtenNs }) ?? true {
            unread.removeLast()
            guard let history = try journal.history(run.id) else { continue }
            if history.isRunning || !history.isWhole || history.steps.contains(where: \.isOpen) {
                open.append((history.start.map { Int128($0.timeNs) } ?? run.writtenNs, run.id))
                open.sort { ($0.timeNs, $0.id.text) < ($1.timeNs, $1.id.text) }
            }
        }
        return open.popLast()?.id
    }
}
