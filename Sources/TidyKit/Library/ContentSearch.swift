/// Finds the files that hold the same bytes, in time that grows with the files and not with their pairs: by size, then
/// by both ends, then, where many are still alike, by a hash. What a hash calls alike is compared byte by byte, so that
/// a collision costs one comparison and nothing else. The hash is keyed, so nobody can produce many collisions. A file
/// that differs from all others is not read to its end.
struct ContentSearch {
    private(set) var warnings: [LibraryWarning] = []
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0
    /// Files that are in no class because they changed while they were read.
    private(set) var changed: Set<FilePath> = []
    private var unreadable: Set<FilePath> = []
    private let threads: Int
    private let progress: Progress

    /// Files that are handed out at once; progress is reported in between.
    private static let batch = 8192

    init(threads: Int, progress: Progress = .none) {
        self.threads = threads
        self.progress = progress
    }

    /// The files that hold the same as another one, each class as indices of `files`. Of the names of one inode, the
    /// first counts alone: a second name holds no second copy.
    mutating func classes(of files: [ComparedFile]) -> [[Int]] {
        var groups = parts(files, of: Self.oneOfEachInode(files).filter { files[$0].identity.bytes > 0 }) { index, _ in
            files[index].identity.bytes
        }
        groups = parts(files, of: groups.flatMap(\.self)) { index, reader throws(POSIXError) in
            Ends(
                bytes: files[index].identity.bytes,
                hash: try reader.endsHash(of: files[index]))
        }
        return same(files, groups)
    }

    private struct Ends: Hashable {
        let bytes: Int64
        let hash: UInt64
    }

    /// The first path of each inode, in the order of inodes, in which a disk is read fastest.
    private static func oneOfEachInode(_ files: [ComparedFile]) -> [Int] {
        let sorted = files.indices.sorted { left, right in
            let (first, second) = (files[left].identity, files[right].identity)
            if first.device != second.device { return first.device < second.device }
            return first.inode == second.inode ? files[left].path < files[right].path : first.inode < second.inode
        }
        var last: FileID?
        return sorted.filter { index in
            defer { last = files[index].identity.id }
            return files[index].identity.id != last
        }
    }

    // MARK: Hashes

    /// Groups of two files or more with the same key, in the order of their first files.
    private mutating func parts<Key: Hashable & Sendable>(
        _ files: [ComparedFile], of indices: [Int],
        by key: @Sendable (Int, inout FileComparison) throws(POSIXError) -> Key
    ) -> [[Int]] {
        var places: [Key: Int] = [:]
        var groups: [[Int]] = []
        for start in stride(from: 0, to: indices.count, by: Self.batch) {
            let batch = Array(indices[start..<min(start + Self.batch, indices.count)])
            let results = Workers.map(
                batch, threads: threads, worker: { FileComparison() },
                { reader, index in
                    Reading(&reader) { reader in Result { () throws(POSIXError) in try key(index, &reader) } }
                })
            for (index, result) in zip(batch, results) {
                note(result)
                switch result.value {
                case .success(let key):
                    let place = places[key] ?? groups.count
                    if place == groups.count {
                        places[key] = place
                        groups.append([])
                    }
                    groups[place].append(index)
                case .failure(let error): note(files[index].path, error)
                }
            }
            progress.report(.init(activity: "comparing", done: start + batch.count, total: indices.count))
            if Interrupt.isRequested { return [] }
        }
        return groups.filter { $0.count > 1 }
    }

    // MARK: Bytes

    /// Files that are compared side by side: a whole group, or some of a large one with its first file.
    private struct Job: Sendable {
        let group: Int
        let members: [Int]
    }

    /// The classes of the same bytes within groups of files that may be alike.
    private mutating func same(_ files: [ComparedFile], _ groups: [[Int]]) -> [[Int]] {
        let small = groups.filter { $0.count <= FileComparison.maximumFiles }
        var large: [[Int]] = []
        for group in groups where group.count > FileComparison.maximumFiles {
            large += parts(files, of: group) { index, reader throws(POSIXError) in
                try reader.hash(of: files[index])
            }
        }
        var classes: [[Int]] = []
        var waiting = small + large
        while !waiting.isEmpty, !Interrupt.isRequested {
            var jobs: [Job] = []
            for (number, group) in waiting.enumerated() {
                for start in stride(from: 1, to: group.count, by: FileComparison.maximumFiles - 1) {
                    let end = min(start + FileComparison.maximumFiles - 1, group.count)
                    jobs.append(Job(group: number, members: [group[0]] + group[start..<end]))
                }
            }
            var found = waiting.map { [$0[0]] }
            var others: [[Int]] = waiting.map { _ in [] }
            for (job, parts) in zip(jobs, compare(jobs, files)) {
                for part in parts {
                    if part.contains(job.members[0]) {
                        found[job.group] += part.filter { $0 != job.members[0] }
                    } else if waiting[job.group].count <= FileComparison.maximumFiles {
                        // Compared with each other already.
                        if part.count > 1 { classes.append(part) }
                    } else {
                        others[job.group] += part
                    }
                }
            }
            classes += found.filter { $0.count > 1 }
            waiting = others.filter { $0.count > 1 }
        }
        return classes
    }

    /// The classes of each job, in the order of the jobs.
    private mutating func compare(_ jobs: [Job], _ files: [ComparedFile]) -> [[[Int]]] {
        var found: [[[Int]]] = []
        for start in stride(from: 0, to: jobs.count, by: Self.batch) {
            let batch = Array(jobs[start..<min(start + Self.batch, jobs.count)])
            let results = Workers.map(
                batch, threads: threads, chunk: 4, worker: { FileComparison() },
                { reader, job in
                    Reading(&reader) { reader in reader.classes(of: job.members.map { files[$0] }) }
                })
            for (job, result) in zip(batch, results) {
                note(result)
                found.append(result.value.classes.map { $0.map { job.members[$0] } })
                for (index, error) in result.value.failures { note(files[job.members[index]].path, error) }
            }
            progress.report(.init(activity: "comparing", done: start + batch.count, total: jobs.count))
        }
        return found
    }

    // MARK: Cost

    /// What was read of a file, and what that cost.
    private struct Reading<Value: Sendable>: Sendable {
        let value: Value
        let filesOpened: Int
        let bytesRead: Int64

        init(_ reader: inout FileComparison, _ body: (inout FileComparison) -> Value) {
            let (opened, bytes) = (reader.filesOpened, reader.bytesRead)
            value = body(&reader)
            filesOpened = reader.filesOpened - opened
            bytesRead = reader.bytesRead - bytes
        }
    }

    private mutating func note(_ reading: Reading<some Sendable>) {
        filesOpened += reading.filesOpened
        bytesRead = bytesRead.addingClamped(reading.bytesRead)
    }

    private mutating func note(_ path: FilePath, _ error: POSIXError) {
        if error.isStale {
            changed.insert(path)
            return
        }
        guard !error.isMissing, !Interrupt.isRequested, unreadable.insert(path).inserted else { return }
        warnings.append(LibraryWarning(path: path, reason: error.reason))
    }
}
