/// Files of one folder that share a stem, and the sidecars that are about them. What of it is one photo shows only when
/// the contents are known.
public struct NameGroup: Sendable, Equatable {
    /// Indices into the names that were grouped; at least one. Not sidecars.
    public var files: [Int]
    public var sidecars: [Sidecar] = []

    public struct Sidecar: Sendable, Equatable {
        /// Index into the names that were grouped.
        public let index: Int
        /// The file that it names; nil where it names the stem alone, and thereby any of the files.
        public let target: Int?
        public let kind: SidecarKind
        /// Which of several stems it stands beside, where groups have been joined.
        public var stem = 0
        /// True for the JSON of the original, which an edited copy reads and which moves with the original.
        public var isBorrowed = false

        public init(index: Int, target: Int?, kind: SidecarKind, stem: Int = 0, isBorrowed: Bool = false) {
            self.index = index
            self.target = target
            self.kind = kind
            self.stem = stem
            self.isBorrowed = isBorrowed
        }
    }
}
