/// What an XMP packet or sidecar says that this program asks for.
public struct XMPMetadata: Sendable, Equatable {
    /// `xmp:Rating`: -1 (rejected), 0…5.
    public var rating: Int?
    /// `MicrosoftPhoto:Rating`, 0…99.
    public var ratingPercent: Int?
    /// `exif:DateTimeOriginal`, else `photoshop:DateCreated`, else `xmp:CreateDate`; the source is `.xmp`.
    public var captureDate: CaptureDate?
    /// `exif:GPSLatitude` and `exif:GPSLongitude`.
    public var location: Coordinate?
    /// `tiff:Make` and `tiff:Model`, which count where EXIF has none.
    var make: String?
    var model: String?
    /// `tiff:Orientation`, which counts where EXIF has none, for pixels that are made anew.
    var orientation: Orientation?
    /// `dc:creator`, several of them with semicolons between, as EXIF has them; and `dc:rights`.
    var artist: String?
    var copyright: String?
    public var problems: [Problem] = []

    /// How a problem names the place.
    static let dateName = "an XMP date"

    public init() {}

    /// The stars that Windows shows for a percentage; 0 means that nobody rated.
    static func stars(percent: Int) -> Int? {
        switch percent {
        case 1...12: 1
        case 13...37: 2
        case 38...62: 3
        case 63...87: 4
        case 88...100: 5
        default: nil
        }
    }
}
