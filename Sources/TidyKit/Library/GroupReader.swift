/// Turns a group of files into photos: first the cheap predicates, then the contents, the units and the other
/// predicates.
struct GroupReader: Sendable {
    let query: LibraryQuery
    /// Predicates that a single photo can answer.
    private let predicates: [Predicate]
    private let needsMetadata: Bool
    /// What sidecars may answer if the photo does not: rating, date, place.
    let sidecarNeeds: Predicate.Needs
    let findsOrphans: Bool
    private let needsUnits: Bool
    private let checksSoundness: Bool
    /// Predicates that compare photos with each other.
    private let comparisons: [Predicate]
    /// True if photos that do not match are needed too, for comparison.
    private let keepsAll: Bool

    init(_ query: LibraryQuery) {
        self.query = query
        var needs = query.predicates.reduce(into: query.detail.needs) { $0.formUnion($1.needs) }
        switch query.order.key {
        case .taken: needs.formUnion([.metadata, .date])
        case .rating: needs.formUnion([.metadata, .rating])
        case .pixels: needs.insert(.metadata)
        case .size, .path, .modified, .none: break
        }
        let comparing: Predicate.Needs = [.groups, .orphans, .sharpness]
        predicates = query.predicates.filter { $0.needs.isDisjoint(with: comparing) }
        comparisons = query.predicates.filter { !$0.needs.isDisjoint(with: comparing) }
        needsMetadata = needs.contains(.metadata)
        sidecarNeeds = needs.intersection([.rating, .date, .location])
        checksSoundness = needs.contains(.soundness)
        findsOrphans = needs.contains(.orphans)
        needsUnits = query.detail != .file || !needs.isDisjoint(with: [.units, .orphans, .groups])
        keepsAll = !comparisons.isEmpty
    }

    var comparesPhotos: Bool { keepsAll }
    /// True if photos that do not match are compared with those that do.
    private var comparesOthers: Bool { grouping != nil }
    /// How photos are put into groups; nil if no filter does.
    var grouping: GroupingKind? { comparisons.lazy.compactMap(\.grouping).first }
    /// True if it must be known which files hold the same bytes.
    var comparesContents: Bool { grouping == .sameBytes || grouping == .samePixels }
    /// True if a file whose content no other has cannot match.
    var wantsOnlyCopies: Bool { grouping == .sameBytes && !query.grouping.isUnique }
    /// True if pictures must be decoded to see how sharp they are, which is done for all of them together.
    var needsSharpness: Bool { comparisons.contains { $0.needs.contains(.sharpness) } }
    func matchesSharpness(_ subject: Subject) -> Bool {
        comparisons.allSatisfy { !$0.needs.contains(.sharpness) || $0.matches(subject) == true }
    }
    func matchesComparison(_ subject: Subject) -> Bool { comparisons.allSatisfy { $0.matches(subject) == true } }

    /// False if names and times alone exclude every photo of the group, so no content is needed.
    /// - Parameter isPart: a video of another stem may still belong to it.
    func needsContents(of task: GroupTask, isPart: Bool = false) -> Bool {
        if predicates.isEmpty || keepsAll { return !task.files.isEmpty }
        var outcome = GroupOutcome()
        return task.files.indices.contains { index in
            guard var subject = candidate(task, index, &outcome)?.subject else { return false }
            if isPart { subject.unit = nil }
            return isPossible(subject)
        }
    }

    /// True if files must be opened to find out which belong together across stems.
    /// - Parameter folderHoldsVideos: also considers files that were not requested, next to those that were named.
    func needsLinks(_ tasks: [GroupTask], folderHoldsVideos: Bool) -> Bool {
        guard query.units || needsUnits, folderHoldsVideos else { return false }
        // If companions do not matter, the only question is whether a video is a row of its own.
        return tasks.contains { (needsUnits || $0.mayHoldVideo) && needsContents(of: $0, isPart: true) }
    }

    func read(_ task: GroupTask, with reader: inout PhotoReader) -> GroupOutcome {
        var outcome = GroupOutcome()
        let (opened, bytes) = (reader.filesOpened, reader.totalBytesRead)
        collect(task, &reader, &outcome)
        outcome.filesOpened = reader.filesOpened - opened + outcome.picturesOpened
        outcome.bytesRead = (reader.totalBytesRead - bytes).addingClamped(outcome.pictureBytes)
        return outcome
    }

