extension ContentSameness {
    /// True where both files are still the same. Throws where one of them cannot be read.
    func holds(
        between left: ComparedFile, and right: ComparedFile, _ comparison: inout FileComparison
    ) throws(POSIXError) -> Bool {
        switch self {
        case .bytes: return try comparison.areEqual(left, right)
        case .pixels:
            var reader = DigestReader()
            return try reader.areEqual(left, right)
        }
    }
}

/// Of the photos of a group, the one that stays, as the search saw it.
package struct KeptCopy: Hashable, Sendable {
    package var path: FilePath
    package var companions: [FilePath]
    package var identity: FileIdentity
    /// Nil for look-alikes and bursts: only the eye can say whether they still are.
    package var sameness: ContentSameness?
    /// Why it stays rather than the other one, in words.
    package var reason: String?
    /// What the user has said in favour of the other one: `rated 4`.
    package var favor: String?

    package init(
        path: FilePath, companions: [FilePath] = [], identity: FileIdentity, sameness: ContentSameness? = nil
    ) {
        self.path = path
        self.companions = companions
        self.identity = identity
        self.sameness = sameness
    }

    init(_ photo: Photo, sameness: ContentSameness?, reason: String? = nil) {
        self.init(path: photo.path, companions: photo.companions, identity: photo.identity, sameness: sameness)
        self.reason = reason
    }
}
