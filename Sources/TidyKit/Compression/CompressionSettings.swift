/// What `compress` is asked for, with the defaults of Docs/Reference.md.
public struct CompressionSettings: Sendable, Equatable {
    public enum Effort: String, CaseIterable, Sendable { case fast, best }
    /// Density of chroma: by bits per pixel, a quarter, or full.
    public enum ChromaRule: String, CaseIterable, Sendable {
        case auto
        case quarter = "420"
        case full = "444"
    }

    /// Bytes that no output may exceed, metadata included.
    public var maximumBytes: Int64 = 150_000
    /// Long edge in pixels; nil for no bound.
    public var maximumEdge: Int?
    /// Qualities on the IJG scale, in tenths.
    public var topQuality = 92.0
    public var floorQuality = 75.0
    /// Long edge below which quality gives way instead of pixels.
    public var minimumEdge = 320
    public var metadata = MetadataPolicy.safe
    public var isProgressive = true
    public var effort = Effort.best
    public var chroma = ChromaRule.auto
    /// Per cent that recompression must save where the source fits the bytes already.
    public var minimumSavings = 0.0
    public var decoding = DecodingOptions()

    public init() {}
}

/// How much a compressed photo still says of itself (`--metadata`).
public enum MetadataPolicy: String, CaseIterable, Sendable {
    /// Only the colour profile.
    case none
    /// Date, camera, lens, exposure, artist, copyright and the profile; no location, notes, numbers, thumbnails or texts.
    case safe
    /// All that is still true of the new picture.
    case all
}
