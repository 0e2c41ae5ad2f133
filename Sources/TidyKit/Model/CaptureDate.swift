/// When a photo was taken, and from where that is known (Docs/Reference.md, "Capture date").
package struct CaptureDate: Hashable, Sendable {
    /// Where the date was found. The raw values are those of `takenSource` and `--date-source`.
    package enum Source: String, CaseIterable, Sendable {
        case dateTimeOriginal = "exif.DateTimeOriginal"
        case dateTimeDigitized = "exif.DateTimeDigitized"
        case xmp
        /// The dates of QuickTime files, and those of AVI files.
        case quickTime = "quicktime"
        /// DateCreated of IPTC (IIM 4.2, dataset 2:55).
        case iptc
        case xmpSidecar = "xmp.sidecar"
        /// `photoTakenTime` in the JSON file that Google Takeout writes for a photo.
        case takeout
        case dateTime = "exif.DateTime"
        case name
        case modified = "mtime"

        /// True for what a camera itself has written into the file.
        package var isOfCamera: Bool {
            switch self {
            case .dateTimeOriginal, .dateTimeDigitized, .quickTime: true
            default: false
            }
        }
    }

    /// The smallest unit that the source states.
    package enum Precision: String, Sendable {
        case second, subsecond, minute, day
    }

    /// Local time where the photo was taken.
    package let wall: WallClock
    /// The digits of the fraction as they were written, without the point: `070`.
    package let subseconds: String?
    /// Minutes east of UTC; nil if the file does not say. 0 is written as `Z` only for sources that are UTC by
    /// definition.
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

    /// The date of a file's `st_mtim`, always in UTC. Nil outside the years 1 to 9999.
    package static func modified(ns: Int128) -> CaptureDate? {
        let wall = WallClock.utc(ns: ns)
        return wall.isInCalendar ? CaptureDate(wall: wall, offsetMinutes: 0, source: .modified) : nil
    }

    /// Like `modified(ns:)`, as a substitute for a capture date: also nil for years in which no photo can have been
    /// taken.
    package static func modified(ns: Int128, now: WallClock) -> CaptureDate? {
        modified(ns: ns).flatMap { $0.wall.isPlausible(now: now) ? $0 : nil }
    }

    /// True if only the moment is known and not the local time of the place: time stamps, Takeout, movie headers, and
    /// file names that count from 1970 or use UTC.
    package var isInstant: Bool {
        switch source {
        case .modified, .takeout: true
        case .quickTime, .name: offsetMinutes == 0
        default: false
        }
    }

    /// The same date with another source.
    package func from(_ source: Source) -> CaptureDate {
        CaptureDate(
            wall: wall, subseconds: subseconds, offsetMinutes: offsetMinutes, source: source, precision: precision)
    }

    /// `2024-05-01T12:00:00.25+02:00`; `Z` for UTC; no suffix if the zone is unknown.
    package var text: String {
        var text = wall.text
        if let subseconds { text += "." + subseconds }
        if let offsetMinutes { text += Self.offsetText(offsetMinutes) }
        return text
    }

    /// The moment in UTC. A date without a zone is taken as local time of `zone`.
    package func utc(in zone: TimeZone) -> WallClock {
        guard let offsetMinutes else { return zone.utc(of: wall) }
        return wall.adding(seconds: -(Int128(offsetMinutes) * 60))
    }

    /// The time that is shown and compared: local time where the photo was taken, or local time of `zone` for an
    /// instant.
    package func wall(in zone: TimeZone) -> WallClock { isInstant ? zone.wall(of: wall) : wall }

    static func offsetText(_ minutes: Int) -> String {
        if minutes == 0 { return "Z" }
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return (minutes < 0 ? "-" : "+") + two(abs(minutes) / 60) + ":" + two(abs(minutes) % 60)
    }
}
