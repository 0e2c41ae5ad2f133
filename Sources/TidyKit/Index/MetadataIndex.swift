/// The cache of file metadata, keyed by device, inode, size, mtime and ctime. It only saves time: if it cannot be used,
/// it is empty, and `problem` says why. Rows of missing files are not searched for, so that a disconnected disk costs
/// nothing; they are removed when space is needed. Used by one thread.
package struct MetadataIndex: ~Copyable {
    /// Files that changed within this many nanoseconds before the run, or later, are not stored: within the time
    /// granularity of a filesystem (2 s on FAT), they could change again without a visible difference.
    static let racyNs: Int128 = 2_000_000_000
    /// The largest size of the file.
    static let standardLimit: Int64 = 1 << 30
    /// Rows are written when the buffer reaches this size, and at the end.
    private static let bufferLimit = 16 << 20
    /// Inodes that are no further apart are read in one query, with everything between them.
    private static let maximumGap: Int64 = 8

    /// Why the index cannot be used, or why the last attempt to write it failed.
    package private(set) var problem: IndexError?
    private let folder: FilePath
    private let limit: Int64
    private let startNs: Int128
    private let seal: IndexRecord.Seal
    /// False if nothing is stored: there is no index, or it cannot be written.
    private(set) var acceptsRows: Bool
    private var wasRebuilt = false
    private var store: IndexStore?
    private var waiting: IndexRows
    private var waitingSignatures: IndexRows
    private var waitingGrids: IndexRows
    private var texts = TextPool()
    /// True if the use of rows must be recorded, because the oldest may soon have to go.
    private var recordsUse = false
    /// False if no run of `contents(of:)` needs `ShotTraits`.
    package var readsShots = true

    /// - Parameters:
    ///   - folder: `Environment.cache`; nil makes an index that stays empty.
    ///   - now: the start of the run. No file may have been read before.
    package init(folder: FilePath?, now: WallClock) { self.init(folder: folder, now: now, limit: Self.standardLimit) }

    init(
        folder: FilePath?, now: WallClock, limit: Int64,
        build: FileIdentity? = try? FileStatus.of(FilePath("/proc/self/exe"), followLinks: true).identity
    ) {
        self.folder = folder ?? .root
        self.limit = limit
        acceptsRows = folder != nil
        startNs = now.ns
        // Readers change with the program, and dates up to next year are accepted: rows of another build or year are
        // not used.
        seal = IndexRecord.Seal(build: build, year: now.date.year)
        waiting = IndexRows(period: now.seconds / (30 * 86400))
        waitingSignatures = IndexRows(period: waiting.period)
        waitingGrids = IndexRows(period: waiting.period)
        store = nil
        open(creating: false)
    }

    private mutating func open(creating: Bool) {
        guard acceptsRows, store == nil else { return }
        do throws(IndexError) {
            store = try IndexStore(folder: folder, creating: creating)
            recordsUse = try store?.usedBytes() ?? 0 > limit / 2
        } catch { fail(error, creating: creating) }
    }

    /// Rebuilds a damaged index once; any other error ends its use.
    private mutating func fail(_ error: IndexError, creating: Bool) {
        store = nil
        if error.isDamage, !wasRebuilt {
            wasRebuilt = true
            do throws(POSIXError) { try IndexStore.remove(in: folder) } catch {
                acceptsRows = false
                problem = .file(error)
                return
            }
            open(creating: creating)
        } else {
            acceptsRows = false
            problem = error
        }
    }

    // MARK: Reading

    /// The known content of each file, in the order of `files`; nil if the file must be read.
    package mutating func contents(of files: [FileIdentity]) -> [IndexedContent?] {
        // A row whose use is recorded is written anew, so all of it is needed.
        let (seal, withShots) = (seal, readsShots || recordsUse)
        var (contents, texts) = ([IndexedContent?](repeating: nil, count: files.count), TextPool())
        swap(&texts, &self.texts)
        let stale = readRows(of: .file, files) { index, record in
            contents[index] = IndexRecord.content(
                of: files[index], in: record, seal: seal, withShots: withShots, texts: &texts)
            return contents[index] != nil
        }
        self.texts = texts
        for index in stale { contents[index].map { append($0, of: files[index]) } }
        return contents
    }

    /// What is known of the picture of each file, in the order of `files`: what `keep(_:in:version:of:)` stored.
    /// - Parameter table: signatures or grids.
    package mutating func signatures(
        of files: [FileIdentity], in table: IndexTable, version: UInt64
    ) -> [[UInt8]?] {
        var signatures = [[UInt8]?](repeating: nil, count: files.count)
        let stale = readRows(of: table, files) { index, record in
            guard SealedRecord.isSound(record, of: files[index], seed: version) else { return false }
            signatures[index] = Array(record.from(SealedRecord.headLength).buffer)
            return true
        }
        for index in stale { signatures[index].map { append($0, table, version, of: files[index]) } }
        return signatures
    }

    /// Calls `take` with the row of each file that has one; it returns false for a row that it cannot use.
    /// - Returns: the rows whose use must be recorded.
    private mutating func readRows(
        of table: IndexTable, _ files: [FileIdentity], _ take: (Int, ByteView) -> Bool
    ) -> [Int] {
        guard store != nil else { return [] }
        let order = files.indices.sorted {
            let (left, right) = (files[$0], files[$1])
            guard left.device == right.device else { return left.device < right.device }
            return Int64(bitPattern: left.inode) < Int64(bitPattern: right.inode)
        }
        var (start, stale) = (0, [Int]())
        while start < order.count, store != nil {
            var end = start + 1
            while end < order.count, Self.areClose(files[order[end - 1]], files[order[end]]) { end += 1 }
            do throws(IndexError) { try readRows(of: table, order[start..<end], in: files, &stale, take) } catch {
                fail(error, creating: false)
            }
            start = end
        }
        return recordsUse ? stale : []
    }

    private static func areClose(_ left: FileIdentity, _ right: FileIdentity) -> Bool {
        left.device == right.device
            && Int64(bitPattern: right.inode) &- Int64(bitPattern: left.inode) <= maximumGap
    }

    /// Reads the rows of neighbouring inodes; `run` is in the order of inodes.
    private mutating func readRows(
        of table: IndexTable, _ run: ArraySlice<Int>, in files: [FileIdentity], _ stale: inout [Int],
        _ take: (Int, ByteView) -> Bool
    ) throws(IndexError) {
        guard let first = run.first, let last = run.last else { return }
        let (low, high) = (Int64(bitPattern: files[first].inode), Int64(bitPattern: files[last].inode))
        var place = run.startIndex
        var end: Int64?
        let period = waiting.period
        try store?.rows(of: table, device: files[first].device, inodes: low...high) { inode, used, record in
            end = inode
            while place < run.endIndex, Int64(bitPattern: files[run[place]].inode) < inode { place += 1 }
            // Hard links: one inode may occur several times.
            while place < run.endIndex, Int64(bitPattern: files[run[place]].inode) == inode {
                if take(run[place], record), used < period { stale.append(run[place]) }
                place += 1
            }
            return place < run.endIndex
        }
        // A damaged row can end the search early, and would do so in every run.
        if low < high, end != high {
            try store?.rows(of: table, device: files[first].device, inodes: high...high) { _, _, _ in
                end = high
                return false
            }
            if end == high { throw .disorder }
        }
    }

    // MARK: Writing

    /// Stores what was read from a file.
    /// - Parameter file: its identity by `fstat` before it was read.
    package mutating func keep(_ content: IndexedContent, of file: FileIdentity) {
        guard canKeep(file) else { return }
        append(content, of: file)
        if waiting.byteCount > Self.bufferLimit { write() }
    }

    /// Stores the signatures or the grid of a picture.
    /// - Parameters:
    ///   - table: signatures or grids.
    ///   - version: identifies the method that made `signature`.
    package mutating func keep(_ signature: [UInt8], in table: IndexTable, version: UInt64, of file: FileIdentity) {
        guard canKeep(file) else { return }
        append(signature, table, version, of: file)
        if waitingSignatures.byteCount + waitingGrids.byteCount > Self.bufferLimit { write() }
    }

    private func canKeep(_ file: FileIdentity) -> Bool {
        acceptsRows && file.changedNs < startNs - Self.racyNs && IndexRecord.canHold(file)
    }

    private mutating func append(_ content: IndexedContent, of file: FileIdentity) {
        let seal = seal
        waiting.append(file) { IndexRecord.append(content, of: file, seal: seal, to: &$0) }
    }

    private mutating func append(_ signature: [UInt8], _ table: IndexTable, _ version: UInt64, of file: FileIdentity) {
        func write(_ bytes: inout [UInt8]) {
            SealedRecord.append(of: file, seed: version, to: &bytes) { $0.bytes += signature }
        }
        if table == .grid { waitingGrids.append(file, write) } else { waitingSignatures.append(file, write) }
    }

    private mutating func write() {
        guard acceptsRows, !waiting.isEmpty || !waitingSignatures.isEmpty || !waitingGrids.isEmpty else { return }
        open(creating: true)
        waiting.sort()
        waitingSignatures.sort()
        waitingGrids.sort()
        do throws(IndexError) {
            try writeRows()
        } catch  where error.isDamage {
            fail(error, creating: true)
            // A rebuilt index accepts the rows. Another error ends the attempt.
            do throws(IndexError) { try writeRows() } catch { stopWriting(error) }
        } catch { stopWriting(error) }
        waiting.removeAll()
        waitingSignatures.removeAll()
        waitingGrids.removeAll()
    }

    private mutating func writeRows() throws(IndexError) {
        try store?.beginWriting()
        try store?.makeRoom(limit: limit, period: waiting.period)
        try store?.write(waiting, to: .file)
        try store?.write(waitingSignatures, to: .signature)
        try store?.write(waitingGrids, to: .grid)
    }

    /// Writes what waits, and lets other processes see it: what took hours must not be lost in a power failure.
    package mutating func save() {
        write()
        do throws(IndexError) { try store?.commit() } catch { stopWriting(error) }
    }

    /// Existing rows can still be read: a full disk, or another process that is writing, affects only new rows.
    private mutating func stopWriting(_ error: IndexError) {
        store?.rollBack()
        acceptsRows = false
        problem = error
    }

    /// Writes all stored rows or none, and closes the file. Must be called at the end of every run, including
    /// interrupted ones.
    package mutating func finish() {
        write()
        do throws(IndexError) { try store?.commit() } catch { problem = error }
        store = nil
        acceptsRows = false
    }
}
