/// What to list, of which folders and files, and in which order.
public struct LibraryQuery: Sendable {
    /// How much of each photo the caller will look at. No more of a file is read than that and the predicates need.
    public enum Detail: Equatable, Sendable {
        /// Path, kind, format, sizes and times of the file, companions: what paths and counts need.
        case file
        /// What these need as well.
        case fields(Predicate.Needs)
        /// Every field of `Photo`.
        case everything

        var needs: Predicate.Needs {
            switch self {
            case .file: []
            case .fields(let needs): needs
            case .everything: [.metadata, .rating, .date, .location]
            }
        }
    }

    /// Folders and files, as the user wrote them.
    public var operands: [FilePath]
    /// What the operands lead to, where the caller resolved it; else each search does.
    var roots: LibraryRoots?
    public var includeHidden = false
    /// False: every media file is a row of its own, without companions.
    public var units = true
    /// Folders that are passed over where they are met below an operand: the output folder of this very run.
    public var excludedFolders: [FilePath] = []
    /// All of them must hold.
    public var predicates: [Predicate]
    public var order: SortOrder
    public var limit: Int?
    public var useIndex = true
    public var detail = Detail.everything
    /// Asked by `--broken`.
    public var judge: PictureJudge?
    /// In UTC.
    public var now: WallClock

    public init(
        operands: [FilePath], predicates: [Predicate] = [], order: SortOrder = SortOrder(.path), limit: Int? = nil,
        now: WallClock
    ) {
        self.operands = operands
        self.predicates = predicates
        self.order = order
        self.limit = limit
        self.now = now
    }
}
