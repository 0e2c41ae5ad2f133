internal import Glibc

/// The tables of the index; all have the same columns.
package enum IndexTable: String, CaseIterable, Sendable {
    /// What Metadata has read.
    case file
    /// What pictures look like: in a table of its own, so that a list reads no longer rows, and under the version of
    /// the method, so that another build of the program keeps them.
    case signature
    /// Small pictures that confirm what signatures find: wanted for few files, and much longer.
    case grid
}

/// The SQLite file of the index, opened by this process: `index.sqlite`, and its write-ahead log while it is open.
struct IndexStore: ~Copyable {
    /// The version of the tables below. In an index of another version, the table of files is made anew; signatures
    /// stay.
    static let schemaVersion: Int64 = 2
    static let fileName = "index.sqlite"
    /// The longest wait for other processes in milliseconds. Reading the files would hardly take longer.
    private static let patience: Int32 = 200

    private let connection: SQLiteConnection
    private let select: SQLiteStatement
    private let selectSignatures: SQLiteStatement
    private let selectGrids: SQLiteStatement
    private var state = State.idle

    private enum State { case idle, reading, writing }

    /// Nil if there is no index and `creating` is false.
    init?(folder: FilePath, creating: Bool) throws(IndexError) {
        let path = folder.appending(Self.fileName)
        guard try Self.prepareFile(path, creating: creating) else { return nil }
        let connection = try SQLiteConnection(path, patience: Self.patience)
        // A system crash may damage the file, but nothing is lost: a damaged index is rebuilt, and every row has a
        // checksum. In return, no run waits for the disk.
        try connection.execute(
            """
            PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON; PRAGMA cache_size = -4000;
            """)
        if try connection.integer("PRAGMA user_version") != Self.schemaVersion {
            try Self.makeTables(connection)
        }
        let select = try Self.selection(.file, connection)
        let selectSignatures = try Self.selection(.signature, connection)
        let selectGrids = try Self.selection(.grid, connection)
        self.select = select
        self.selectGrids = selectGrids
        self.selectSignatures = selectSignatures
        self.connection = connection
    }

    private static func selection(
        _ table: IndexTable, _ connection: borrowing SQLiteConnection
    ) throws(IndexError) -> SQLiteStatement {
        try connection.prepare(
            """
            SELECT inode, period, record FROM \(table.rawValue)
            WHERE device = ?1 AND inode BETWEEN ?2 AND ?3 ORDER BY inode
            """)
    }

    /// Makes sure that only the owner can read the file; false if it does not exist and `creating` is false.
    private static func prepareFile(_ path: FilePath, creating: Bool) throws(IndexError) -> Bool {
        do throws(POSIXError) {
            if creating { try FileSystem.createFolders(path.directory, permissions: 0o700) }
            // SQLite would wait for a pipe of that name.
            let file = try FileDescriptor.open(
                path, creating ? [.readWrite, .create, .nonBlocking] : [.readWrite, .nonBlocking], permissions: 0o600)
            guard try file.status().kind == .regular else { throw POSIXError(code: EISDIR, operation: "open") }
            return true
        } catch {
            if error.isMissing, !creating { return false }
            if error.code == EISDIR || error.code == ENXIO { throw .noFile(path) }
            throw .file(error)
        }
    }

    private static func makeTables(_ connection: borrowing SQLiteConnection) throws(IndexError) {
        // The setting is stored in the file. If the filesystem does not support it, SQLite keeps its rollback journal.
        _ = try connection.integer("PRAGMA journal_mode = WAL")
        try connection.execute("BEGIN IMMEDIATE")
        // Another process may have created the tables in the meantime.
        if try connection.integer("PRAGMA user_version") != schemaVersion {
            try connection.execute(
                """
                DROP TABLE IF EXISTS file;
                CREATE TABLE file \(columns);
                CREATE TABLE IF NOT EXISTS signature \(columns);
                CREATE TABLE IF NOT EXISTS grid \(columns);
                PRAGMA user_version = \(schemaVersion);
                """)
        }
        try connection.execute("COMMIT")
    }

    private static let columns = """
        (device INTEGER NOT NULL, inode INTEGER NOT NULL, period INTEGER NOT NULL, record BLOB NOT NULL,
        PRIMARY KEY (device, inode)) WITHOUT ROWID
        """

    // MARK: Reading

    /// Calls `body` with the rows of a device in a range of inodes, in ascending order, until it returns false.
    mutating func rows(
        of table: IndexTable = .file, device: UInt64, inodes: ClosedRange<Int64>,
        _ body: (_ inode: Int64, _ period: Int64, _ record: ByteView) -> Bool
    ) throws(IndexError) {
        if state == .idle {
            // One read transaction for all rows; otherwise every statement takes and releases its locks.
            try connection.execute("BEGIN")
            state = .reading
        }
        switch table {
        case .file: try Self.each(select, device, inodes, body)
        case .signature: try Self.each(selectSignatures, device, inodes, body)
        case .grid: try Self.each(selectGrids, device, inodes, body)
        }
    }

