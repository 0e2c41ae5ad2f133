/// What came of one group: its photos, and what it cost.
struct GroupOutcome: Sendable {
    var rows: [Row] = []
    var warnings: [LibraryWarning] = []
    var filesOpened = 0
    var bytesRead: Int64 = 0
    var filesWithoutMedia = 0
    /// Files that were read to the end, to see whether they are whole.
    var picturesOpened = 0
    var pictureBytes: Int64 = 0
    var filesFromIndex = 0
    /// What was read from files, for the index.
    var contents: [(file: FileIdentity, content: IndexedContent)] = []

    /// Where orphans are asked for: the content identifiers of its stills, and its folder where a still could not be read.
    var stillIdentifiers: [String] = []
    var folderWithHiddenStill: [UInt8]?

    struct Row: Sendable {
        var subject: Subject
        /// False where a predicate said no, and the photo is kept only to be compared with others.
        var isMatch: Bool
        /// Why it may be an orphan; nil where it is none for certain.
        var claim: OrphanSearch.Claim?
    }
}
