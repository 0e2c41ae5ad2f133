/// Reading the files of a group.
extension GroupReader {
    struct Candidate {
        var subject: Subject
        var member: UnitConfirmation.Member
        let name: [UInt8]
    }

    /// What is known about a file before it is opened; nil if it no longer exists.
    func candidate(_ task: GroupTask, _ index: Int, _ outcome: inout GroupOutcome) -> Candidate? {
        let file = task.files[index]
        let path = task.path(file.name)
        guard let identity = identity(path, file.identity, &outcome) else { return nil }
        var photo = Photo(path: path, identity: identity)
        photo.isOffline = file.isOffline
        var subject = Subject(photo)
        if task.files.count == 1, !task.sidecars.contains(where: \.kind.needsContent) {
            let own = query.units ? task.sidecars.filter { !$0.isOfOriginal } : []
            var traits = UnitTraits()
            traits.hasSidecar = !own.isEmpty
            subject.unit = traits
            subject.photo.companions = own.map { task.path($0.name) }.sorted()
        }
        return Candidate(
            subject: subject, member: .init(index: index, name: file.name, stem: task.stem(of: index)), name: file.name)
    }

    func identity(
        _ path: FilePath, _ known: FileIdentity?, _ outcome: inout GroupOutcome
    ) -> FileIdentity? {
        if let known { return known }
        do throws(POSIXError) {
            let status = try FileStatus.of(path)
            return status.kind == .regular ? status.identity : nil
        } catch {
            if !error.isMissing { outcome.warnings.append(LibraryWarning(path: path, reason: error.reason)) }
            return nil
        }
    }

    /// The result of reading a file.
    enum Finding { case media, noMedia, unreadable, gone }

    /// Uses what is known about the file, or else opens it.
    func read(
        _ candidate: inout Candidate, _ task: GroupTask, formatOnly: Bool, _ reader: inout PhotoReader,
        _ outcome: inout GroupOutcome
    ) -> Finding {
        if candidate.member.isOffline { return .media }
        let content: IndexedContent
        switch task.known(candidate.member.index) {
        case .unreadable?: return .unreadable
        case .content(let known, let identity)?:
            candidate.update(identity)
            content = known
        case nil:
            if let known = indexed(candidate, task, formatOnly: formatOnly, &outcome) {
                content = known
                break
            }
            do throws(POSIXError) {
                content = try opened(&candidate, formatOnly: formatOnly, &reader, &outcome)
            } catch {
                if error.isMissing { return .gone }
                outcome.warnings.append(LibraryWarning(path: candidate.subject.photo.path, reason: error.reason))
                return .unreadable
            }
        }
        candidate.member.merge(content)
        guard let format = content.format else {
            if candidate.member.role == .media { outcome.filesWithoutMedia += 1 }
            return .noMedia
        }
        candidate.subject.photo.format = format
        if !formatOnly, case .metadata(let metadata) = content { candidate.subject.merge(metadata) }
        return .media
    }

    private func indexed(
        _ candidate: Candidate, _ task: GroupTask, formatOnly: Bool, _ outcome: inout GroupOutcome
    ) -> IndexedContent? {
        guard !task.indexed.isEmpty,
            let content = task.indexed[task.indexed.startIndex + candidate.member.index]
        else { return nil }
        if case .format = content, !formatOnly { return nil }
        outcome.filesFromIndex += 1
        return content
    }

    private func opened(
        _ candidate: inout Candidate, formatOnly: Bool, _ reader: inout PhotoReader, _ outcome: inout GroupOutcome
    ) throws(POSIXError) -> IndexedContent {
        // A pipe that has taken the name of a file since the scan is not media.
        guard let (content, identity) = try reader.read(candidate.subject.photo.path, formatOnly: formatOnly) else {
            return .noMedia
        }
        candidate.update(identity)
        if query.useIndex { outcome.contents.append((identity, content)) }
        return content
    }
}

extension Subject {
    /// Fills in what the metadata says.
    fileprivate mutating func merge(_ metadata: MediaMetadata) {
        isRead = true
        isMarkedScreenshot = metadata.isScreenshot
        shot = metadata.shot
        photo.width = metadata.width
        photo.height = metadata.height
        photo.orientation = metadata.orientation
        photo.taken = metadata.captureDate
        photo.make = metadata.make
        photo.model = metadata.model
        photo.lens = metadata.lens
        photo.location = metadata.location
        photo.rating = metadata.rating
        photo.duration = metadata.duration
        photo.problems = metadata.problems
    }
}

extension GroupReader.Candidate {
    /// Takes the identity of the file that was read. If another file has taken the name since the scan, the old
    /// identity stays, so a delete notices.
    fileprivate mutating func update(_ identity: FileIdentity) {
        if subject.photo.identity.id == identity.id { subject.photo.identity = identity }
    }
}

/// The result of a group: its photos, and the cost of reading it.
struct GroupOutcome: Sendable {
    var rows: [Row] = []
    var warnings: [LibraryWarning] = []
    var filesOpened = 0
    var bytesRead: Int64 = 0
    var filesWithoutMedia = 0
    /// Files that were read to the end, to check that they are complete.
    var picturesOpened = 0
    var pictureBytes: Int64 = 0
    var filesFromIndex = 0
    /// What was read from files, for the index.
    var contents: [(file: FileIdentity, content: IndexedContent)] = []

    /// For a search for orphans: the content identifiers of the stills in the group, and its folder if a still could
    /// not be read.
    var stillIdentifiers: [String] = []
    var folderWithHiddenStill: [UInt8]?

    struct Row: Sendable {
        var subject: Subject
        /// False if a predicate does not match and the photo is kept only for comparison with others.
        var isMatch: Bool
        /// Set if the photo may be an orphan; nil if it certainly is not.
        var orphan: OrphanSearch.Suspect?
    }
}
