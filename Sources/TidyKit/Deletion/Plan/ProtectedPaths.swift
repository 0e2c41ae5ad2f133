/// The files and folders that must stay. A folder covers what is below it, whatever path leads there: through a link,
/// or through a second mount.
struct ProtectedPaths {
    private var folders: Set<FolderFacts.Place> = []
    /// Folder and name of single files.
    private var files: Set<File> = []

    private struct File: Hashable {
        let folder: FolderFacts.Place
        let name: [UInt8]
    }

    /// Throws a refusal for a path that does not exist: it would protect nothing.
    init(_ paths: [FilePath]) throws(Refusal) {
        for path in paths {
            let named = path.withoutTrailingSlashes
            // The link itself, and what it stands for.
            guard (try? FileStatus.of(named)) != nil, let target = try? named.resolved(),
                let status = try? FileStatus.of(target)
            else { throw .missingProtection(path) }
            if status.kind == .directory { folders.insert(FolderFacts.Place(status.identity)) }
            for file in [named, target] {
                guard let folder = try? file.directory.resolved(), let place = try? FileStatus.of(folder) else {
                    continue
                }
                files.insert(File(folder: FolderFacts.Place(place.identity), name: Array(file.lastComponent)))
            }
        }
    }

    func covers(_ name: FilePath, in folder: FolderFacts) -> Bool {
        if files.isEmpty { return false }
        return !folders.isDisjoint(with: folder.line)
            || files.contains(File(folder: FolderFacts.Place(folder.status.identity), name: name.bytes))
    }
}
