/// The photos that a query found, and information about the search.
package struct LibraryResult: Sendable {
    /// In the order of the query, no more than its limit.
    package var photos: [Photo] = []
    package var warnings: [LibraryWarning] = []
    package var statistics = LibraryStatistics()
    /// For each photo of a group that could go, the one that stays.
    package var keptCopies: [FilePath: KeptCopy] = [:]
    /// The group of each photo that is in one, also of those that do not match; not numbered.
    package var memberships: [FilePath: GroupMembership] = [:]
    /// Which places of `--prefer` no file lies below or matches, counted from 0.
    package var unmatchedPreferences: [Int] = []
    /// How many of the copies are clones of what stays; only of sums that ask for it.
    package var clones = 0
    /// For each photo, its look-alikes of which the user has said that they are none.
    package var keptApart: [FilePath: [FilePath]] = [:]

    package init() {}

    /// False if a part of the library could not be read; the exit code is 3 then.
    package var isComplete: Bool { warnings.isEmpty }
}

/// A part of the library that is missing from the result.
package struct LibraryWarning: Hashable, Sendable, CustomStringConvertible {
    package let path: FilePath
    package let reason: String

    package init(path: FilePath, reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(path.displayText): \(reason)" }
}

/// The cost of a search.
package struct LibraryStatistics: Hashable, Sendable {
    package var filesSeen = 0
    package var filesOpened = 0
    package var bytesRead: Int64 = 0
    /// Files that were in the index and therefore not opened.
    package var filesFromIndex = 0
    /// Why the index could not be read or written; nil if there was no problem, or if the index was not used.
    package var indexProblem: String?
    /// Ignored entries, by rule; a folder counts once, whatever it contains.
    package var skipped: [IgnoreRule: Int] = [:]
    /// Files that were not compared because their pictures cannot be decoded here, by reason.
    package var notCompared: [String: Int] = [:]

    package init() {}

    /// Adds the costs of another part of the search. Keeps the first problem of the index.
    package static func += (left: inout LibraryStatistics, right: LibraryStatistics) {
        left.filesSeen += right.filesSeen
        left.filesOpened += right.filesOpened
        left.bytesRead = left.bytesRead.addingClamped(right.bytesRead)
        left.filesFromIndex += right.filesFromIndex
        left.indexProblem = left.indexProblem ?? right.indexProblem
        left.notCompared.merge(right.notCompared, uniquingKeysWith: +)
        left.skipped.merge(right.skipped, uniquingKeysWith: +)
    }
}

/// Which photos to list, and in which order.
package struct LibraryQuery: Sendable {
    /// How much of each photo the caller needs. No more of a file is read than this and the predicates require.
    package enum Detail: Equatable, Sendable {
        /// Path, kind, format, sizes and times of the file, companions: what paths and counts need.
        case file
        /// The same, and these.
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
    package var operands: [FilePath]
    /// The resolved folders of the operands; nil lets each search resolve them.
    var roots: LibraryRoots?
    package var includeHidden = false
    /// If false, every media file is a row of its own, without companions.
    package var units = true
    /// Folders that are ignored below an operand, such as the output folder of this run.
    package var excludedFolders: [FilePath] = []
    /// All of them must hold.
    package var predicates: [Predicate]
    /// How groups are made, where a predicate asks for them.
    package var grouping = GroupRequest()
    package var order: SortOrder
    package var limit: Int?
    package var useIndex = true
    package var detail = Detail.everything
    /// Decides for `--broken`.
    package var damageDetector: DamageDetector?
    /// The present time, in UTC.
    package var now: WallClock

    package init(
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

/// Why a library cannot be read at all.
package enum LibraryError: Error, Equatable, Sendable {
    /// An operand does not exist, which is not the same as an empty folder.
    case missing(FilePath)
    case unreadable(POSIXError)
    /// Ctrl-C.
    case interrupted
}

extension LibraryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path): "\(path.displayText): no such file or folder"
        case .unreadable(let error): (error.path.map { $0.displayText + ": " } ?? "") + error.reason
        case .interrupted: "interrupted"
        }
    }
}
