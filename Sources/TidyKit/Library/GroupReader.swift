/// Makes photos of a group of files: the cheap predicates first, then the contents, then the units, then the rest of the
/// predicates.
struct GroupReader: Sendable {
    let query: LibraryQuery
    /// Those that one photo alone can answer.
    private let predicates: [Predicate]
    private let needsMetadata: Bool
    private let needsSidecars: Bool
    private let findsOrphans: Bool
    private let checksSoundness: Bool
    /// Those that compare photos with each other.
    private let comparisons: [Predicate]
    /// True where photos that do not match are needed too, to compare others with.
    private let keepsAll: Bool

    init(_ query: LibraryQuery) {
        self.query = query
        let needs = query.predicates.reduce(into: Predicate.Needs()) { $0.formUnion($1.needs) }
        let comparing: Predicate.Needs = [.duplicates, .similarity]
        predicates = query.predicates.filter { $0.needs.isDisjoint(with: comparing) }
        comparisons = query.predicates.filter { !$0.needs.isDisjoint(with: comparing) }
        needsMetadata =
            query.detail == .everything || needs.contains(.metadata)
            || [.taken, .pixels, .rating].contains(query.order.key)
        needsSidecars = query.detail == .everything || needs.contains(.rating) || query.order.key == .rating
        checksSoundness = needs.contains(.soundness)
        findsOrphans = needs.contains(.orphans)
        keepsAll = !comparisons.isEmpty
    }

    var comparesPhotos: Bool { keepsAll }
    var comparesBytes: Bool { comparisons.contains { $0.needs.contains(.duplicates) } }
    /// The distance within which pictures count as alike; nil where nobody asks.
    var similarity: Int? { comparisons.lazy.compactMap(\.similarity).max() }
    /// True where a photo of a size that no other has cannot match.
    var wantsOnlyDuplicates: Bool { comparisons.contains { $0.isForDuplicates } }
    func matchesComparison(_ subject: Subject) -> Bool { comparisons.allSatisfy { $0.matches(subject) == true } }

    /// False where names and times alone keep every photo of the group out: no content is asked for then.
    func needsContents(of task: GroupTask) -> Bool {
        if predicates.isEmpty || keepsAll || findsOrphans { return !task.files.isEmpty }
        var outcome = GroupOutcome()
        return task.files.indices.contains { index in
            candidate(task, index, &outcome).map { isPossible($0.subject) } ?? false
        }
    }

    func read(_ task: GroupTask, with reader: inout PhotoReader) -> GroupOutcome {
        var outcome = GroupOutcome()
        let (opened, bytes) = (reader.filesOpened, reader.totalBytesRead)
        collect(task, &reader, &outcome)
        outcome.filesOpened = reader.filesOpened - opened + outcome.picturesOpened
        outcome.bytesRead = reader.totalBytesRead - bytes + outcome.pictureBytes
        return outcome
    }

