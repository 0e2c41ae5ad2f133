/// All that the readers of one file have found so far, before the rules choose among it (`metadata`).
struct MetadataFindings {
    var format: MediaFormat
    var exif = ExifFields()
    var xmp = XMPMetadata()
    /// As stored, before orientation.
    var width: Int?
    var height: Int?
    /// What a container says itself (`irot`, `imir`, `tkhd`): the EXIF tag is then only a copy.
    var containerOrientation: Orientation?
    var hasContainerOrientation = false
    /// `com.apple.quicktime.creationdate`, else `mvhd`, else `©day` of the user data.
    var quickTimeDate: CaptureDate?
    var movieDate: CaptureDate?
    var contentDate: CaptureDate?
    /// The keyword Creation Time of PNG, which stands for xmp:CreateDate.
    var creationTime: CaptureDate?
    /// DateCreated and TimeCreated of IPTC.
    var iptcDate: CaptureDate?
    var quickTimeLocation: Coordinate?
    var make: String?
    var model: String?
    var duration: Double?
    var contentIdentifier: String?
    /// What a JPEG file holds beside its picture.
    var extras = JPEGExtras()
    var problems: [Problem] = []

    init(format: MediaFormat) { self.format = format }

    /// A date that a container tells; hour 24 in it is a problem.
    mutating func date(_ text: DateText, _ source: CaptureDate.Source) -> CaptureDate {
        if text.hasHour24 { problems.append(.hour24(in: source.rawValue)) }
        return text.captureDate(source)
    }

    /// A later packet of the same file fills in what an earlier one left open.
    mutating func merge(_ packet: XMPMetadata) {
        if xmp.rating == nil { xmp.rating = packet.rating }
        if xmp.ratingPercent == nil { xmp.ratingPercent = packet.ratingPercent }
        if xmp.captureDate == nil { xmp.captureDate = packet.captureDate }
        if xmp.location == nil { xmp.location = packet.location }
        if xmp.make == nil { xmp.make = packet.make }
        if xmp.model == nil { xmp.model = packet.model }
        xmp.problems += packet.problems
    }

    /// True where a packet may hold something that counts and is not known yet. Most packets of cameras do not, and
    /// parsing one takes longer than all the rest.
    func isOpen(to packet: ByteView, now: WallClock) -> Bool {
        // In UTF-16 every other byte is NUL, and the words below are not found.
        if packet.starts(with: "<\0") || packet[0] == 0 || packet[0] ?? 0 >= 0xFE { return true }
        if xmp.rating == nil, packet.contains("Rating") { return true }
        if exif.location == nil, xmp.location == nil, packet.contains("GPSLatitude") { return true }
        if exif.make == nil, xmp.make == nil, packet.contains(":Make") { return true }
        if exif.model == nil, xmp.model == nil, packet.contains(":Model") { return true }
        return !hasExifDate(now: now) && xmp.captureDate == nil && packet.contains("Date")
    }

    /// True where IPTC, which comes behind EXIF, XMP and QuickTime, could tell the date.
    func isOpenToIPTC(now: WallClock) -> Bool {
        iptcDate == nil && !hasExifDate(now: now)
            && (xmp.captureDate ?? creationTime ?? quickTimeDate ?? movieDate ?? contentDate) == nil
    }

    private func hasExifDate(now: WallClock) -> Bool {
        [exif.original, exif.digitized].contains { $0.date?.isPlausible(now: now) == true }
    }

    consuming func metadata(now: WallClock) -> MediaMetadata {
        var result = MediaMetadata(format: format)
        result.problems = problems + xmp.problems
        result.orientation = hasContainerOrientation ? containerOrientation : exif.orientation
        let turns = result.orientation?.swapsAxes == true
        result.width = Self.pixels(turns ? height : width)
        result.height = Self.pixels(turns ? width : height)
        result.captureDate = captureDate(now: now, problems: &result.problems)
        result.make = exif.make ?? make ?? xmp.make
        result.model = exif.model ?? model ?? xmp.model
        result.lens = exif.lens
        result.location = exif.location ?? xmp.location ?? quickTimeLocation
        result.rating =
            xmp.rating ?? exif.rating ?? (exif.ratingPercent ?? xmp.ratingPercent).flatMap(XMPMetadata.stars)
        result.duration = duration
        result.contentIdentifier = contentIdentifier
        result.isScreenshot = exif.isScreenshot
        return result
    }

    /// Nil for 0 and for what only a damaged file says; the product of two sizes always fits an Int.
    private static func pixels(_ size: Int?) -> Int? { size.flatMap { (1...0x7FFF_FFFF).contains($0) ? $0 : nil } }

    /// The first that is valid, in the order of `CaptureDate.Source`.
    private func captureDate(now: WallClock, problems: inout [Problem]) -> CaptureDate? {
        if let date = exif.original.captureDate(.dateTimeOriginal, now: now, problems: &problems) { return date }
        if let date = exif.digitized.captureDate(.dateTimeDigitized, now: now, problems: &problems) { return date }
        if let date = xmp.captureDate ?? creationTime ?? quickTimeDate ?? movieDate ?? contentDate ?? iptcDate {
            return date
        }
        return exif.modified.captureDate(.dateTime, now: now, problems: &problems)
    }
}

extension ExifFields.Moment {
    fileprivate func captureDate(
        _ source: CaptureDate.Source, now: WallClock, problems: inout [Problem]
    ) -> CaptureDate? {
        guard let date, date.isPlausible(now: now) else { return nil }
        if date.hasHour24 { problems.append(.hour24(in: source.rawValue)) }
        // A fraction of a second that is not known itself says nothing.
        var known = date
        known.subseconds = date.precision == .second ? subseconds : nil
        known.offsetMinutes = offsetMinutes
        return known.captureDate(source)
    }
}

extension Problem {
    static func hour24(in place: String) -> Problem { Problem("hour 24 in \(place) read as 00 of that day") }
}
