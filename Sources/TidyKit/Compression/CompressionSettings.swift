/// What `compress` is asked for, with the defaults of Docs/Reference.md.
package struct CompressionSettings: Sendable, Equatable {
    package enum Effort: String, CaseIterable, Sendable { case fast, best }
    /// Density of chroma: by bits per pixel, a quarter, or full.
    package enum ChromaRule: String, CaseIterable, Sendable {
        case auto
        case quarter = "420"
        case full = "444"
    }

    /// Bytes that no output may exceed, metadata included.
    package var maximumBytes: Int64 = 150_000
    /// Long edge in pixels; nil for no bound.
    package var maximumEdge: Int?
    /// Qualities on the IJG scale, in tenths.
    package var topQuality = 92.0
    package var floorQuality = 75.0
    /// Long edge below which quality gives way instead of pixels.
    package var minimumEdge = 320
    package var metadata = MetadataPolicy.safe
    package var isProgressive = true
    package var effort = Effort.best
    package var chroma = ChromaRule.auto
    /// Per cent that recompression must save where the source fits the bytes already.
    package var minimumSavings = 0.0
    package var decoding = DecodingOptions()

    package init() {}
}

/// How much a compressed photo still says of itself (`--metadata`).
package enum MetadataPolicy: String, CaseIterable, Sendable {
    /// Only the colour profile.
    case none
    /// Date, camera, lens, exposure, artist, copyright and the profile; no location, notes, numbers, thumbnails or texts.
    case safe
    /// All that is still true of the new picture.
    case all
}
