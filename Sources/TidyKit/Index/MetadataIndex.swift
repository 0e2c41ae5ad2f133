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
    private var acceptsRows: Bool
    private var wasRebuilt = false
    private var store: IndexStore?
    private var waiting: IndexRows
    private var texts = TextPool()
    /// True if the use of rows must be recorded, because the oldest may soon have to go.
    private var recordsUse = false

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
        waiting = IndexRows(seal: seal, period: now.seconds / (30 * 86400))
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
        var contents = [IndexedContent?](repeating: nil, count: files.count)
        guard store != nil else { return contents }
        let order = files.indices.sorted {
            let (left, right) = (files[$0], files[$1])
            guard left.device == right.device else { return left.device < right.device }
            return Int64(bitPattern: left.inode) < Int64(bitPattern: right.inode)
        }
        var start = 0
        while start < order.count, store != nil {
            var end = start + 1
            while end < order.count, Self.areClose(files[order[end - 1]], files[order[end]]) { end += 1 }
            do throws(IndexError) { try readRows(of: order[start..<end], in: files, &contents) } catch {
                fail(error, creating: false)
            }
            start = end
        }
        return contents
    }

    private static func areClose(_ left: FileIdentity, _ right: FileIdentity) -> Bool {
        left.device == right.device
            && Int64(bitPattern: right.inode) &- Int64(bitPattern: left.inode) <= maximumGap
    }

    /// Reads the rows of neighbouring inodes; `run` is in the order of inodes.
    private mutating func readRows(
        of run: ArraySlice<Int>, in files: [FileIdentity], _ contents: inout [IndexedContent?]
    ) throws(IndexError) {
        guard let first = run.first, let last = run.last else { return }
        let (low, high) = (Int64(bitPattern: files[first].inode), Int64(bitPattern: files[last].inode))
        var place = run.startIndex
        var end: Int64?
        let (seal, period) = (seal, waiting.period)
        var (texts, stale) = (texts, [Int]())
        self.texts = TextPool()
        try store?.rows(device: files[first].device, inodes: low...high) { inode, used, record in
            end = inode
            while place < run.endIndex, Int64(bitPattern: files[run[place]].inode) < inode { place += 1 }
            // Hard links: one inode may occur several times.
            while place < run.endIndex, Int64(bitPattern: files[run[place]].inode) == inode {
                let index = run[place]
                contents[index] = IndexRecord.content(of: files[index], in: record, seal: seal, texts: &texts)
                if used < period, contents[index] != nil { stale.append(index) }
                place += 1
            }
            return place < run.endIndex
        }
        // A damaged row can end the search early, and would do so in every run.
        if low < high, end != high {
            try store?.rows(device: files[first].device, inodes: high...high) { _, _, _ in
                end = high
                return false
            }
            if end == high { throw .disorder }
        }
        self.texts = texts
        if recordsUse { for index in stale { contents[index].map { waiting.append($0, of: files[index]) } } }
    }

    // MARK: Writing

    /// Stores what was read from a file.
    /// - Parameter file: its identity by `fstat` before it was read.
    package mutating func keep(_ content: IndexedContent, of file: FileIdentity) {
        guard acceptsRows, file.changedNs < startNs - Self.racyNs, IndexRecord.canHold(file) else { return }
        waiting.append(content, of: file)
        if waiting.byteCount > Self.bufferLimit { write() }
    }

    private mutating func write() {
        guard acceptsRows, !waiting.isEmpty else { return }
        open(creating: true)
        waiting.sort()
        do throws(IndexError) {
            try writeRows()
        } catch  where error.isDamage {
            fail(error, creating: true)
            // A rebuilt index accepts the rows. Another error ends the attempt.
            do throws(IndexError) { try writeRows() } catch { stopWriting(error) }
        } catch { stopWriting(error) }
        waiting.removeAll()
    }

    private mutating func writeRows() throws(IndexError) {
        try store?.beginWriting()
        try store?.makeRoom(limit: limit, period: waiting.period)
        try store?.write(waiting)
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
