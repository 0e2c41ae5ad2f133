/// Sidecars that name a stem which several photos have: they belong to none alone, stay while one of the photos stands, and
/// go with the last.
public struct SharedSidecars: Hashable, Sendable {
    public var files: [FilePath]
    /// The main files of all photos that share them.
    public var photos: [FilePath]

    public init(files: [FilePath], photos: [FilePath]) {
        self.files = files
        self.photos = photos
    }
}
