/// The files of one photo: they are listed as one row, and moved together or not at all.
public struct PhotoUnit: Hashable, Sendable {
    /// The file that the row is about: the JPEG or HEIC of a pair, the still of a Live Photo.
    public var main: FilePath
    /// Live Photo MOV, AAE, XMP, RAW of a pair, Takeout JSON; sorted by bytes.
    public var companions: [FilePath]
    /// Nil where no sidecar is another photo's too.
    public var shared: SharedSidecars?

    public init(main: FilePath, companions: [FilePath] = [], shared: SharedSidecars? = nil) {
        self.main = main
        self.companions = companions
        self.shared = shared
    }
}
