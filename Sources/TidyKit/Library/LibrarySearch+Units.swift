extension LibrarySearch {
    /// The groups of a folder; those that a Live video joins are one group. Opens files if their names do not decide
    /// that.
    mutating func tasks(of folder: ScannedFolder, _ index: inout MetadataIndex) -> [GroupTask] {
        let companions = Companions(folder.files.map(\.name))
        let plain = GroupTask.tasks(of: folder, companions, findsOrphans: reader.findsOrphans)
        guard reader.needsLinks(plain, folderHoldsVideos: !companions.possibleVideos.isEmpty) else { return plain }
        let focus = folder.requested.map { requested in
            companions.groups.indices.filter { group in
                companions.groups[group].files.contains { requested.contains(folder.files[$0].name) }
            }
        }
        var known: [Int: GroupTask.KnownContent] = [:]
        let links = LiveLinks.find(in: companions, focus: focus) { files in
            read(files, of: folder, &known, &index)
        }
        if known.isEmpty { return plain }
        return GroupTask.tasks(
            of: folder, companions, links: links, known: known, findsOrphans: reader.findsOrphans)
    }

    /// The contents of files that may belong to another stem, from the index if they are in it.
    private mutating func read(
        _ files: [Int], of folder: ScannedFolder, _ known: inout [Int: GroupTask.KnownContent],
        _ index: inout MetadataIndex
    ) -> [Int: UnitConfirmation.Member] {
        var present: [(file: Int, path: FilePath, identity: FileIdentity)] = []
        for file in files where !folder.files[file].isOffline {
            let path = folder.path(of: folder.files[file].name)
            guard let identity = folder.files[file].identity ?? (try? FileStatus.of(path).identity) else { continue }
            present.append((file, path, identity))
        }
        let indexed = query.useIndex ? index.contents(of: present.map(\.identity)) : present.map { _ in nil }
        var unread: [(file: Int, path: FilePath)] = []
        for (place, content) in indexed.enumerated() {
            switch content {
            case .noMedia?, .metadata?:
                known[present[place].file] = content.map { .content($0, present[place].identity) }
                statistics.filesFromIndex += 1
            case .format?, nil: unread.append((present[place].file, present[place].path))
            }
        }
        let (now, roots) = (query.now, roots)
        let outcomes = Workers.map(
            unread.map(\.path), threads: threads, worker: { PhotoReader(now: now, roots: roots) },
            { worker, path in EarlyReading(path, &worker) })
        for ((file, path), outcome) in zip(unread, outcomes) {
            statistics.filesOpened += outcome.filesOpened
            statistics.bytesRead = statistics.bytesRead.addingClamped(outcome.bytesRead)
            if let (content, identity) = outcome.content {
                known[file] = .content(content, identity)
                if query.useIndex { index.keep(content, of: identity) }
            } else if let error = outcome.error, !error.isMissing {
                known[file] = .unreadable
                warnings.append(LibraryWarning(path: path, reason: error.reason))
            }
        }
        var members: [Int: UnitConfirmation.Member] = [:]
        for file in files {
            guard case .content(let content, _)? = known[file], content != .noMedia else { continue }
            var member = UnitConfirmation.Member(index: file, name: folder.files[file].name)
            member.merge(content)
            members[file] = member
        }
        return members
    }
}

/// A file that was opened before its group, and the cost.
private struct EarlyReading: Sendable {
    var content: (IndexedContent, FileIdentity)?
    var error: POSIXError?
    let filesOpened: Int
    let bytesRead: Int64

    init(_ path: FilePath, _ reader: inout PhotoReader) {
        let (opened, bytes) = (reader.filesOpened, reader.totalBytesRead)
        do throws(POSIXError) {
            if let (content, identity) = try reader.read(path, formatOnly: false) { self.content = (content, identity) }
        } catch { self.error = error }
        filesOpened = reader.filesOpened - opened
        bytesRead = reader.totalBytesRead - bytes
    }
}
