/// When a photo was taken, and how that is known (Docs/Reference.md, capture date).
package struct CaptureDate: Hashable, Sendable {
    package enum Source: String, CaseIterable, Sendable {
        case dateTimeOriginal = "exif.DateTimeOriginal"
        case dateTimeDigitized = "exif.DateTimeDigitized"
        case xmp
        /// QuickTime's own dates, and those of AVI.
        case quickTime = "quicktime"
        /// DateCreated of IPTC (IIM 4.2, dataset 2:55).
        case iptc
        case xmpSidecar = "xmp.sidecar"
        /// `photoTakenTime` of the JSON that Google Takeout puts beside a photo.
        case takeout
        case dateTime = "exif.DateTime"
        case name
        case modified = "mtime"
    }

    package enum Precision: String, Sendable {
        case second, subsecond, minute, day
    }

    /// The clock where the photo was taken.
    package let wall: WallClock
    /// The digits behind the seconds as they were written, without the point: `070`.
    package let subseconds: String?
    /// Minutes east of UTC; nil where the file does not say. 0 is written as `Z` only where the source is UTC by rule.
    package let offsetMinutes: Int?
    package let source: Source
    package let precision: Precision

    package init(
        wall: WallClock, subseconds: String? = nil, offsetMinutes: Int? = nil, source: Source,
        precision: Precision? = nil
    ) {
        self.wall = wall
        self.subseconds = subseconds
        self.offsetMinutes = offsetMinutes
        self.source = source
        self.precision = precision ?? (subseconds == nil ? .second : .subsecond)
    }

    /// The date that a file's `st_mtim` stands for; always UTC. Nil outside the years 1 to 9999.
    package static func modified(ns: Int128) -> CaptureDate? {
        let wall = WallClock.utc(ns: ns)
        return wall.isInCalendar ? CaptureDate(wall: wall, offsetMinutes: 0, source: .modified) : nil
    }

    /// As `modified(ns:)`, where no better capture date is known; nil also in a year that no photo can be of.
    package static func modified(ns: Int128, now: WallClock) -> CaptureDate? {
        modified(ns: ns).flatMap { $0.wall.isPlausible(now: now) ? $0 : nil }
    }

    /// True where nothing tells what the clock on the wall showed, but only when it was on UTC: time stamps, Takeout, the
    /// header of a movie, and names that count from 1970 or are written in UTC.
    package var isInstant: Bool {
        switch source {
        case .modified, .takeout: true
        case .quickTime, .name: offsetMinutes == 0
        default: false
        }
    }

    /// The same as another source tells it.
    package func from(_ source: Source) -> CaptureDate {
        CaptureDate(
            wall: wall, subseconds: subseconds, offsetMinutes: offsetMinutes, source: source, precision: precision)
    }

    /// `2024-05-01T12:00:00.25+02:00`; `Z` for UTC; no suffix where the zone is unknown.
    package var text: String {
        var text = wall.text
        if let subseconds { text += "." + subseconds }
        if let offsetMinutes { text += Self.offsetText(offsetMinutes) }
        return text
    }

    /// The moment on the UTC clock; a date without a zone is one of `zone`.
    package func utc(in zone: TimeZone) -> WallClock {
        guard let offsetMinutes else { return zone.utc(of: wall) }
        return wall.adding(seconds: -(Int128(offsetMinutes) * 60))
    }

    /// What people read and compare: the clock where the photo was taken, or that of `zone` where only the instant is known.
    package func wall(in zone: TimeZone) -> WallClock { isInstant ? zone.wall(of: wall) : wall }

    static func offsetText(_ minutes: Int) -> String {
        if minutes == 0 { return "Z" }
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return (minutes < 0 ? "-" : "+") + two(abs(minutes) / 60) + ":" + two(abs(minutes) % 60)
    }
}
