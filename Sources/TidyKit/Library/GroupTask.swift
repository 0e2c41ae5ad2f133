/// One stem of one folder, or several that a Live video joins: what may be a photo, and what may belong to it.
struct GroupTask: Sendable {
    /// The path in front of the file names.
    let prefix: [UInt8]
    private(set) var files: [ScannedFile]
    /// Of each file which of the stems it has; empty where there is one.
    private let stems: [Int]
    let sidecars: [Sidecar]
    /// Names given outright, where not the whole folder was asked for.
    let requested: Set<[UInt8]>?
    /// What the index knows of the contents of `files`, a part of what it was asked for; empty where it was not.
    var indexed: ArraySlice<IndexedContent?> = []
    /// What has been read of each file already, to find what belongs together; empty where nothing was.
    private let known: [KnownContent?]
    /// All names of the folder, for a task whose only file is a sidecar without a photo, and where orphans are asked for.
    private(set) var folder: Companions?

    /// A file that was opened before its group.
    enum KnownContent: Sendable {
        case content(IndexedContent, FileIdentity)
        /// It could not be read, and that has been reported.
        case unreadable
    }

    struct Sidecar: Sendable {
        let name: [UInt8]
        /// Index into `files`; nil where it names the stem alone.
        let target: Int?
        let kind: SidecarKind
        /// Which of the stems of the task.
        var stem = 0
        /// The JSON of an edited photo's original, with which it moves.
        var isOfOriginal = false
        var identity: FileIdentity?
    }

    func path(_ name: [UInt8]) -> FilePath { FilePath(prefix + name) }
    func stem(of file: Int) -> Int { stems.isEmpty ? 0 : stems[file] }
    func known(_ file: Int) -> KnownContent? { known.isEmpty ? nil : known[file] }

    /// True where a file may turn out to be a video, by its name.
    var mayHoldVideo: Bool {
        files.contains { MediaName.mayBeVideo(CloudStub.originalName($0.name).map(Array.init) ?? $0.name) }
    }

    /// Reads the status of files without an identity. A file that has vanished has none.
    mutating func identifyFiles() {
        for index in files.indices where files[index].identity == nil {
            files[index].identity = try? FileStatus.of(path(files[index].name)).identity
        }
    }

    /// The groups of a folder, in the order of their stems.
    /// - Parameter known: what has been read, by the files of the folder.
    /// - Parameter findsOrphans: sidecars that belong to no file there come as groups without files.
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
        let indices = groups.flatMap(\.files)
        prefix = folder.prefix
        files = indices.map { folder.files[$0] }
        stems =
            groups.count == 1
            ? [] : groups.enumerated().flatMap { stem, group in group.files.map { _ in stem } }
        sidecars = groups.enumerated().flatMap { stem, group in
            group.sidecars.map { sidecar in
                let file = folder.files[sidecar.index]
                return Sidecar(
                    name: file.name, target: sidecar.target.flatMap { indices.firstIndex(of: $0) }, kind: sidecar.kind,
                    stem: stem, isOfOriginal: sidecar.isOfOriginal, identity: file.identity)
            }
        }
        requested = folder.requested
        self.known = known.isEmpty ? [] : indices.map { known[$0] }
    }
}

/// Photos that come in batches until all are there. Each is copied once for a library of common size, and a million of
/// them never fit twice.
struct PhotoPile {
    /// Full ones, then the one that is being filled.
    private var parts: [[Photo]] = []
    private static let partLength = 1 << 16

    /// Takes the rows that match.
    mutating func append(_ outcomes: [GroupOutcome]) {
        for outcome in outcomes {
            for row in outcome.rows where row.isMatch {
                if parts.last.map({ $0.count == Self.partLength }) ?? true {
                    parts.append([])
                    // Memory that is not written to costs nothing.
                    parts[parts.count - 1].reserveCapacity(Self.partLength)
                }
                parts[parts.count - 1].append(row.subject.photo)
            }
        }
    }

    /// All of them in the order of their coming; the pile is empty afterwards.
    mutating func takeAll() -> [Photo] {
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
    /// What the content says about what it belongs to.
    mutating func take(_ content: IndexedContent) {
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