    private func collect(_ task: GroupTask, _ reader: inout PhotoReader, _ outcome: inout GroupOutcome) {
        if task.files.isEmpty {
            for sidecar in task.sidecars { addOrphan(task, sidecar, &reader, &outcome) }
            return
        }
        var candidates = task.files.indices.compactMap { candidate(task, $0, &outcome) }
        if !keepsAll {
            // None of the files can match, whichever is the main file.
            guard candidates.contains(where: { isPossible($0.subject) }) else { return }
        }
        let isFormatEnough = !needsMetadata && candidates.count == 1
        var findings: [Int: Finding] = [:]
        for index in candidates.indices.reversed() {
            let finding = read(&candidates[index], task, formatOnly: isFormatEnough, &reader, &outcome)
            findings[candidates[index].member.index] = finding
            let isPart = finding == .noMedia && candidates[index].member.role != .media
            if finding != .media, !isPart { candidates.remove(at: index) }
        }
        noteStills(task, candidates, findings, &outcome)
        let sidecars = task.sidecars.enumerated().map { index, sidecar in
            NameGroup.Sidecar(
                index: index, target: sidecar.target, kind: sidecar.kind, stem: sidecar.stem,
                isOfOriginal: sidecar.isOfOriginal)
        }
        let units = UnitConfirmation.units(of: candidates.map(\.member), sidecars: sidecars)
        for unit in units {
            let media = [unit.main] + unit.media
            let named = media.filter { task.requested?.contains(task.files[$0].name) ?? true }
            let isWhole = query.units && named.contains(unit.main)
            for index in isWhole ? [unit.main] : query.units || task.requested != nil ? named : media {
                guard let row = candidates.firstIndex(where: { $0.member.index == index && $0.member.isMedia }) else {
                    continue
                }
                describe(&candidates[row].subject, task, unit, among: units, isWhole: isWhole)
                finish(&candidates[row], task, unit, &reader, &outcome)
            }
        }
    }

    /// Describes what belongs to a row: the whole unit for its main file; for another file, that it is a part of a
    /// unit.
    private func describe(
        _ subject: inout Subject, _ task: GroupTask, _ unit: UnitConfirmation.Unit,
        among units: [UnitConfirmation.Unit], isWhole: Bool
    ) {
        subject.unit = isWhole || !query.units ? unit.traits : UnitTraits()
        guard isWhole else {
            // Each file has its own format.
            subject.unit?.rawFormats = []
            subject.photo.companions = []
            return
        }
        subject.photo.companions =
            (unit.media.map { task.files[$0].name } + unit.sidecars.map { task.sidecars[$0].name })
            .map(task.path).sorted()
        guard !unit.shared.isEmpty else { return }
        subject.photo.shared = SharedSidecars(
            files: unit.shared.map { task.path(task.sidecars[$0].name) }.sorted(),
            photos: units.filter { !Set($0.shared).isDisjoint(with: unit.shared) }
                .map { task.path(task.files[$0.main].name) })
    }

    /// False if a predicate certainly does not match.
    func isPossible(_ subject: Subject) -> Bool {
        predicates.allSatisfy { $0.matches(subject) != false }
    }

    private func finish(
        _ row: inout Candidate, _ task: GroupTask, _ unit: UnitConfirmation.Unit, _ reader: inout PhotoReader,
        _ outcome: inout GroupOutcome
    ) {
        if needsMetadata {
            let open = row.member.isOffline ? [] : openNeeds(row.subject.photo)
            let sidecars = open.isEmpty ? [] : sidecars(of: unit, about: row.member.index, task)
            if !sidecars.isEmpty {
                // If the content is enough to decide, sidecars are not read.
                if !keepsAll, !isPossible(Self.undecided(row.subject, open)) { return }
                ask(sidecars, for: open, about: &row.subject.photo, &reader, &outcome)
            }
            let shown = CloudStub.originalName(row.name) ?? row.name[...]
            row.subject.photo.taken =
                row.subject.photo.taken ?? FileNameDate.parse(shown, now: query.now)
                ?? .modified(ns: row.subject.photo.identity.modifiedNs, now: query.now)
        }
        if checksSoundness, isPossible(row.subject) { checkSoundness(&row.subject, &outcome) }
        keep(row.subject, row.member.index == unit.main ? possibleOrphan(row, task) : nil, &outcome)
    }

    private func checkSoundness(_ subject: inout Subject, _ outcome: inout GroupOutcome) {
        guard subject.isRead else { return }
        do throws(POSIXError) {
            subject.isBroken = try SoundnessCheck(damageDetector: query.damageDetector).isBroken(
                subject.photo, opened: &outcome.picturesOpened, bytes: &outcome.pictureBytes)
        } catch {
            let path = subject.photo.path
            if !error.isMissing { outcome.warnings.append(LibraryWarning(path: path, reason: error.reason)) }
        }
    }

    func keep(_ subject: Subject, _ orphan: OrphanSearch.Suspect?, _ outcome: inout GroupOutcome) {
        let isMatch = predicates.allSatisfy { $0.matches(subject) == true }
        if isMatch || comparesOthers { outcome.rows.append(.init(subject: subject, isMatch: isMatch, orphan: orphan)) }
    }
}
