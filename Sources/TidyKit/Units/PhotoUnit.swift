/// The files of one folder that share a stem, and their sidecars. Which of them are one photo is known only after their
/// contents are read.
package struct NameGroup: Sendable, Equatable {
    /// Indices into the names that were grouped; at least one, without sidecars.
    package var files: [Int]
    package var sidecars: [Sidecar] = []

    /// A file that describes the photo.
    package struct Sidecar: Sendable, Equatable {
        /// Index into the names that were grouped.
        package let index: Int
        /// The file that the sidecar names; nil if it names only the stem, and so refers to any of the files.
        package let target: Int?
        package let kind: SidecarKind
        /// The stem to which it belongs, if several groups were joined.
        package var stem = 0
        /// True for the JSON file of an original that also describes an edited copy. It moves with the original.
        package var isOfOriginal = false

        package init(index: Int, target: Int?, kind: SidecarKind, stem: Int = 0, isOfOriginal: Bool = false) {
            self.index = index
            self.target = target
            self.kind = kind
            self.stem = stem
            self.isOfOriginal = isOfOriginal
        }
    }
}

/// The files of one photo: shown as one row, and moved together or not at all.
package struct PhotoUnit: Hashable, Sendable {
    /// The file that the row shows: the JPEG or HEIC of a RAW pair, the still of a Live Photo.
    package var main: FilePath
    /// Live Photo MOV, AAE, XMP, RAW of a pair, Takeout JSON; sorted by bytes.
    package var companions: [FilePath]
    /// Nil if no sidecar is shared with another photo.
    package var shared: SharedSidecars?

    /// - Parameter shared: sidecars that other photos use too.
    package init(main: FilePath, companions: [FilePath] = [], shared: SharedSidecars? = nil) {
        self.main = main
        self.companions = companions
        self.shared = shared
    }
}
