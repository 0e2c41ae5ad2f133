/// A photo that a list names: a path, and what else the list knew of it.
public struct ListedPhoto: Hashable, Sendable {
    public var path: FilePath
    /// What the file was when the list was made; nil where it does not say.
    public var identity: FileIdentity?
    public var isOffline: Bool

    public init(path: FilePath, identity: FileIdentity? = nil, isOffline: Bool = false) {
        self.path = path
        self.identity = identity
        self.isOffline = isOffline
    }
}
