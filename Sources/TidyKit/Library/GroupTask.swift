/// The files of one stem in a folder, or of several that a Live video joins: possible photos and what may belong to
/// them.
struct GroupTask: Sendable {
    /// The path before the file names.
    let prefix: [UInt8]
    private(set) var files: [ScannedFile]
    /// The index of each file's stem; empty if there is only one stem.
    private let stems: [Int]
    let sidecars: [Sidecar]
    /// The names that were requested; nil for the whole folder.
    let requested: Set<[UInt8]>?
    /// What the index has about the contents of `files`; empty if it was not asked.
    var indexed: ArraySlice<IndexedContent?> = []
    /// What has already been read of each file, to find what belongs together; empty if nothing.
    private let known: [KnownContent?]
    /// All names of the folder, in a search for orphans and for a task whose only file is a sidecar without a photo.
    private(set) var folder: Companions?

    /// A file that was opened before its group.
    enum KnownContent: Sendable {
        case content(IndexedContent, FileIdentity)
        /// It could not be read, and that has been reported.
        case unreadable
    }

    struct Sidecar: Sendable {
        let name: [UInt8]
        /// The index of its file in `files`; nil if it has only the stem.
        let target: Int?
        let kind: SidecarKind
        /// The index of its stem in the task.
        var stem = 0
        /// The JSON of the original of an edited photo; it moves with the original.
        var isOfOriginal = false
        var identity: FileIdentity?
    }

    func path(_ name: [UInt8]) -> FilePath { FilePath(prefix + name) }
    func stem(of file: Int) -> Int { stems.isEmpty ? 0 : stems[file] }
    func known(_ file: Int) -> KnownContent? { known.isEmpty ? nil : known[file] }

    /// True if a file may turn out to be a video, by its name.
    var mayHoldVideo: Bool {
        files.contains { MediaName.mayBeVideo(CloudStub.originalName($0.name).map(Array.init) ?? $0.name) }
    }

    /// Reads the status of files without an identity. A file that no longer exists keeps none.
    mutating func identifyFiles() {
        guard files.contains(where: { $0.identity == nil }) else { return }
        for index in files.indices where files[index].identity == nil {
            files[index].identity = try? FileStatus.of(path(files[index].name)).identity
        }
    }

    /// The groups of a folder, in the order of their stems.
    /// - Parameter known: what has been read, by the index of the file in the folder.
    /// - Parameter findsOrphans: adds a group without files for each sidecar that belongs to no file.
    static func tasks(
        of folder: ScannedFolder, _ companions: Companions, links: [LiveLinks.Link] = [],
        known: [Int: KnownContent] = [:], findsOrphans: Bool
    ) -> [GroupTask] {
        var tasks: [GroupTask] = []
        tasks.reserveCapacity(companions.groups.count)
        func isWanted(_ index: Int) -> Bool { folder.requested?.contains(folder.files[index].name) ?? true }
        func add(_ groups: [NameGroup]) {
            guard groups.contains(where: { $0.files.contains(where: isWanted) }) else { return }
            tasks.append(GroupTask(folder, groups, known))
        }
        if links.isEmpty {
            for group in companions.groups { add([group]) }
        } else {
            for cluster in companions.clusters(joinedBy: links) { add(cluster.map { companions.groups[$0] }) }
        }
        guard findsOrphans else { return tasks }
        for index in tasks.indices { tasks[index].folder = companions }
        for index in companions.orphans where isWanted(index) {
            let sidecar = NameGroup.Sidecar(
                index: index, target: nil, kind: SidecarName(folder.files[index].name)?.kind ?? .xmp)
            var task = GroupTask(folder, [NameGroup(files: [], sidecars: [sidecar])], [:])
            task.folder = companions
            tasks.append(task)
        }
        return tasks
    }

    private init(_ folder: ScannedFolder, _ groups: [NameGroup], _ known: [Int: KnownContent]) {
        let indices = groups.count == 1 ? groups[0].files : groups.flatMap(\.files)
        prefix = folder.prefix
        files = indices.map { folder.files[$0] }
        stems =
            groups.count == 1
            ? [] : groups.enumerated().flatMap { stem, group in group.files.map { _ in stem } }
        let hasSidecars = groups.contains { !$0.sidecars.isEmpty }
        sidecars =
            !hasSidecars
            ? []
            : groups.enumerated().flatMap { stem, group in
                group.sidecars.map { sidecar in
                    let file = folder.files[sidecar.index]
                    return Sidecar(
                        name: file.name, target: sidecar.target.flatMap { indices.firstIndex(of: $0) },
                        kind: sidecar.kind,
                        stem: stem, isOfOriginal: sidecar.isOfOriginal, identity: file.identity)
                }
            }
        requested = folder.requested
        self.known = known.isEmpty ? [] : indices.map { known[$0] }
    }
}

/// Collects photos that arrive in batches. Copies each photo once in a library of usual size, and never needs the
/// memory of a large one twice.
struct PhotoPile {
    /// Full parts, then the one that is being filled.
    private var parts: [[Photo]] = []
    private static let partLength = 1 << 16

    /// Appends the rows that match.
    mutating func append(_ outcomes: [GroupOutcome]) {
        // By index: a copy of a row retains all that is in it.
        for outcome in outcomes.indices {
            for row in outcomes[outcome].rows.indices where outcomes[outcome].rows[row].isMatch {
                if parts.last.map({ $0.count == Self.partLength }) ?? true {
                    parts.append([])
                    // Reserved memory costs nothing until it is written to.
                    parts[parts.count - 1].reserveCapacity(Self.partLength)
                }
                parts[parts.count - 1].append(outcomes[outcome].rows[row].subject.photo)
            }
        }
    }

    /// Moves all photos out, in order of arrival.
    mutating func moveAll() -> [Photo] {
        if parts.count < 2 { return parts.popLast() ?? [] }
        var photos: [Photo] = []
        photos.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for index in parts.indices {
            photos.append(contentsOf: parts[index])
            parts[index] = []
        }
        parts = []
        return photos
    }
}

extension UnitConfirmation.Member {
    /// Fills in what the content says about which files it belongs to.
    mutating func merge(_ content: IndexedContent) {
        isMedia = content != .noMedia
        format = content.format
        guard case .metadata(let metadata) = content else { return }
        contentIdentifier = metadata.contentIdentifier
        duration = metadata.duration
        taken = metadata.captureDate
        make = metadata.make
        hasModel = metadata.model != nil
    }
}
