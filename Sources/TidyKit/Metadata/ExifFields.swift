/// What this program wants from an EXIF block, read entry by entry. Where a tag comes twice, the first that makes sense
/// counts.
struct ExifFields {
    /// The directories of EXIF 2.32, section 4.6.1. IFD1 describes the thumbnail and is never looked at.
    enum Directory {
        case primary, exif, gps
    }

    /// A date with the two tags that belong to it and to no other date (EXIF 2.32, section 4.6.5 D).
    struct Moment {
        var date: DateText?
        var subseconds: String?
        var offsetMinutes: Int?
        /// Stood in the Exif IFD, which wins over the same tag misplaced in IFD0.
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
    /// GPSStatus is `V`: the receiver had no fix, and what is written is an old place or none.
    var isPlaceVoid = false
    var isScreenshot = false
    /// PixelXDimension and PixelYDimension: of the main picture of a RAW file, say.
    var pixelWidth: Int?
    var pixelHeight: Int?

    /// Nil unless both numbers and both of their hemispheres are known: half a place is none.
    var location: Coordinate? {
        guard !isPlaceVoid, let latitude, let longitude, let latitudeSign, let longitudeSign else { return nil }
        return .recorded(latitude: latitude * latitudeSign, longitude: longitude * longitudeSign)
    }

    mutating func take(_ tag: Int, in directory: Directory, _ value: TIFFValue) {
        if directory == .gps { return takePlace(tag, value) }
        let isInPlace = directory == .exif
        switch tag {
        case 0x9003: Self.take(value, into: &original, isInPlace)
        case 0x9004: Self.take(value, into: &digitized, isInPlace)
        case 0x0132: Self.take(value, into: &modified, !isInPlace)
        case 0x9291: Self.takeSubseconds(value, into: &original)
        case 0x9292: Self.takeSubseconds(value, into: &digitized)
        case 0x9290: Self.takeSubseconds(value, into: &modified)
        case 0x9011: Self.takeOffset(value, into: &original)
        case 0x9012: Self.takeOffset(value, into: &digitized)
        case 0x9010: Self.takeOffset(value, into: &modified)
        case 0x010F where !isInPlace && make == nil: make = value.characters.text
        case 0x0110 where !isInPlace && model == nil: model = value.characters.text
        case 0xA434 where lens == nil: lens = value.characters.text
        case 0x0112 where !isInPlace && orientation == nil: orientation = value.wholeNumber.flatMap(Orientation.init)
        case 0x4746 where rating == nil: rating = value.wholeNumber.flatMap { (-1...5).contains($0) ? $0 : nil }
        case 0x4749 where ratingPercent == nil: ratingPercent = value.wholeNumber
        case 0x9286: isScreenshot = isScreenshot || Self.saysScreenshot(value.bytes)
        case 0xA002 where pixelWidth == nil: pixelWidth = value.integer()
        case 0xA003 where pixelHeight == nil: pixelHeight = value.integer()
        default: break
        }
    }

    private static func take(_ value: TIFFValue, into moment: inout Moment, _ isInPlace: Bool) {
        guard moment.date == nil || isInPlace && !moment.isInPlace, let date = DateText(exif: value.characters) else {
            return
        }
        moment.date = date
        moment.isInPlace = isInPlace
    }

    private static func takeSubseconds(_ value: TIFFValue, into moment: inout Moment) {
        if moment.subseconds == nil { moment.subseconds = DateText.subseconds(value.characters) }
    }

    private static func takeOffset(_ value: TIFFValue, into moment: inout Moment) {
        if moment.offsetMinutes == nil { moment.offsetMinutes = DateText.offset(value.characters) }
    }

    private mutating func takePlace(_ tag: Int, _ value: TIFFValue) {
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
        // A tag that is there but empty leaves the number as it is.
        (value.characters[0] ?? 0) & 0xDF == negative ? -1 : 1
    }

    /// Degrees, minutes and seconds, the last two optional. A part that is not a number makes the whole unknown.
    private static func degrees(_ value: TIFFValue) -> Double? {
        if value.type == 2 { return degrees(written: value.characters) }
        var sum = 0.0
        for (index, unit) in [1.0, 60, 3600].enumerated() where index < value.count {
            guard let part = value.number(index) else { return nil }
            sum += part / unit
        }
        // The hemisphere has a tag of its own; a signed fraction must not turn it again.
        return value.count > 0 ? abs(sum) : nil
    }

    /// A few phones write text: `52,0,50.5`, or degrees alone.
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

    /// iOS writes `Screenshot` behind the eight bytes that name the character set.
    private static func saysScreenshot(_ comment: ByteView) -> Bool { comment.starts(with: "Screenshot", at: 8) }
}
