/// Rows that wait to be written. They are packed into one buffer, because a million rows must not be a million arrays.
struct IndexRows: ~Copyable {
    private struct Row {
        let file: FileIdentity
        let start: Int
        let end: Int
    }

    private var rows: [Row] = []
    private var bytes: [UInt8] = []
    /// When the rows were used, in periods of 30 days since 1970.
    let period: Int64

    init(period: Int64) { self.period = period }

    var isEmpty: Bool { rows.isEmpty }
    var byteCount: Int { bytes.count + rows.count * MemoryLayout<Row>.stride }

    /// - Parameter write: appends the bytes of the row.
    mutating func append(_ file: FileIdentity, _ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        rows.append(Row(file: file, start: start, end: bytes.count))
    }

    /// Sorts by the key of the table, the order in which SQLite writes fastest.
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
