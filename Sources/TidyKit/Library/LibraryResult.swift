/// The photos that a query found, and what there is to say about the search.
package struct LibraryResult: Sendable {
    /// In the order of the query, no more than its limit.
    package var photos: [Photo] = []
    package var warnings: [LibraryWarning] = []
    package var statistics = LibraryStatistics()
    /// With `--duplicate`: of each photo that has a copy of its bytes, the one that stays, which may be itself.
    package var keptCopies: [FilePath: KeptCopy] = [:]

    package init() {}

    /// False where a part of the library could not be read: the run ends with 3.
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

/// What a search cost.
package struct LibraryStatistics: Hashable, Sendable {
    package var filesSeen = 0
    package var filesOpened = 0
    package var bytesRead: Int64 = 0
    /// Files that the index knew, so that they were not opened.
    package var filesFromIndex = 0
    /// Why the index could not be read or written; nil where all went well, or where it was not asked.
    package var indexProblem: String?
    /// Entries passed over, by rule; a folder counts once, whatever it holds.
    package var skipped: [IgnoreRule: Int] = [:]

    package init() {}

    package static func += (left: inout LibraryStatistics, right: LibraryStatistics) {
        left.filesSeen += right.filesSeen
        left.filesOpened += right.filesOpened
        left.bytesRead = left.bytesRead.addingClamped(right.bytesRead)
        left.filesFromIndex += right.filesFromIndex
        left.indexProblem = left.indexProblem ?? right.indexProblem
        left.skipped.merge(right.skipped, uniquingKeysWith: +)
    }
}

/// What to list, of which folders and files, and in which order.
package struct LibraryQuery: Sendable {
    /// How much of each photo the caller will look at. No more of a file is read than that and the predicates need.
    package enum Detail: Equatable, Sendable {
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
    package var operands: [FilePath]
    /// What the operands lead to, where the caller resolved it; else each search does.
    var roots: LibraryRoots?
    package var includeHidden = false
    /// False: every media file is a row of its own, without companions.
    package var units = true
    /// Folders that are passed over where they are met below an operand: the output folder of this very run.
    package var excludedFolders: [FilePath] = []
    /// All of them must hold.
    package var predicates: [Predicate]
    package var order: SortOrder
    package var limit: Int?
    package var useIndex = true
    package var detail = Detail.everything
    /// Asked by `--broken`.
    package var damageDetector: DamageDetector?
    /// In UTC.
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

/// What keeps a library from being read at all.
package enum LibraryError: Error, Equatable, Sendable {
    /// An operand that does not exist: never the same as an empty folder.
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
