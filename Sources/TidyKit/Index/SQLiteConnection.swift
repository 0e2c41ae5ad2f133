internal import CSQLite

/// A database that this process has open. Not for use by two threads at once.
struct SQLiteConnection: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file that exists (`sqlite3_open_v2`).
    /// - Parameter patience: milliseconds to wait for another process.
    init(_ path: FilePath, patience: Int32) throws(IndexError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = path.withCString { sqlite3_open_v2($0, &handle, flags, nil) }
        guard let handle, code == SQLITE_OK else {
            // SQLite returns a handle that must be closed even if opening failed.
            defer { sqlite3_close_v2(handle) }
            throw Self.error(code, handle)
        }
        sqlite3_busy_timeout(handle, patience)
        self.handle = handle
    }

    // _v2 waits until the statements are finalized, in whatever order their owners are destroyed.
    deinit { sqlite3_close_v2(handle) }

    /// Runs statements and ignores their rows.
    borrowing func execute(_ sql: String) throws(IndexError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw Self.error(code, handle) }
    }

    borrowing func prepare(_ sql: String) throws(IndexError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw Self.error(code, handle) }
        return SQLiteStatement(statement)
    }

    /// The first column of the first row; 0 if there are no rows.
    borrowing func integer(_ sql: String) throws(IndexError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.next() ? statement.integer(0) : 0
    }

    static func error(_ code: Int32, _ handle: OpaquePointer?) -> IndexError {
        let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        return .database(code: code, message: text.map { String(cString: $0) } ?? "error \(code)")
    }
}

/// A prepared statement. As in SQLite, parameters count from 1 and columns from 0.
struct SQLiteStatement: ~Copyable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }
    deinit { sqlite3_finalize(handle) }

    /// Makes the statement ready to run again; its bindings are kept.
    borrowing func reset() { sqlite3_reset(handle) }

    borrowing func bind(_ parameter: Int32, _ value: Int64) { sqlite3_bind_int64(handle, parameter, value) }

    /// Binds bytes that must stay in place until the statement has run.
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

    /// Runs a statement that has no rows, and resets it.
    borrowing func run() throws(IndexError) {
        defer { reset() }
        _ = try next()
    }

    borrowing func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The bytes of a column, valid until the next step; empty if the column is not a blob.
    borrowing func bytes(_ column: Int32) -> ByteView {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return .empty }
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return ByteView(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    }
}
