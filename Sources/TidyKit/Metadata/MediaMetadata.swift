/// The metadata in the content of one photo or video. Names, time stamps and sidecars are not included, so the same
/// bytes always give the same value.
package struct MediaMetadata: Sendable, Equatable {
    package var format: MediaFormat
    /// In pixels, after `orientation` is applied. Nil if the file has no size, or 0.
    package var width: Int?
    package var height: Int?
    /// EXIF tag 0x0112 if it is 1…8; for HEIF, the equivalent of `irot` and `imir`; for videos, the matrix of `tkhd`.
    package var orientation: Orientation?
    /// The first valid date from a source within the content: never `.name` or `.modified`.
    package var captureDate: CaptureDate?
    /// EXIF tag 0x010F, QuickTime `com.apple.quicktime.make`.
    package var make: String?
    /// EXIF tag 0x0110, QuickTime `com.apple.quicktime.model`.
    package var model: String?
    /// EXIF tag 0xA434, LensModel.
    package var lens: String?
    /// The GPS IFD of EXIF, otherwise XMP, otherwise QuickTime.
    package var location: Coordinate?
    /// -1 (rejected) or 0…5: XMP `xmp:Rating`, otherwise EXIF tag 0x4746, otherwise the percentage of Windows (0x4749).
    package var rating: Int?
    /// In seconds.
    package var duration: Double?
    /// The identifier that both parts of a Live Photo share: Apple's maker note 0x0011 and QuickTime's
    /// `content.identifier`.
    package var contentIdentifier: String?
    /// From UserComment (EXIF tag 0x9286), as iOS writes it.
    package var isScreenshot: Bool
    package var shot = ShotTraits()
    package var problems: [Problem]

    /// Metadata of a file of which only the format is known.
    package init(format: MediaFormat) {
        self.format = format
        isScreenshot = false
        problems = []
    }
}