    private func collect(_ task: GroupTask, _ reader: inout PhotoReader, _ outcome: inout GroupOutcome) {
        var candidates = task.files.indices.compactMap { candidate(task, $0, &outcome) }
        if !keepsAll, !findsOrphans {
            // Whichever of the files turns out to be the main one, none can match any more.
            guard candidates.contains(where: { isPossible($0.subject) }) else { return }
        }
        let isFormatEnough = !needsMetadata && candidates.count == 1
        for index in candidates.indices.reversed() {
            let isMedia = read(&candidates[index], task, formatOnly: isFormatEnough, &reader, &outcome)
            if !isMedia { candidates.remove(at: index) }
        }
        let sidecars = task.sidecars.enumerated().map { index, sidecar in
            NameGroup.Sidecar(index: index, target: sidecar.target, kind: sidecar.kind)
        }
        let units = UnitConfirmation.units(of: candidates.map(\.member), sidecars: sidecars)
        if findsOrphans, candidates.isEmpty, outcome.warnings.isEmpty {
            for sidecar in task.sidecars { addOrphan(task, sidecar, &outcome) }
        }
        for unit in units {
            let media = [unit.main] + unit.media
            let named = media.filter { task.requested?.contains(task.files[$0].name) ?? true }
            let isWhole = query.units && named.contains(unit.main)
            for index in isWhole ? [unit.main] : query.units || task.requested != nil ? named : media {
                guard let row = candidates.firstIndex(where: { $0.member.index == index }) else { continue }
                if isWhole {
                    candidates[row].subject.photo.companions =
                        (unit.media.map { task.files[$0].name } + unit.sidecars.map { task.sidecars[$0].name })
                        .map(task.path).sorted()
                    if !unit.shared.isEmpty {
                        candidates[row].subject.photo.shared = SharedSidecars(
                            files: unit.shared.map { task.path(task.sidecars[$0].name) }.sorted(),
                            photos: units.map { task.path(task.files[$0.main].name) })
                    }
                    candidates[row].subject.unit = unit.traits
                } else {
                    candidates[row].subject.unit = UnitTraits()
                }
                candidates[row].subject.isOrphan =
                    candidates[row].member.contentIdentifier != nil && candidates[row].subject.photo.kind == .video
                    && index == unit.main
                finish(&candidates[row], task, unit, &reader, &outcome)
            }
        }
    }

    private struct Candidate {
        var subject: Subject
        var member: UnitConfirmation.Member
        let name: [UInt8]
    }

    /// What is known of a file before it is opened; nil where it has vanished.
    private func candidate(_ task: GroupTask, _ index: Int, _ outcome: inout GroupOutcome) -> Candidate? {
        let file = task.files[index]
        let path = task.path(file.name)
        guard let identity = identity(path, file.identity, &outcome) else { return nil }
        var photo = Photo(path: path, identity: identity)
        photo.isOffline = file.isOffline
        var subject = Subject(photo)
        if task.files.count == 1 {
            var traits = UnitTraits()
            traits.hasSidecar = query.units && !task.sidecars.isEmpty
            subject.unit = traits
            if query.units { subject.photo.companions = task.sidecars.map { task.path($0.name) }.sorted() }
        }
        let shown = CloudStub.originalName(file.name) ?? file.name[...]
        let isNamedMOV = FilePath(shown).lowercasedExtension.elementsEqual("mov".utf8)
        return Candidate(
            subject: subject,
            member: .init(index: index, format: nil, isOffline: file.isOffline, isNamedMOV: isNamedMOV), name: file.name
        )
    }