    private static func each(
        _ select: borrowing SQLiteStatement, _ device: UInt64, _ inodes: ClosedRange<Int64>,
        _ body: (_ inode: Int64, _ period: Int64, _ record: ByteView) -> Bool
    ) throws(IndexError) {
        select.bind(1, Int64(bitPattern: device))
        select.bind(2, inodes.lowerBound)
        select.bind(3, inodes.upperBound)
        defer { select.reset() }
        var last: Int64?
        while try select.next() {
            let inode = select.integer(0)
            // Pages that have changed places are damage that SQLite does not detect.
            guard inodes.contains(inode), last.map({ $0 < inode }) ?? true else { throw .disorder }
            last = inode
            guard body(inode, select.integer(1), select.bytes(2)) else { return }
        }
    }

    // MARK: Writing

    /// Begins the only write transaction of the run.
    mutating func beginWriting() throws(IndexError) {
        guard state != .writing else { return }
        if state == .reading { try connection.execute("COMMIT") }
        state = .idle
        try connection.execute("BEGIN IMMEDIATE")
        state = .writing
        guard try connection.integer("PRAGMA user_version") == Self.schemaVersion else { throw .otherVersion }
    }

    /// Requires `beginWriting`.
    borrowing func write(_ rows: borrowing IndexRows, to table: IndexTable) throws(IndexError) {
        let insert = try connection.prepare(
            "REPLACE INTO \(table.rawValue) (device, inode, period, record) VALUES (?1, ?2, ?3, ?4)")
        try rows.eachRow { (file, period, record) throws(IndexError) in
            insert.bind(1, Int64(bitPattern: file.device))
            insert.bind(2, Int64(bitPattern: file.inode))
            insert.bind(3, period)
            insert.bind(4, record)
            try insert.run()
        }
    }

    /// Commits what was written since `beginWriting`.
    mutating func commit() throws(IndexError) {
        guard state == .writing else { return }
        try connection.execute("COMMIT")
        state = .idle
    }

    /// Discards what was written since `beginWriting`.
    mutating func rollBack() {
        // Some errors have already rolled back, so that this one fails.
        if state == .writing { try? connection.execute("ROLLBACK") }
        state = .idle
    }

    /// Removes the least recently used rows until less than `limit` bytes are in use. Requires `beginWriting`.
    borrowing func makeRoom(limit: Int64, period: Int64) throws(IndexError) {
        while try usedBytes() > limit {
            var oldest = period
            for table in IndexTable.allCases {
                let first = try connection.integer("SELECT ifnull(min(period), \(period)) FROM \(table.rawValue)")
                oldest = min(oldest, first)
            }
            guard oldest < period else { throw .full }
            for table in IndexTable.allCases {
                try connection.execute("DELETE FROM \(table.rawValue) WHERE period <= \(oldest)")
            }
        }
    }

    /// Excludes free pages.
    borrowing func usedBytes() throws(IndexError) -> Int64 {
        let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
        return try pages * connection.integer("PRAGMA page_size")
    }

    /// 0 if there is no index. Changes nothing.
    static func rowCount(of table: IndexTable, in folder: FilePath) throws(IndexError) -> Int64 {
        let path = folder.appending(fileName)
        guard try prepareFile(path, creating: false) else { return 0 }
        let connection = try SQLiteConnection(path, patience: patience)
        guard try connection.integer("PRAGMA user_version") == schemaVersion else { throw .otherVersion }
        return try connection.integer("SELECT count(*) FROM \(table.rawValue)")
    }

    /// The suffixes of the index file and of the files that SQLite keeps beside it.
    static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Removes the index. Processes that have it open continue to use their deleted file.
    /// - Returns: the number of bytes removed.
    @discardableResult
    static func remove(in folder: FilePath) throws(POSIXError) -> Int64 {
        var bytes: Int64 = 0
        for suffix in suffixes {
            let path = folder.appending(fileName + suffix)
            do throws(POSIXError) {
                bytes = bytes.addingClamped(try FileStatus.of(path).identity.bytes)
                try FileSystem.remove(path)
            } catch { if !error.isMissing { throw error } }
        }
        return bytes
    }
}

/// The values that `index --info` shows.
package struct IndexInfo: Sendable, Equatable {
    package let path: FilePath
    /// The size of the file and its log; 0 if there is no index yet.
    package let bytes: Int64
    /// The number of files with known content; nil if the index cannot be read.
    package let files: Int64?
    /// The number of files with known signatures; nil if the index cannot be read.
    package let signatures: Int64?
    /// Why the index cannot be read.
    package let problem: IndexError?

    /// Neither creates nor changes the index.
    /// - Parameter folder: `Environment.cache`.
    package static func read(in folder: FilePath) -> IndexInfo {
        let path = folder.appending(IndexStore.fileName)
        let bytes = IndexStore.suffixes.totalBytes { suffix in
            (try? FileStatus.of(folder.appending(IndexStore.fileName + suffix)))?.identity.bytes ?? 0
        }
        do throws(IndexError) {
            return IndexInfo(
                path: path, bytes: bytes, files: try IndexStore.rowCount(of: .file, in: folder),
                signatures: try IndexStore.rowCount(of: .signature, in: folder), problem: nil)
        } catch {
            return IndexInfo(path: path, bytes: bytes, files: nil, signatures: nil, problem: error)
        }
    }

    /// Removes the index. Processes that have it open continue to use their deleted file.
    /// - Returns: the number of bytes removed; 0 if there was no index.
    package static func clear(in folder: FilePath) throws(POSIXError) -> Int64 { try IndexStore.remove(in: folder) }
}
