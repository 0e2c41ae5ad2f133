/// When a photo was taken, and how that is known (SPEC: capture date).
public struct CaptureDate: Hashable, Sendable {
    public enum Source: String, CaseIterable, Sendable {
        case dateTimeOriginal = "exif.DateTimeOriginal"
        case dateTimeDigitized = "exif.DateTimeDigitized"
        case xmp
        case quickTime = "quicktime"
        case dateTime = "exif.DateTime"
        case name
        case modified = "mtime"
    }

    public enum Precision: String, Sendable {
        case second, subsecond, day
    }

    /// The clock where the photo was taken.
    public let wall: WallClock
    /// The digits behind the seconds as they were written, without the point: `070`.
    public let subseconds: String?
    /// Minutes east of UTC; nil where the file does not say. 0 is written as `Z` only where the source is UTC by rule.
    public let offsetMinutes: Int?
    public let source: Source
    public let precision: Precision

    public init(
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
    public static func modified(ns: Int128) -> CaptureDate? {
        let wall = WallClock.utc(ns: ns)
        return wall.isInCalendar ? CaptureDate(wall: wall, offsetMinutes: 0, source: .modified) : nil
    }

    /// `2024-05-01T12:00:00.25+02:00`; `Z` for UTC; no suffix where the zone is unknown.
    public var text: String {
        var text = wall.text
        if let subseconds { text += "." + subseconds }
        if let offsetMinutes { text += Self.offsetText(offsetMinutes) }
        return text
    }

    /// The moment on the UTC clock; a date without a zone counts as UTC there.
    public var utc: WallClock { wall.adding(seconds: -(Int128(offsetMinutes ?? 0) * 60)) }

    static func offsetText(_ minutes: Int) -> String {
        if minutes == 0 { return "Z" }
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return (minutes < 0 ? "-" : "+") + two(abs(minutes) / 60) + ":" + two(abs(minutes) % 60)
    }
}

extension WallClock {
    /// The UTC clock at `ns` nanoseconds since 1970.
    public static func utc(ns: some BinaryInteger) -> WallClock {
        let (seconds, rest) = Int128(clamping: ns).quotientAndRemainder(dividingBy: 1_000_000_000)
        return WallClock(seconds: Int64(clamping: rest < 0 ? seconds - 1 : seconds))
    }
}
