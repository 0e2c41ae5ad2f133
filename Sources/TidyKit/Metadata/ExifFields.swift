/// The values that this program needs from an EXIF block, entry by entry. If a tag occurs twice, the first valid value
/// counts.
struct ExifFields {
    /// The directories of EXIF 2.32, section 4.6.1. IFD1 describes the thumbnail and is never read.
    enum Directory {
        case primary, exif, gps
    }

    /// A date with the two tags that belong to it (EXIF 2.32, section 4.6.5 D).
    struct Moment {
        var date: DateText?
        var subseconds: String?
        var offsetMinutes: Int?
        /// True if the tag was in the Exif IFD, which takes precedence over the same tag misplaced in IFD0.
        var isInPlace = false
    }

    var original = Moment()
    var digitized = Moment()
    var modified = Moment()
    var make: String?
    var model: String?
    var lens: String?
    var orientation: Orientation?
    var rating: Int?
    var ratingPercent: Int?
    var latitude: Double?
    var longitude: Double?
    var latitudeSign: Double?
    var longitudeSign: Double?
    /// GPSStatus is `V`: the receiver had no fix, and the position is old or meaningless.
    var isPlaceVoid = false
    var isScreenshot = false
    /// PixelXDimension and PixelYDimension, for example of the main picture in a RAW file.
    var pixelWidth: Int?
    var pixelHeight: Int?
    var shot = ShotTraits()

    /// Nil unless both numbers and both hemispheres are known.
    var location: Coordinate? {
        guard !isPlaceVoid, let latitude, let longitude, let latitudeSign, let longitudeSign else { return nil }
        return .recorded(latitude: latitude * latitudeSign, longitude: longitude * longitudeSign)
    }

    mutating func read(_ tag: Int, in directory: Directory, _ value: TIFFValue) {
        if directory == .gps { return readPlace(tag, value) }
        let isInPlace = directory == .exif
        switch tag {
        case 0x9003: Self.read(value, into: &original, isInPlace)
        case 0x9004: Self.read(value, into: &digitized, isInPlace)
        case 0x0132: Self.read(value, into: &modified, !isInPlace)
        case 0x9291: Self.readSubseconds(value, into: &original)
        case 0x9292: Self.readSubseconds(value, into: &digitized)
        case 0x9290: Self.readSubseconds(value, into: &modified)
        case 0x9011: Self.readOffset(value, into: &original)
        case 0x9012: Self.readOffset(value, into: &digitized)
        case 0x9010: Self.readOffset(value, into: &modified)
        case 0x010F where !isInPlace && make == nil: make = value.characters.text
        case 0x0110 where !isInPlace && model == nil: model = value.characters.text
        case 0xA434 where lens == nil: lens = value.characters.text
        case 0x0112 where !isInPlace && orientation == nil: orientation = value.wholeNumber.flatMap(Orientation.init)
        case 0x4746 where rating == nil: rating = value.wholeNumber.flatMap { (-1...5).contains($0) ? $0 : nil }
        case 0x4749 where ratingPercent == nil: ratingPercent = value.wholeNumber
        case 0x9286: isScreenshot = isScreenshot || Self.marksScreenshot(value.bytes)
        case 0xA002 where pixelWidth == nil: pixelWidth = value.integer()
        case 0xA003 where pixelHeight == nil: pixelHeight = value.integer()
        default: readShot(tag, value)
        }
    }

    private mutating func readShot(_ tag: Int, _ value: TIFFValue) {
        switch tag {
        case 0xA431 where shot.serial == nil: shot.serial = value.characters.text
        case 0x9204 where shot.exposureBias == nil: shot.exposureBias = Self.thousandths(value)
        case 0x9206 where shot.subjectDistance == nil:
            // 0 is unknown, and all bits set are infinity.
            shot.subjectDistance = Self.thousandths(value).flatMap { $0 > 0 && $0 < 4_000_000 ? $0 : nil }
        case 0xA402: shot.isBracketed = shot.isBracketed || value.integer() == 2
        case 0x0131, 0x000B: shot.isEdited = shot.isEdited || EditorNames.isNamed(in: value.characters)
        default: break
        }
    }

    private static func thousandths(_ value: TIFFValue) -> Int? {
        value.number().flatMap { Int(exactly: ($0 * 1000).rounded()) }
    }

    private static func read(_ value: TIFFValue, into moment: inout Moment, _ isInPlace: Bool) {
        guard moment.date == nil || isInPlace && !moment.isInPlace, let date = DateText(exif: value.characters) else {
            return
        }
        moment.date = date
        moment.isInPlace = isInPlace
    }

    private static func readSubseconds(_ value: TIFFValue, into moment: inout Moment) {
        if moment.subseconds == nil { moment.subseconds = DateText.subseconds(value.characters) }
    }

    private static func readOffset(_ value: TIFFValue, into moment: inout Moment) {
        if moment.offsetMinutes == nil { moment.offsetMinutes = DateText.offset(value.characters) }
    }

    private mutating func readPlace(_ tag: Int, _ value: TIFFValue) {
        switch tag {
        case 1 where latitudeSign == nil: latitudeSign = Self.sign(value, negative: UInt8(ascii: "S"))
        case 2 where latitude == nil: latitude = Self.degrees(value)
        case 3 where longitudeSign == nil: longitudeSign = Self.sign(value, negative: UInt8(ascii: "W"))
        case 4 where longitude == nil: longitude = Self.degrees(value)
        case 9: isPlaceVoid = (value.characters[0] ?? 0) & 0xDF == UInt8(ascii: "V")
        default: break
        }
    }

    private static func sign(_ value: TIFFValue, negative: UInt8) -> Double {
        // An empty tag leaves the sign unchanged.
        (value.characters[0] ?? 0) & 0xDF == negative ? -1 : 1
    }

    /// Degrees, minutes and seconds, the last two optional. The result is nil if any part is not a number.
    private static func degrees(_ value: TIFFValue) -> Double? {
        if value.type == 2 { return degrees(written: value.characters) }
        var sum = 0.0
        for (index, unit) in [1.0, 60, 3600].enumerated() where index < value.count {
            guard let part = value.number(index) else { return nil }
            sum += part / unit
        }
        // The hemisphere has its own tag; a signed fraction must not invert it.
        return value.count > 0 ? abs(sum) : nil
    }

    /// The text that a few phones write: `52,0,50.5`, or degrees alone.
    private static func degrees(written text: ByteView) -> Double? {
        let parts = text.prefix(64).buffer.split(whereSeparator: { !(0x30...0x39).contains($0) && $0 != 0x2E })
        guard !parts.isEmpty else { return nil }
        var sum = 0.0
        for (part, unit) in zip(parts, [1.0, 60, 3600]) {
            guard let number = Double(String(decoding: part, as: UTF8.self)) else { return nil }
            sum += number / unit
        }
        return sum
    }

    /// iOS writes `Screenshot` after the eight bytes that name the character set.
    private static func marksScreenshot(_ comment: ByteView) -> Bool { comment.starts(with: "Screenshot", at: 8) }
}
