/// What the user wants of groups: how they are made, which of each stays, and what is shown.
package struct GroupRequest: Sendable {
    /// `--keep`, in the order of the user.
    package var keep: [KeepRule] = [.best]
    /// `--prefer`, the most preferred first.
    package var preferred: [PlacePattern] = []
    /// `--protect` and `--against`.
    package var protected: [PlacePattern] = []
    /// `--against`: searched as well, and never matched.
    package var against: [FilePath] = []
    /// `--unique`: what has no partner.
    package var isUnique = false
    /// `--groups`: each group whole, what stays first.
    package var showsGroups = false
    /// Photos of selections, absolute.
    package var selected: Set<FilePath> = []

    /// True for two photos of which the user has said that they are not alike.
    package var areApart: (@Sendable (Photo, Photo) -> Bool)?

    package init() {}
}

/// A place of `--prefer` or `--protect`: a folder with all below it, a file, or a glob over paths. Library finds it on
/// the disk.
package enum PlacePattern: Sendable {
    /// Absolute, its links followed.
    case path(FilePath)
    case glob(Glob)

    /// - Parameter path: as the user named it.
    /// - Parameter location: absolute, the links of its folders followed.
    package func covers(_ path: FilePath, at location: FilePath) -> Bool {
        switch self {
        case .path(let place): location.isSameOrBelow(place)
        case .glob(let glob): glob.matches(FoldedText(path.bytes)) || glob.matches(FoldedText(location.bytes))
        }
    }
}
