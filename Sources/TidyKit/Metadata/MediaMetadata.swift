/// What the content of one photo or video says of itself. Names, times of the filesystem and sidecars are not in here,
/// so that the same bytes always give the same value.
public struct MediaMetadata: Sendable, Equatable {
    public var format: MediaFormat
    /// Upright, after `orientation`; in pixels. Nil where the file does not say, or says 0.
    public var width: Int?
    public var height: Int?
    /// EXIF tag 0x0112 where it is 1…8; for HEIF what `irot` and `imir` amount to, for videos the matrix of `tkhd`.
    public var orientation: Orientation?
    /// The first valid one of the sources that stand in the content: never `.name`, never `.modified`.
    public var captureDate: CaptureDate?
    /// EXIF tag 0x010F, QuickTime `com.apple.quicktime.make`.
    public var make: String?
    /// EXIF tag 0x0110, QuickTime `com.apple.quicktime.model`.
    public var model: String?
    /// EXIF tag 0xA434, LensModel.
    public var lens: String?
    /// The GPS IFD of EXIF, else XMP, else QuickTime.
    public var location: Coordinate?
    /// -1 (rejected), 0…5: XMP `xmp:Rating`, else EXIF tag 0x4746, else the percentage that Windows writes (0x4749).
    public var rating: Int?
    /// Seconds.
    public var duration: Double?
    /// What the two halves of a Live Photo share: Apple's maker note 0x0011 and QuickTime's `content.identifier`.
    public var contentIdentifier: String?
    /// iOS says so in UserComment (EXIF tag 0x9286).
    public var isScreenshot: Bool
    public var problems: [Problem]

    public init(format: MediaFormat) {
        self.format = format
        isScreenshot = false
        problems = []
    }
}
