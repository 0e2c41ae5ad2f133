/// Everything that the readers of one file have found, before `metadata` applies the order of sources.
struct MetadataFindings {
    var format: MediaFormat
    var exif = ExifFields()
    var xmp = XMPMetadata()
    /// As stored, before the orientation is applied.
    var width: Int?
    var height: Int?
    /// The orientation of the container (`irot`, `imir`, `tkhd`), which makes the EXIF tag a mere copy.
    var containerOrientation: Orientation?
    var hasContainerOrientation = false
    /// `com.apple.quicktime.creationdate`, otherwise `mvhd`, otherwise `©day` of the user data.
    var quickTimeDate: CaptureDate?
    var movieDate: CaptureDate?
    var contentDate: CaptureDate?
    /// The PNG keyword Creation Time, which is equivalent to xmp:CreateDate.
    var creationTime: CaptureDate?
    /// DateCreated and TimeCreated of IPTC.
    var iptcDate: CaptureDate?
    var quickTimeLocation: Coordinate?
    var make: String?
    var model: String?
    var duration: Double?
    var contentIdentifier: String?
    /// What a JPEG file holds in addition to its picture.
    var extras = JPEGExtras()
    var problems: [Problem] = []

    init(format: MediaFormat) { self.format = format }

    /// A date from a container; hour 24 adds a problem.
    mutating func date(_ text: DateText, _ source: CaptureDate.Source) -> CaptureDate {
        if text.hasHour24 { problems.append(.hour24(in: source.rawValue)) }
        return text.captureDate(source)
    }

    mutating func take(_ note: MakerNote) {
        if contentIdentifier == nil { contentIdentifier = note.contentIdentifier }
        if exif.shot.burst == nil { exif.shot.burst = note.burst }
        exif.shot.isBracketed = exif.shot.isBracketed || note.isBracketed
        exif.shot.isFocusBracketed = note.isFocusBracketed
        exif.shot.isPanoramaPart = note.isPanoramaPart
    }

    /// Takes values that earlier packets of the same file did not have.
    mutating func merge(_ packet: XMPMetadata) {
        if xmp.rating == nil { xmp.rating = packet.rating }
        if xmp.ratingPercent == nil { xmp.ratingPercent = packet.ratingPercent }
        if xmp.captureDate == nil { xmp.captureDate = packet.captureDate }
        if xmp.location == nil { xmp.location = packet.location }
        if xmp.make == nil { xmp.make = packet.make }
        if xmp.model == nil { xmp.model = packet.model }
        xmp.problems += packet.problems
    }

    /// True if a packet may hold a value that is needed and not known yet. Most packets of cameras do not, and parsing
    /// one takes longer than everything else.
    func isOpen(to packet: ByteView, now: WallClock) -> Bool {
        // In UTF-16 every other byte is NUL, so the search for words below would fail.
        if packet.starts(with: "<\0") || packet[0] == 0 || packet[0] ?? 0 >= 0xFE { return true }
        if xmp.rating == nil, packet.contains("Rating") { return true }
        if exif.location == nil, xmp.location == nil, packet.contains("GPSLatitude") { return true }
        if exif.make == nil, xmp.make == nil, packet.contains(":Make") { return true }
        if exif.model == nil, xmp.model == nil, packet.contains(":Model") { return true }
        return !hasExifDate(now: now) && xmp.captureDate == nil && packet.contains("Date")
    }

    /// True if no source that takes precedence over IPTC (EXIF, XMP, QuickTime) has a date.
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
        result.shot = exif.shot
        return result
    }

    /// Nil for 0, and for sizes that only a damaged file claims; the product of two sizes always fits into an Int.
    private static func pixels(_ size: Int?) -> Int? { size.flatMap { (1...0x7FFF_FFFF).contains($0) ? $0 : nil } }

    /// The first valid date in the order of `CaptureDate.Source`.
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
        // Subseconds are meaningless if the second is not known.
        var known = date
        known.subseconds = date.precision == .second ? subseconds : nil
        known.offsetMinutes = offsetMinutes
        return known.captureDate(source)
    }
}

extension Problem {
    static func hour24(in place: String) -> Problem { Problem("hour 24 in \(place) read as 00 of that day") }
}
