extension GroupReader {
    /// The maximum duration of a Live video that is recognised by its name, in seconds.
    private static let maximumLiveDuration = 15.0

    /// Called for the main file of a unit. Nil if it cannot be an orphan, whatever else the library contains.
    func possibleOrphan(_ row: Candidate, _ task: GroupTask) -> OrphanSearch.Suspect? {
        guard findsOrphans, row.member.format?.kind == .video, row.member.role == .media,
            let identifier = row.member.contentIdentifier,
            let duration = row.member.duration, duration <= Self.maximumLiveDuration,
            task.folder?.hasStill(ofVideo: row.name) == false
        else { return nil }
        return OrphanSearch.Suspect(folder: task.prefix, identifier: identifier)
    }

    /// Collects what the search for orphans must know about the stills of a group.
    func noteStills(
        _ task: GroupTask, _ candidates: [Candidate], _ findings: [Int: Finding], _ outcome: inout GroupOutcome
    ) {
        guard findsOrphans else { return }
        outcome.stillIdentifiers = candidates.lazy.filter(\.member.isStill).compactMap(\.member.contentIdentifier)
        for (index, file) in task.files.enumerated() {
            let name = CloudStub.originalName(file.name).map(Array.init) ?? file.name
            guard MediaName.role(name) == .media else { continue }
            let isHidden =
                switch findings[index] {
                case .unreadable?: MediaName.mayBeStill(name)
                // Damaged or empty, with the extension of a picture.
                case .noMedia?: !MediaName.mayBeVideo(name)
                case .media?: file.isOffline && MediaName.mayBeStill(name)
                case .gone?, nil: false
                }
            if isHidden { outcome.folderWithHiddenStill = task.prefix }
        }
    }

    /// Adds a sidecar that has no photo in its folder.
    func addOrphan(
        _ task: GroupTask, _ sidecar: GroupTask.Sidecar, _ reader: inout PhotoReader, _ outcome: inout GroupOutcome
    ) {
        if let requested = task.requested, !requested.contains(sidecar.name) { return }
        let path = task.path(sidecar.name)
        guard let identity = identity(path, sidecar.identity, &outcome) else { return }
        if sidecar.kind == .takeout {
            guard let title = takeoutTitle(path, &reader, &outcome), task.folder?.hasPhoto(named: title) == false else {
                return
            }
        }
        var subject = Subject(Photo(path: path, identity: identity))
        subject.unit = UnitTraits()
        subject.photo.taken = .modified(ns: identity.modifiedNs, now: query.now)
        keep(subject, OrphanSearch.Suspect(folder: task.prefix, identifier: nil), &outcome)
    }

    /// The name of the photo that a JSON file of Google Takeout describes; nil for any other JSON.
    private func takeoutTitle(
        _ path: FilePath, _ reader: inout PhotoReader, _ outcome: inout GroupOutcome
    ) -> [UInt8]? {
        do throws(POSIXError) {
            guard let content = try reader.sidecarContent(path), let json = try? JSONReader.value(content[...]),
                let title = json["title"]?.string, json["photoTakenTime"] != nil || json["creationTime"] != nil
            else { return nil }
            return title
        } catch {
            if !error.isMissing { outcome.warnings.append(LibraryWarning(path: path, reason: error.reason)) }
            return nil
        }
    }
}

/// Decides which files are orphans, once the whole library is known: the still of a Live video may be in another
/// folder, and an unreadable still could belong to any video.
struct OrphanSearch {
    /// A file that is an orphan unless its still is found.
    struct Suspect: Sendable {
        /// The path before the name.
        let folder: [UInt8]
        /// Identifier of a Live video; nil for a sidecar.
        let identifier: String?
    }

    private var identifiers: Set<String> = []
    private var foldersWithHiddenStills: Set<[UInt8]> = []

    mutating func note(_ outcome: GroupOutcome) {
        identifiers.formUnion(outcome.stillIdentifiers)
        if let folder = outcome.folderWithHiddenStill { foldersWithHiddenStills.insert(folder) }
    }

    func mark(_ rows: inout [GroupOutcome.Row]) {
        for index in rows.indices {
            guard let suspect = rows[index].orphan, !foldersWithHiddenStills.contains(suspect.folder) else {
                rows[index].subject.isOrphan = false
                continue
            }
            rows[index].subject.isOrphan = suspect.identifier.map { !identifiers.contains($0) } ?? true
        }
    }
}
