internal import CSQLite

/// A prepared statement. Parameters count from 1, columns from 0, as SQLite has it.
struct SQLiteStatement: ~Copyable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }
    deinit { sqlite3_finalize(handle) }

    /// Ready to run again; what was bound stays bound.
    borrowing func reset() { sqlite3_reset(handle) }

    borrowing func bind(_ parameter: Int32, _ value: Int64) { sqlite3_bind_int64(handle, parameter, value) }

    /// Binds bytes that must stay where they are until the statement has run.
    borrowing func bind(_ parameter: Int32, _ bytes: UnsafeRawBufferPointer) {
        sqlite3_bind_blob64(handle, parameter, bytes.baseAddress, UInt64(bytes.count), nil)
    }

    /// Steps to the next row; false at the end.
    borrowing func next() throws(IndexError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteConnection.error(code, sqlite3_db_handle(handle))
        }
    }

    /// Runs a statement that has no rows, and makes it ready for the next time.
    borrowing func run() throws(IndexError) {
        defer { reset() }
        _ = try next()
    }

    borrowing func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The bytes of a column, good until the next step; empty for what is no blob.
    borrowing func bytes(_ column: Int32) -> ByteView {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return .empty }
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return ByteView(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    }
}
