/// The photos that a query found, and what there is to say about the search.
public struct LibraryResult: Sendable {
    /// In the order of the query, no more than its limit.
    public var photos: [Photo] = []
    public var warnings: [LibraryWarning] = []
    public var statistics = LibraryStatistics()
    /// With `--duplicate`: of each photo that has a copy of its bytes, the one that stays, which may be itself.
    public var keptCopies: [FilePath: KeptCopy] = [:]

    public init() {}

    /// False where a part of the library could not be read: the run ends with 3.
    public var isComplete: Bool { warnings.isEmpty }
}

/// A part of the library that is missing from the result.
public struct LibraryWarning: Hashable, Sendable, CustomStringConvertible {
    public let path: FilePath
    public let reason: String

    public init(path: FilePath, reason: String) {
        self.path = path
        self.reason = reason
    }

    public var description: String { "\(path.displayText): \(reason)" }
}

/// What a search cost.
public struct LibraryStatistics: Hashable, Sendable {
    public var filesSeen = 0
    public var filesOpened = 0
    public var bytesRead: Int64 = 0
    /// Files that the index knew, so that they were not opened.
    public var filesFromIndex = 0
    /// Why the index could not be read or written; nil where all went well, or where it was not asked.
    public var indexProblem: String?
    /// Entries passed over, by rule; a folder counts once, whatever it holds.
    public var skipped: [IgnoreRule: Int] = [:]

    public init() {}

    public static func += (left: inout LibraryStatistics, right: LibraryStatistics) {
        left.filesSeen += right.filesSeen
        left.filesOpened += right.filesOpened
        left.bytesRead = left.bytesRead.addingClamped(right.bytesRead)
        left.filesFromIndex += right.filesFromIndex
        left.indexProblem = left.indexProblem ?? right.indexProblem
        left.skipped.merge(right.skipped, uniquingKeysWith: +)
    }
}
