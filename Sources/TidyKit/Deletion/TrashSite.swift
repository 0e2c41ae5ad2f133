/// Where a trash is, or could be made.
struct TrashSite: Hashable, Sendable {
    /// The folder that holds `files` and `info`.
    let root: FilePath
    /// The top folder of the filesystem, for `$topdir/.Trash/$uid` and `$topdir/.Trash-$uid`; nil for the home trash.
    let top: FilePath?

    /// Makes the folder where it is missing, for its owner alone.
    func create() throws(POSIXError) {
        if top == nil {
            try FileSystem.createFolders(root, permissions: 0o700)
        } else {
            do { try FileSystem.createFolder(root, permissions: 0o700) } catch {
                if !error.isOccupied { throw error }
            }
        }
    }

    /// The site of a trash that a journal names.
    init(root: FilePath, top: FilePath?) {
        self.root = root
        self.top = top
    }

    /// As above, told by the name: `.Trash-1000` stands in its top folder, `.Trash/1000` one deeper.
    init(root: FilePath) {
        self.root = root
        let name = root.lastComponent
        if name.starts(with: ".Trash-".utf8) {
            top = root.directory
        } else if root.directory.lastComponent.elementsEqual(".Trash".utf8) {
            top = root.directory.directory
        } else {
            top = nil
        }
    }
}
