/// The cache of what files say of themselves, by device, inode, size, mtime and ctime. It only saves time: where it
/// cannot be used, for whatever reason, it knows nothing and `problem` says why. Files that are gone are not searched for,
/// so that a disk which is not there costs nothing; their rows go when room is needed. Used by one thread.
package struct MetadataIndex: ~Copyable {
    /// Files that changed this many nanoseconds before the run began, or later, are not kept: within the granule of a
    /// filesystem's clock (2 s on FAT) they could change again and look the same.
    static let racyNs: Int128 = 2_000_000_000
    /// What the file may grow to.
    static let standardLimit: Int64 = 1 << 30
    /// Rows are written when this much has come together, and at the end.
    private static let bufferLimit = 16 << 20
    /// Inodes that lie this close are read in one go, with what lies between them.
    private static let largestGap: Int64 = 8

    /// Why the index is of no use, or what became of the last attempt to write it.
    package private(set) var problem: IndexError?
    private let folder: FilePath
    private let limit: Int64
    private let startNs: Int128
    private let seal: IndexRecord.Seal
    private var takesRows: Bool
    private var wasMadeAnew = false
    private var store: IndexStore?
    private var waiting: IndexRows
    private var texts = TextPool()
    /// True where rows that are used must say so, because the oldest may have to go soon.
    private var notesUse = false

    /// - Parameter folder: `Environment.cache`; nil is an index that stays empty.
    /// - Parameter now: when the run began; no file must have been read before.
    package init(folder: FilePath?, now: WallClock) { self.init(folder: folder, now: now, limit: Self.standardLimit) }

    init(
        folder: FilePath?, now: WallClock, limit: Int64,
        build: FileIdentity? = try? FileStatus.of(FilePath("/proc/self/exe"), followLinks: true).identity
    ) {
        self.folder = folder ?? .root
        self.limit = limit
        takesRows = folder != nil
        startNs = now.ns
        // Readers change with the program, and dates are believed up to next year: rows of another build or year are
        // read anew.
        seal = IndexRecord.Seal(build: build, year: now.date.year)
        waiting = IndexRows(seal: seal, period: now.seconds / (30 * 86400))
        store = nil
        open(creating: false)
    }

    private mutating func open(creating: Bool) {
        guard takesRows, store == nil else { return }
        do throws(IndexError) {
            store = try IndexStore(folder: folder, creating: creating)
            notesUse = try store?.usedBytes() ?? 0 > limit / 2
        } catch { fail(error, creating: creating) }
    }

    /// What is not an index is made anew, once; anything else puts an end to using it.
    private mutating func fail(_ error: IndexError, creating: Bool) {
        store = nil
        if error.isDamage, !wasMadeAnew {
            wasMadeAnew = true
            do throws(POSIXError) { try IndexStore.remove(in: folder) } catch {
                takesRows = false
                problem = .file(error)
                return
            }
            open(creating: creating)
        } else {
            takesRows = false
            problem = error
        }
    }

    // MARK: Reading

    /// What is known of each of the files, in their order; nil where it must be read.
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
            && Int64(bitPattern: right.inode) &- Int64(bitPattern: left.inode) <= largestGap
    }

    /// Reads the rows of neighbours, which come in the order of their inodes, as `run` has them.
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
            // One inode may stand there several times: hard links.
            while place < run.endIndex, Int64(bitPattern: files[run[place]].inode) == inode {
                let index = run[place]
                contents[index] = IndexRecord.content(of: files[index], in: record, seal: seal, texts: &texts)
                if used < period, contents[index] != nil { stale.append(index) }
                place += 1
            }
            return place < run.endIndex
        }
        // A damaged row can end the search early, and would do so for ever.
        if low < high, end != high {
            try store?.rows(device: files[first].device, inodes: high...high) { _, _, _ in
                end = high
                return false
            }
            if end == high { throw .disorder }
        }
        self.texts = texts
        if notesUse { for index in stale { contents[index].map { waiting.append($0, of: files[index]) } } }
    }

    // MARK: Writing

    /// Keeps what was read from a file. `file` is its identity by `fstat` before it was read.
    package mutating func keep(_ content: IndexedContent, of file: FileIdentity) {
        guard takesRows, file.changedNs < startNs - Self.racyNs, IndexRecord.canHold(file) else { return }
        waiting.append(content, of: file)
        if waiting.byteCount > Self.bufferLimit { write() }
    }

    private mutating func write() {
        guard takesRows, !waiting.isEmpty else { return }
        open(creating: true)
        waiting.sort()
        do throws(IndexError) {
            try writeRows()
        } catch  where error.isDamage {
            fail(error, creating: true)
            // Made anew, it takes what there is; with another error that is the end of it.
            do throws(IndexError) { try writeRows() } catch { stopWriting(error) }
        } catch { stopWriting(error) }
        waiting.removeAll()
    }

    private mutating func writeRows() throws(IndexError) {
        try store?.beginWriting()
        try store?.makeRoom(limit: limit, period: waiting.period)
        try store?.write(waiting)
    }

    /// What is there can still be read: a full disk, or another process that is writing, hinders only new rows.
    private mutating func stopWriting(_ error: IndexError) {
        store?.rollBack()
        takesRows = false
        problem = error
    }

    /// Writes what was kept, all or nothing, and closes the file. To be called at the end of every run, also of one that
    /// was interrupted.
    package mutating func finish() {
        write()
        do throws(IndexError) { try store?.commit() } catch { problem = error }
        store = nil
        takesRows = false
    }
}
