/// Runs a query: walks the folders, reads files in parallel, and returns the photos in scan order.
struct LibrarySearch {
    let query: LibraryQuery
    let reader: GroupReader
    private let progress: Progress
    let threads: Int
    let roots: LibraryRoots
    var statistics = LibraryStatistics()
    var warnings: [LibraryWarning] = []
    private(set) var keptCopies: [FilePath: KeptCopy] = [:]
    private(set) var memberships: [FilePath: GroupMembership] = [:]
    private(set) var preferences: PreferenceMatches
    private(set) var keptApart: [FilePath: [FilePath]] = [:]

    /// The number of groups that are read at once: enough to keep all cores busy, few enough to need little memory.
    private static let batch = 2048

    init(_ query: LibraryQuery, progress: Progress, threads: Int) {
        self.query = query
        roots = query.roots ?? LibraryRoots()
        self.progress = progress
        self.threads = threads
        reader = GroupReader(query)
        preferences = PreferenceMatches(query.grouping)
    }

    var comparesPhotos: Bool { reader.comparesPhotos }

    /// Calls `body` with what was found, batch by batch, until it returns false.
    mutating func run(
        _ index: inout MetadataIndex, _ body: ([GroupOutcome]) -> Bool
    ) throws(LibraryError) {
        var scanner = try scanner()
        var waiting: [GroupTask] = []
        var goesOn = true
        while goesOn, let folder = scanner.next() {
            for task in tasks(of: folder, &index) {
                waiting.append(task)
                if waiting.count == Self.batch {
                    goesOn = try process(&waiting, &index, body)
                    if !goesOn { break }
                }
            }
            statistics.filesSeen = scanner.filesSeen
            if Interrupt.isRequested { throw .interrupted }
        }
        if goesOn { _ = try process(&waiting, &index, body) }
        note(scanner)
    }

    /// The matches of a query that compares photos with each other, which needs the whole library first.
    mutating func compared(_ index: inout MetadataIndex) throws(LibraryError) -> [GroupOutcome.Row] {
        var scanner = try scanner()
        var tasks: [GroupTask] = []
        while let folder = scanner.next() {
            let found = self.tasks(of: folder, &index)
            for task in found { preferences.note(task) }
            tasks += found
            if Interrupt.isRequested { throw .interrupted }
        }
        note(scanner)
        let contents = reader.comparesContents ? try contents(&tasks) : [:]
        var rows: [GroupOutcome.Row] = []
        var orphans = OrphanSearch()
        for start in stride(from: 0, to: tasks.count, by: Self.batch) {
            var waiting = Array(tasks[start..<min(start + Self.batch, tasks.count)])
            _ = try process(&waiting, &index) { outcomes in
                for outcome in outcomes {
                    rows += outcome.rows
                    orphans.note(outcome)
                }
                return true
            }
        }
        if reader.findsOrphans { orphans.mark(&rows) }
        // One for both, so that a picture that cannot be compared counts once.
        var signatures = SignatureSearch(now: query.now, roots: roots, threads: threads, progress: progress)
        if reader.needsSharpness { try measureSharpness(&rows, &signatures, &index) }
        if let kind = reader.grouping {
            var groups = GroupSearch(query, kind: kind, contents: contents, threads: threads, signatures: signatures)
            groups.mark(&rows, &index)
            if Interrupt.isRequested { throw .interrupted }
            note(groups)
            for row in rows { if let group = row.subject.photo.group { memberships[row.subject.photo.path] = group } }
            if query.grouping.showsGroups { return groups.whole(rows) { reader.matchesComparison($0) } }
        } else {
            note(signatures)
        }
        return rows.filter { $0.isMatch && reader.matchesComparison($0.subject) }
    }

    /// A blurred picture matches; with groups, copies may go where they are blurred.
    private mutating func measureSharpness(
        _ rows: inout [GroupOutcome.Row], _ signatures: inout SignatureSearch, _ index: inout MetadataIndex
    ) throws(LibraryError) {
        let wanted = rows.indices.filter { rows[$0].isMatch }
        let found = signatures.sharpness(of: wanted.map { rows[$0].subject.photo }, &index)
        if Interrupt.isRequested { throw .interrupted }
        for (row, sharpness) in zip(wanted, found) {
            rows[row].subject.sharpness = sharpness
            rows[row].isMatch = reader.matchesSharpness(rows[row].subject)
        }
    }

