/// Rows that wait to be written, packed: a million of them must not be a million arrays.
struct IndexRows: ~Copyable {
    private struct Row {
        let file: FileIdentity
        let start: Int
        let end: Int
    }

    private var rows: [Row] = []
    private var bytes: [UInt8] = []
    private let seal: IndexRecord.Seal
    /// Counts 30 days each since 1970: when the rows were used.
    let period: Int64

    init(seal: IndexRecord.Seal, period: Int64) {
        self.seal = seal
        self.period = period
    }

    var isEmpty: Bool { rows.isEmpty }
    var byteCount: Int { bytes.count + rows.count * MemoryLayout<Row>.stride }

    mutating func append(_ content: IndexedContent, of file: FileIdentity) {
        let start = bytes.count
        IndexRecord.append(content, of: file, seal: seal, to: &bytes)
        rows.append(Row(file: file, start: start, end: bytes.count))
    }

    /// Into the order of the table, in which writing is fastest.
    mutating func sort() {
        rows.sort {
            let (left, right) = ($0.file, $1.file)
            guard left.device == right.device else {
                return Int64(bitPattern: left.device) < Int64(bitPattern: right.device)
            }
            return Int64(bitPattern: left.inode) < Int64(bitPattern: right.inode)
        }
    }

    borrowing func eachRow(
        _ body: (FileIdentity, _ period: Int64, _ record: UnsafeRawBufferPointer) throws(IndexError) -> Void
    ) throws(IndexError) {
        try bytes.span.withUnsafeBytes { (all) throws(IndexError) in
            for row in rows {
                try body(row.file, period, UnsafeRawBufferPointer(rebasing: all[row.start..<row.end]))
            }
        }
    }

    mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }
}
