/// The options of `compress`, with the defaults of Docs/Reference.md.
package struct CompressionSettings: Sendable, Equatable {
    /// How much time the encoder spends: `fast` rounds coefficients, `best` optimises them.
    package enum Effort: String, CaseIterable, Sendable { case fast, best }
    /// Chroma density: chosen by bits per pixel, quarter, or full.
    package enum ChromaRule: String, CaseIterable, Sendable {
        case auto
        case quarter = "420"
        case full = "444"
    }

    /// The maximum size of an output, metadata included.
    package var maximumBytes: Int64 = 150_000
    /// The maximum long edge in pixels; nil for no limit.
    package var maximumEdge: Int?
    /// Qualities on the IJG scale, with one decimal.
    package var topQuality = 92.0
    package var floorQuality = 75.0
    /// The long edge below which quality is lowered instead of the size.
    package var minimumEdge = 320
    package var metadata = MetadataPolicy.safe
    package var isProgressive = true
    package var effort = Effort.best
    package var chroma = ChromaRule.auto
    /// The saving in per cent that justifies recompressing a source that already fits.
    package var minimumSavings = 0.0
    package var decoding = DecodingOptions()

    package init() {}
}

/// Which metadata a compressed photo keeps (`--metadata`).
package enum MetadataPolicy: String, CaseIterable, Sendable {
    /// Only the colour profile.
    case none
    /// Date, camera, lens, exposure, artist, copyright and the profile; no location, notes, numbers, thumbnails or
    /// texts.
    case safe
    /// All metadata that are still true of the new picture.
    case all
}
