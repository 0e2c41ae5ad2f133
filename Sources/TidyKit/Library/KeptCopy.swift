/// Of photos with the same bytes, the one that stays, as the search saw it.
public struct KeptCopy: Hashable, Sendable {
    public var path: FilePath
    public var companions: [FilePath]
    public var identity: FileIdentity

    public init(path: FilePath, companions: [FilePath] = [], identity: FileIdentity) {
        self.path = path
        self.companions = companions
        self.identity = identity
    }

    init(_ photo: Photo) {
        self.init(path: photo.path, companions: photo.companions, identity: photo.identity)
    }
}