    private func identity(
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

    /// False where a predicate says no for certain.
    private func isPossible(_ subject: Subject) -> Bool {
        predicates.allSatisfy { $0.matches(subject) != false }
    }

    /// Takes what the index knows of the file, else looks into it; false where it is no media, or cannot be read.
    private func read(
        _ candidate: inout Candidate, _ task: GroupTask, formatOnly: Bool, _ reader: inout PhotoReader,
        _ outcome: inout GroupOutcome
    ) -> Bool {
        if candidate.member.isOffline { return true }
        guard
            let content = indexed(candidate, task, formatOnly: formatOnly, &outcome)
                ?? opened(&candidate, formatOnly: formatOnly, &reader, &outcome)
        else { return false }
        guard let format = content.format else {
            outcome.filesWithoutMedia += 1
            return false
        }
        candidate.subject.photo.format = format
        candidate.member.format = format
        if !formatOnly, case .metadata(let metadata) = content {
            candidate.subject.take(metadata)
            candidate.member.contentIdentifier = metadata.contentIdentifier
        }
        return true
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

    /// Nil where the file cannot be read.
    private func opened(
        _ candidate: inout Candidate, formatOnly: Bool, _ reader: inout PhotoReader, _ outcome: inout GroupOutcome
    ) -> IndexedContent? {
        let path = candidate.subject.photo.path
        do throws(POSIXError) {
            // A pipe that took the name of a file since the folder was read is no media.
            guard let (content, identity) = try reader.read(path, formatOnly: formatOnly) else { return .noMedia }
            candidate.subject.photo.identity = identity
            if query.useIndex { outcome.contents.append((identity, content)) }
            return content
        } catch {
            if !error.isMissing { outcome.warnings.append(LibraryWarning(path: path, reason: error.reason)) }
            return nil
        }
    }

    private func finish(
        _ row: inout Candidate, _ task: GroupTask, _ unit: UnitConfirmation.Unit, _ reader: inout PhotoReader,
        _ outcome: inout GroupOutcome
    ) {
        if needsMetadata {
            if needsSidecars, row.subject.photo.rating == nil, !row.member.isOffline, !unit.xmpSidecars.isEmpty {
                if !keepsAll {
                    // What the content has decided needs no look at sidecars; while they may rate, unrated is unknown.
                    var early = row.subject
                    early.isRead = false
                    guard isPossible(early) else { return }
                }
                row.subject.photo.rating = sidecarRating(row.member.index, task, unit, &reader, &outcome)
            }
            let shown = CloudStub.originalName(row.name) ?? row.name[...]
            row.subject.photo.taken =
                row.subject.photo.taken ?? FileNameDate.parse(shown, now: query.now)
                ?? .modified(ns: row.subject.photo.identity.modifiedNs)
        }
        if checksSoundness, isPossible(row.subject) { checkSoundness(&row.subject, &outcome) }
        keep(row.subject, &outcome)
    }

    private func checkSoundness(_ subject: inout Subject, _ outcome: inout GroupOutcome) {
        guard subject.isRead else { return }
        do throws(POSIXError) {
            subject.isBroken = try SoundnessCheck.isBroken(
                subject.photo, opened: &outcome.picturesOpened, bytes: &outcome.pictureBytes)
        } catch {
            let path = subject.photo.path
            if !error.isMissing { outcome.warnings.append(LibraryWarning(path: path, reason: error.reason)) }
        }
    }

    private func keep(_ subject: Subject, _ outcome: inout GroupOutcome) {
        let isMatch = predicates.allSatisfy { $0.matches(subject) == true }
        if isMatch || keepsAll { outcome.rows.append(.init(subject: subject, isMatch: isMatch)) }
    }

    /// What may speak of a file, best first: the sidecar that names this very file, then one that names its stem, then those
    /// of its companions.
    private func sidecars(
        _ indices: [Int], about file: Int, _ task: GroupTask
    ) -> [GroupTask.Sidecar] {
        let sidecars = indices.map { task.sidecars[$0] }
        let own = sidecars.filter { $0.target == file } + sidecars.filter { $0.target == nil }
        return own + (query.units ? sidecars.filter { $0.target != nil && $0.target != file } : [])
    }

    /// The rating of the first XMP sidecar that gives one.
    private func sidecarRating(
        _ file: Int, _ task: GroupTask, _ unit: UnitConfirmation.Unit, _ reader: inout PhotoReader,
        _ outcome: inout GroupOutcome
    ) -> Int? {
        for sidecar in sidecars(unit.xmpSidecars, about: file, task) {
            let path = task.path(sidecar.name)
            do throws(POSIXError) {
                if let rating = try reader.sidecarRating(path) { return rating }
            } catch {
                if !error.isMissing { outcome.warnings.append(LibraryWarning(path: path, reason: error.reason)) }
            }
        }
        return nil
    }

    private func addOrphan(_ task: GroupTask, _ sidecar: GroupTask.Sidecar, _ outcome: inout GroupOutcome) {
        if let requested = task.requested, !requested.contains(sidecar.name) { return }
        let path = task.path(sidecar.name)
        guard let identity = identity(path, sidecar.identity, &outcome) else { return }
        var subject = Subject(Photo(path: path, identity: identity))
        subject.isOrphan = true
        subject.unit = UnitTraits()
        subject.photo.taken = .modified(ns: identity.modifiedNs)
        keep(subject, &outcome)
    }
}

extension Subject {
    /// What the content says, once it was read.
    fileprivate mutating func take(_ metadata: MediaMetadata) {
        isRead = true
        isMarkedScreenshot = metadata.isScreenshot
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
