/// The place of a trash, which need not exist.
struct TrashSite: Hashable, Sendable {
    /// The folder that holds `files` and `info`.
    let root: FilePath
    /// The top folder of the filesystem, for `$topdir/.Trash/$uid` and `$topdir/.Trash-$uid`; nil for the home trash.
    let top: FilePath?

    /// Creates the folder if it is missing, for its owner alone.
    func create() throws(POSIXError) {
        if top == nil {
            try FileSystem.createFolders(root, permissions: 0o700)
        } else {
            do { try FileSystem.createFolder(root, permissions: 0o700) } catch {
                if !error.isOccupied { throw error }
            }
        }
    }

    private static let shared = ".Trash"
    private static let ownPrefix = ".Trash-"

    /// `$XDG_DATA_HOME/Trash`.
    static func home(_ environment: Environment) -> TrashSite {
        TrashSite(root: environment.data.appending("Trash"), top: nil)
    }

    /// `$topdir/.Trash`, which contains a folder for each user.
    static func sharedFolder(below top: FilePath) -> FilePath { top.appending(shared) }

    /// The two sites that the specification allows at the top of a filesystem: `.Trash/$uid` and `.Trash-$uid`.
    static func sites(below top: FilePath) -> (shared: TrashSite, own: TrashSite) {
        let user = String(FileSystem.realUser)
        return (
            TrashSite(root: sharedFolder(below: top).appending(user), top: top),
            TrashSite(root: top.appending(ownPrefix + user), top: top)
        )
    }

    /// True if a folder of that name is a trash, or contains trashes.
    static func isNameOfTrash(_ name: ArraySlice<UInt8>) -> Bool {
        name.elementsEqual(shared.utf8) || name.starts(with: ownPrefix.utf8)
    }

    init(root: FilePath, top: FilePath?) {
        self.root = root
        self.top = top
    }

    /// Recognises the top folder by the name of the trash: the parent of `.Trash-1000`, the grandparent of
    /// `.Trash/1000`.
    init(root: FilePath) {
        self.root = root
        let name = root.lastComponent
        if name.starts(with: Self.ownPrefix.utf8) {
            top = root.directory
        } else if root.directory.lastComponent.elementsEqual(Self.shared.utf8) {
            top = root.directory.directory
        } else {
            top = nil
        }
    }

    /// The `Path` of a file from `location`: relative to the top folder, or absolute in the home trash.
    func notedPath(of location: FilePath) -> FilePath {
        guard let top, location.isSameOrBelow(top) else { return location }
        return FilePath(location.bytes.dropFirst(top == .root ? 1 : top.bytes.count + 1))
    }

    /// The absolute path for the `Path` of a `.trashinfo`. Nil for a path that the specification does not allow here: a
    /// relative one in the home trash, an absolute one elsewhere, and any with `.`, `..`, an empty part or a NUL.
    func location(ofNoted path: FilePath) -> FilePath? {
        guard path.isAbsolute == (top == nil) else { return nil }
        let location = top?.appending(path.bytes) ?? path
        return location.isPlain && location != top ? location : nil
    }

    /// True if a file from `location` can be in this trash.
    func canHold(_ location: FilePath) -> Bool { location.isPlain && (top.map(location.isSameOrBelow) ?? true) }
}