    /// Which files hold the same bytes, by number of the class. Tasks without such a file are left out where they
    /// cannot match, before anything else of them is read.
    private mutating func contents(_ tasks: inout [GroupTask]) throws(LibraryError) -> [FileID: Int] {
        var files: [ComparedFile] = []
        for index in tasks.indices {
            tasks[index].identifyFiles()
            for file in tasks[index].files where !file.isOffline {
                guard let identity = file.identity else { continue }
                files.append(ComparedFile(path: tasks[index].path(file.name), identity: identity))
            }
        }
        var search = ContentSearch(threads: threads, progress: progress)
        let classes = search.classes(of: files)
        if Interrupt.isRequested { throw .interrupted }
        warnings += search.warnings
        statistics.filesOpened += search.filesOpened
        statistics.bytesRead = statistics.bytesRead.addingClamped(search.bytesRead)
        noteChanged(search.changed.count)
        var contents: [FileID: Int] = [:]
        for (number, members) in classes.enumerated() {
            for member in members { contents[files[member].identity.id] = number }
        }
        if reader.wantsOnlyCopies {
            tasks.removeAll { task in
                task.files.allSatisfy { file in file.identity.map { contents[$0.id] == nil } ?? false }
            }
        }
        return contents
    }

    private func scanner() throws(LibraryError) -> LibraryScanner {
        do throws(ScanError) {
            return try LibraryScanner(
                operands: query.operands + query.grouping.against,
                options: ScanOptions(includeHidden: query.includeHidden, excludedFolders: query.excludedFolders),
                roots: roots)
        } catch {
            switch error {
            case .missing(let path): throw .missing(path)
            }
        }
    }

    private mutating func note(_ groups: GroupSearch) {
        warnings += groups.duplicates.warnings
        keptCopies = groups.kept
        keptApart = groups.keptApart
        statistics.filesOpened += groups.duplicates.filesOpened
        statistics.bytesRead = statistics.bytesRead.addingClamped(groups.duplicates.bytesRead)
        noteChanged(groups.duplicates.changed)
        note(groups.signatures)
    }

    private mutating func noteChanged(_ count: Int) {
        if count > 0 { statistics.notCompared["changed while it was read", default: 0] += count }
    }

    private mutating func note(_ signatures: SignatureSearch) {
        statistics.filesOpened += signatures.filesOpened
        statistics.bytesRead = statistics.bytesRead.addingClamped(signatures.bytesRead)
        statistics.notCompared.merge(signatures.notCompared, uniquingKeysWith: +)
    }

    private mutating func note(_ scanner: LibraryScanner) {
        statistics.filesSeen = scanner.filesSeen
        statistics.skipped.merge(scanner.skipped, uniquingKeysWith: +)
        warnings += scanner.failures.map { LibraryWarning(path: $0.path, reason: $0.reason) }
    }

    private mutating func process(
        _ waiting: inout [GroupTask], _ index: inout MetadataIndex, _ body: ([GroupOutcome]) -> Bool
    ) throws(LibraryError) -> Bool {
        if Interrupt.isRequested { throw .interrupted }
        if query.useIndex { fill(&waiting, from: &index) }
        let (reader, now, roots) = (reader, query.now, roots)
        let outcomes = Workers.map(
            waiting, threads: threads, worker: { PhotoReader(now: now, roots: roots) },
            { worker, task in reader.read(task, with: &worker) })
        waiting.removeAll(keepingCapacity: true)
        note(outcomes, &index)
        progress.report(.init(activity: "reading", done: statistics.filesSeen))
        return body(outcomes)
    }

    /// Field by field: a copy of an outcome would retain all of its photos.
    private mutating func note(_ outcomes: [GroupOutcome], _ index: inout MetadataIndex) {
        for number in outcomes.indices {
            statistics.filesOpened += outcomes[number].filesOpened
            statistics.bytesRead = statistics.bytesRead.addingClamped(outcomes[number].bytesRead)
            statistics.filesFromIndex += outcomes[number].filesFromIndex
            warnings += outcomes[number].warnings
            for (file, content) in outcomes[number].contents { index.keep(content, of: file) }
            let others = outcomes[number].filesWithoutMedia
            if others > 0 { statistics.skipped[.noMedia, default: 0] += others }
        }
    }

    /// Adds what is in the index to the tasks whose contents will be needed.
    private func fill(_ tasks: inout [GroupTask], from index: inout MetadataIndex) {
        var files: [FileIdentity] = []
        files.reserveCapacity(tasks.count)
        var ranges: [(task: Int, files: Range<Int>)] = []
        // A file without an identity is not in the index.
        for task in tasks.indices where reader.needsContents(of: tasks[task]) {
            tasks[task].identifyFiles()
            let start = files.count
            for file in tasks[task].files { files.append(file.identity ?? .unknown) }
            ranges.append((task, start..<files.count))
        }
        let contents = index.contents(of: files)
        for (task, files) in ranges { tasks[task].indexed = contents[files] }
    }
}
