internal import Glibc

/// Finds the trashes that files of a folder may go to, best first: the home trash if it is on the same mount, then
/// `$topdir/.Trash/$uid`, then `$topdir/.Trash-$uid`. Creates nothing.
struct TrashLocator {
    private let home: FilePath
    private var tops: [Mount: FilePath] = [:]
    private var known: [Mount: [TrashSite]] = [:]
    /// Trashes that exist and must not be used, with the reason.
    private(set) var notes: [String] = []

    /// A rename never crosses mounts, even if two show the same filesystem.
    struct Mount: Hashable {
        let device: UInt64
        let id: UInt64
    }

    init(_ environment: Environment) { home = TrashSite.home(environment).root }

    var homeSite: TrashSite { TrashSite(root: home, top: nil) }

    /// - Parameter folder: on `mount`; absolute, with every link resolved.
    mutating func sites(for folder: FilePath, on mount: Mount) -> [TrashSite] {
        if let sites = known[mount] { return sites }
        var sites: [TrashSite] = []
        if homeMount == mount, isUsable(home, isHome: true) { sites.append(homeSite) }
        let top = top(of: folder, mount)
        let (shared, own) = TrashSite.sites(below: top)
        if isShared(TrashSite.sharedFolder(below: top)), isUsable(shared.root, isHome: false) { sites.append(shared) }
        if isUsable(own.root, isHome: false) { sites.append(own) }
        known[mount] = sites
        return sites
    }

    /// True if the home trash exists or can be created.
    func homeIsUsable() -> Bool {
        var silent = self
        return silent.isUsable(home, isHome: true)
    }

    /// The mount of the home trash, or of the folder in which it would be created.
    private var homeMount: Mount? {
        var path = home
        while true {
            if let status = try? FileStatus.of(path, followLinks: true), let real = try? path.resolved(),
                let traits = try? FileTraits.of(real)
            {
                return Mount(device: status.id.device, id: traits.mountID)
            }
            if path == .root { return nil }
            path = path.directory
        }
    }

    /// The topmost ancestor that is on the same mount.
    private mutating func top(of folder: FilePath, _ mount: Mount) -> FilePath {
        if let top = tops[mount] { return top }
        var top = folder
        // No system call accepts a path longer than PATH_MAX; nothing is mounted so deep.
        while top.bytes.count > FilePath.lengthLimit { top = top.directory }
        while top != .root {
            let above = top.directory
            guard let status = try? FileStatus.of(above), let traits = try? FileTraits.of(above),
                Mount(device: status.id.device, id: traits.mountID) == mount
            else { break }
            top = above
        }
        tops[mount] = top
        return top
    }

    /// `.Trash` is used only if it is a real folder with the sticky bit.
    private mutating func isShared(_ path: FilePath) -> Bool {
        guard let status = try? FileStatus.of(path) else { return false }
        if status.kind != .directory {
            note(path, "it is not a real folder")
        } else if status.permissions & 0o1000 == 0 {
            note(path, "it has no sticky bit")
        } else {
            return true
        }
        return false
    }

    /// True if it exists, belongs to the user and can be written, or if it can be created.
    private mutating func isUsable(_ path: FilePath, isHome: Bool) -> Bool {
        guard let status = try? FileStatus.of(path, followLinks: isHome) else { return canBeMade(path, isHome: isHome) }
        if status.kind != .directory {
            note(path, "it is not a real folder")
            return false
        }
        if !isHome, status.owner != FileSystem.realUser {
            note(path, "it belongs to somebody else")
            return false
        }
        for name in ["files", "info"] {
            let part = path.appending(name)
            guard let status = try? FileStatus.of(part) else {
                if FileSystem.obstacleToChanging(folder: path) != nil { return false }
                continue
            }
            if status.kind != .directory {
                note(part, "it is not a real folder")
                return false
            }
            if FileSystem.obstacleToChanging(folder: part) != nil { return false }
        }
        return true
    }

    private func canBeMade(_ path: FilePath, isHome: Bool) -> Bool {
        guard isHome else { return FileSystem.obstacleToChanging(folder: path.directory) == nil }
        // It cannot be checked, so the run tries it.
        guard let obstacle = FileSystem.obstacleToMakingAnew(path.appending("files")) else { return true }
        return obstacle.code == EIO
    }

    private mutating func note(_ path: FilePath, _ reason: String) {
        let note = "\(path.displayText) is not used as a trash: \(reason)"
        if !notes.contains(note) { notes.append(note) }
    }
}
