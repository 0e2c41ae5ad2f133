/// One stem of one folder: what may be a photo, and what may belong to it.
struct GroupTask: Sendable {
    /// What stands in front of a name.
    let prefix: [UInt8]
    private(set) var files: [ScannedFile]
    let sidecars: [Sidecar]
    /// Names given outright, where not the whole folder was asked for.
    let requested: Set<[UInt8]>?
    /// What the index knows of the contents of `files`, a part of what it was asked for; empty where it was not.
    var indexed: ArraySlice<IndexedContent?> = []

    struct Sidecar: Sendable {
        let name: [UInt8]
        /// Index into `files`; nil where it names the stem alone.
        let target: Int?
        let kind: SidecarKind
        var identity: FileIdentity?
    }

    func path(_ name: [UInt8]) -> FilePath { FilePath(prefix + name) }

    /// Looks at the files that nobody has looked at yet. One that has vanished stays unknown.
    mutating func identifyFiles() {
        for index in files.indices where files[index].identity == nil {
            files[index].identity = try? FileStatus.of(path(files[index].name)).identity
        }
    }

    /// The groups of a folder, in the order of their stems. Sidecars that belong to no file there come as groups without
    /// files.
    static func tasks(of folder: ScannedFolder) -> [GroupTask] {
        let companions = Companions(folder.files.map(\.name))
        var tasks: [GroupTask] = []
        tasks.reserveCapacity(companions.groups.count)
        func isWanted(_ index: Int) -> Bool { folder.requested?.contains(folder.files[index].name) ?? true }
        for group in companions.groups {
            guard group.files.contains(where: isWanted) else { continue }
            let sidecars = group.sidecars.map { sidecar in
                Sidecar(
                    name: folder.files[sidecar.index].name, target: sidecar.target.flatMap(group.files.firstIndex),
                    kind: sidecar.kind, identity: folder.files[sidecar.index].identity)
            }
            tasks.append(
                GroupTask(
                    prefix: folder.prefix, files: group.files.map { folder.files[$0] }, sidecars: sidecars,
                    requested: folder.requested))
        }
        for index in companions.orphans where isWanted(index) {
            let file = folder.files[index]
            let sidecar = Sidecar(name: file.name, target: nil, kind: SidecarName(file.name)?.kind ?? .xmp, identity: file.identity)
            tasks.append(
                GroupTask(prefix: folder.prefix, files: [], sidecars: [sidecar], requested: folder.requested))
        }
        return tasks
    }
}

extension Array where Element: Equatable {
    fileprivate func firstIndex(_ element: Element) -> Int? { firstIndex(of: element) }
}
