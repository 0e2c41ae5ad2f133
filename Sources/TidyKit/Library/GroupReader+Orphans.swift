extension GroupReader {
    /// A Live video by its name lasts no longer; seconds.
    private static let longestLive = 15.0

    /// Called for the main file of a unit. Nil for a file that cannot be an orphan whatever else the library contains.
    func possibleOrphan(_ row: Candidate, _ task: GroupTask) -> OrphanSearch.Suspect? {
        guard findsOrphans, row.member.format?.kind == .video, row.member.role == .media,
            let identifier = row.member.contentIdentifier,
            let duration = row.member.duration, duration <= Self.longestLive,
            task.folder?.hasStill(ofVideo: row.name) == false
        else { return nil }
        return OrphanSearch.Suspect(folder: task.prefix, identifier: identifier)
    }

    /// Notes what other files of the library must know of the stills of a group.
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
                // Damaged or empty, under a name of pictures.
                case .noMedia?: !MediaName.mayBeVideo(name)
                case .media?: file.isOffline && MediaName.mayBeStill(name)
                case .gone?, nil: false
                }
            if isHidden { outcome.folderWithHiddenStill = task.prefix }
        }
    }

    /// A sidecar that finds no photo in its folder.
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

    /// The name of the photo that a JSON of Google Takeout is about; nil for any other JSON.
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
    /// A file that is an orphan unless its still turns up.
    struct Suspect: Sendable {
        /// The path in front of the name.
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
