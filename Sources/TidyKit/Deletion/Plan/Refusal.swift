/// A safety rule that forbids a run. Its text says what to do instead.
package enum Refusal: Error, Hashable, Sendable {
    case root(FilePath)
    case home(FilePath)
    case holdsHome(FilePath)
    case mountPoint(FilePath)
    case ownState(FilePath)
    case trash(FilePath)
    case systemFolder(FilePath)
    case bareFolder(FilePath)
    case missingProtection(FilePath)
    case companionAlone(FilePath, main: FilePath)
    case hasCompanions(FilePath, companion: FilePath)
    case tooManyFiles(Int, limit: Int)
    case tooManyBytes(Int64, limit: Int64)
    case incomplete(String, count: Int)
    case modifiedDateOnly(FilePath, count: Int)
    case planExists(FilePath)
    case planBounds(FilePath)
}

extension Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .root: "refusing to delete from /: name the folder of your photos"
        case .home(let path): "refusing to delete from the home folder \(path.displayText): name a folder in it"
        case .holdsHome(let path):
            "refusing to delete from \(path.displayText), which holds the home folder: name a folder in it"
        case .mountPoint(let path):
            "refusing to delete from \(path.displayText), where a filesystem is mounted: name a folder in it"
        case .ownState(let path): "refusing to delete \(path.displayText): phototidy keeps its own state there"
        case .trash(let path): "refusing to delete \(path.displayText): it is in a trash already"
        case .systemFolder(let path): "refusing to delete \(path.displayText): it belongs to the system"
        case .bareFolder(let path):
            "\(path.displayText) is a folder: say which photos in it (--older-than, --name …), or --all"
        case .missingProtection(let path):
            "--protect \(path.displayText): no such file or folder, so it would protect nothing"
        case .companionAlone(let path, let main):
            "\(path.displayText) belongs to \(main.displayText): name that, or use --companions only"
        case .hasCompanions(let path, let companion):
            "\(path.displayText) has the companion \(companion.displayText), and --companions refuse was given"
        case .tooManyFiles(let count, let limit): "the plan has \(count) files, more than --max-files \(limit)"
        case .tooManyBytes(let bytes, let limit): "the plan has \(bytes) bytes, more than --max-bytes \(limit)"
        case .incomplete(let warning, let count):
            "part of the library could not be read (\(warning)\(count > 1 ? " and \(count - 1) more" : "")): "
                + "fix this, or use --allow-incomplete"
        case .modifiedDateOnly(let path, let count):
            "\(path.displayText)\(count > 1 ? " and \(count - 1) more photo\(count > 2 ? "s" : "") have" : " has") no date "
                + "but the modification time, which a copy changes: leave them out with "
                + "--date-source exif,xmp,quicktime,name, or use --trust-mtime"
        case .planExists(let path): "\(path.displayText) exists: a plan never replaces a file"
        case .planBounds(let path): "\(path.displayText): it contains more items than its header allows"
        }
    }
}

/// Folders from which nothing is ever deleted, and folders that are too large to be operands.
package struct ForbiddenPlaces: Sendable {
    private let home: FilePath?
    private let state: [FilePath]
    private let trash: [FilePath]
    private static let system = [FilePath("/proc"), FilePath("/sys")]

    package init(_ environment: Environment) {
        home = try? environment.home.resolved()
        state = [environment.state, environment.cache].flatMap { [$0, (try? $0.resolved()) ?? $0] }
        let homeTrash = TrashSite.home(environment).root
        trash = [homeTrash, (try? homeTrash.resolved()) ?? homeTrash]
    }

    /// Throws for a folder operand that is `/`, the home folder or above it, or a mount point; or if the other `check`
    /// throws.
    /// - Parameter named: as the user wrote it. A path that does not exist is accepted here and later reported as
    ///   missing.
    package func check(operand named: FilePath) throws(Refusal) {
        guard let path = try? named.resolved(), let status = try? FileStatus.of(path) else { return }
        if path == .root { throw .root(named) }
        try check(path, named: named)
        guard status.kind == .directory else { return }
        if path == home { throw .home(named) }
        if let home, home.isSameOrBelow(path) { throw .holdsHome(named) }
        if let traits = try? FileTraits.of(path), traits.isMountPoint { throw .mountPoint(named) }
    }

    /// Throws for our own state, for a trash, and for `/proc` and `/sys`.
    /// - Parameter path: absolute, every link resolved.
    func check(_ path: FilePath, named: FilePath) throws(Refusal) {
        if Self.system.contains(where: path.isSameOrBelow) { throw .systemFolder(named) }
        if state.contains(where: path.isSameOrBelow) { throw .ownState(named) }
        if trash.contains(where: path.isSameOrBelow) { throw .trash(named) }
        for part in path.bytes.split(separator: UInt8(ascii: "/")) {
            if TrashSite.isNameOfTrash(part) { throw .trash(named) }
        }
    }
}

/// The files and folders that must stay. A folder includes everything below it, even if reached through a link or a
/// second mount.
struct ProtectedPaths {
    private var folders: Set<FileID> = []
    /// Single files, by folder and name.
    private var files: Set<File> = []
    /// Over whole paths.
    private var globs: [Glob] = []

    private struct File: Hashable {
        let folder: FileID
        let name: [UInt8]
    }

    /// Throws a refusal if a path does not exist, because it would protect nothing.
    init(_ paths: [FilePath]) throws(Refusal) {
        for path in paths {
            let named = path.withoutTrailingSlashes
            // The link itself and its target.
            guard (try? FileStatus.of(named)) != nil, let target = try? named.resolved(),
                let status = try? FileStatus.of(target)
            else {
                guard Self.isGlob(path) else { throw .missingProtection(path) }
                globs.append(Glob(path.bytes))
                continue
            }
            if status.kind == .directory { folders.insert(status.id) }
            for file in [named, target] {
                guard let folder = try? file.directory.resolved(), let id = try? FileStatus.of(folder).id else {
                    continue
                }
                files.insert(File(folder: id, name: Array(file.lastComponent)))
            }
        }
    }

    /// True for a pattern that no file is named after.
    static func isGlob(_ path: FilePath) -> Bool {
        Glob.isPattern(path.bytes) && (try? FileStatus.of(path.withoutTrailingSlashes)) == nil
    }

    /// - Parameter path: as the user named it; its name is that in `folder`.
    func covers(_ path: FilePath, in folder: FolderFacts) -> Bool {
        let name = Array(path.lastComponent)
        if !globs.isEmpty {
            let texts = [path, folder.path.appending(name)].map { FoldedText($0.bytes) }
            if globs.contains(where: { glob in texts.contains { glob.matches($0) } }) { return true }
        }
        if files.isEmpty { return false }
        return !folders.isDisjoint(with: folder.ancestors)
            || files.contains(File(folder: folder.status.id, name: name))
    }
}
