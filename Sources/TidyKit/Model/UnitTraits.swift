/// What belongs to a photo besides its main file.
public struct UnitTraits: Hashable, Sendable {
    public var hasLive = false
    public var hasSidecar = false
    /// Formats of the RAW files of a pair.
    public var rawFormats: [MediaFormat] = []

    /// True for each file of a pair, where the pair is split as well.
    public var hasRaw = false

    public init() {}
}
