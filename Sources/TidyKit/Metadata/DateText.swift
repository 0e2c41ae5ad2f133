/// A date as cameras and editors write it: `YYYY:MM:DD HH:MM:SS` of EXIF, ISO 8601 of XMP and QuickTime.
struct DateText: Equatable {
    let wall: WallClock
    /// The digits behind the point, as they were written.
    var subseconds: String?
    /// Minutes east of UTC.
    var offsetMinutes: Int?
    /// `2016:01:26 24:48:30`: read as 00:48:30 of the stated day.
    var hasHour24 = false
    /// What is known of the time behind the day.
    var precision = CaptureDate.Precision.second

    init(wall: WallClock) { self.wall = wall }

    /// An EXIF date: `YYYY:MM:DD HH:MM:SS`. Writers are sloppy: `/`, `-` or `.` stands between the parts, `T` or `:` before
    /// the time, and seconds or the whole time are absent or blank. What follows is ignored, also a zone, which has a tag of
    /// its own. Nil for zeros, blanks, and what no calendar has.
    init?(exif text: ByteView) {
        let text = text.untilNUL.trimmed
        guard let day = Self.day(text) else { return nil }
        if text.from(10).buffer.allSatisfy({ $0 == 0x20 || $0 == UInt8(ascii: ":") }) {
            self.init(day, nil)
            return
        }
        guard let separator = text[10], separator == 0x20 || separator == 0x54 || separator == UInt8(ascii: ":"),
            let time = Self.time(text, 11)
        else { return nil }
        // A second that is there must be one.
        if time.second == nil, text[16] == time.separator, text.from(17).buffer.contains(where: { $0 > 0x20 }) {
            return nil
        }
        self.init(day, time)
    }

    /// An ISO 8601 date: `2013-07-05`, `2013-07-05T03:18`, `2013-07-05T03:18:27.25+02:00`, and the same with `:` in the
    /// day. A year or a month alone is no capture date.
    init?(iso text: ByteView) {
        let text = text.trimmed
        guard let day = Self.day(text) else { return nil }
        guard let separator = text[10] else {
            self.init(day, nil)
            return
        }
        guard separator == 0x20 || separator == 0x54, let time = Self.time(text, 11),
            time.separator == UInt8(ascii: ":")
        else { return nil }
        self.init(day, time)
        var at = time.second == nil ? 16 : 19
        if time.second == nil, text[at] == time.separator { return nil }
        if let point = text[at], point == UInt8(ascii: ".") || point == UInt8(ascii: ","), time.second != nil {
            var end = at + 1
            while let digit = text[end], (0x30...0x39).contains(digit) { end += 1 }
            subseconds = Self.subseconds(text.slice(at + 1, end - at - 1) ?? .empty)
            at = end
        }
        offsetMinutes = Self.offset(text.from(at))
    }

    /// - Parameter time: nil where only the day is known.
    private init?(_ day: (year: Int, month: Int, day: Int), _ time: Time?) {
        let hour = time?.hour ?? 0
        guard
            let wall = WallClock(
                year: day.year, month: day.month, day: day.day, hour: hour == 24 ? 0 : hour,
                minute: time?.minute ?? 0, second: time?.second ?? 0)
        else { return nil }
        self.wall = wall
        hasHour24 = hour == 24
        precision = time == nil ? .day : time?.second == nil ? .minute : .second
    }

    private static func day(_ text: ByteView) -> (year: Int, month: Int, day: Int)? {
        guard let year = text.digits(0, 4), isSeparator(text[4]), let month = text.digits(5, 2), isSeparator(text[7]),
            let day = text.digits(8, 2)
        else { return nil }
        return (year, month, day)
    }

    private struct Time {
        let hour: Int
        let minute: Int
        /// Nil where none is written.
        let second: Int?
        /// Between the parts.
        let separator: UInt8
    }

    private static func time(_ text: ByteView, _ at: Int) -> Time? {
        guard let hour = text.digits(at, 2), let separator = text[at + 2], isSeparator(separator),
            let minute = text.digits(at + 3, 2)
        else { return nil }
        let second = text[at + 5] == separator ? text.digits(at + 6, 2) : nil
        return Time(hour: hour, minute: minute, second: second, separator: separator)
    }

    private static func isSeparator(_ byte: UInt8?) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// The digits of a SubSec tag; nil where it holds anything else.
    static func subseconds(_ text: ByteView) -> String? {
        let digits = text.untilNUL.trimmed
        guard !digits.isEmpty, digits.count <= 32, digits.buffer.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return String(decoding: digits.buffer, as: UTF8.self)
    }

    /// Minutes of `+02:00`, `+0200`, `+02`, `Z`; nil for anything else, also for blanks and for 24 hours and more.
    static func offset(_ text: ByteView) -> Int? {
        let text = text.untilNUL.trimmed
        guard let sign = text[0] else { return nil }
        if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return text.count == 1 ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = text.digits(1, 2), hours < 24 else {
            return nil
        }
        var minutes = 0
        if text.count > 3 {
            let at = text[3] == UInt8(ascii: ":") ? 4 : 3
            guard text.count == at + 2, let value = text.digits(at, 2), value < 60 else { return nil }
            minutes = value
        }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }
}

extension DateText {
    func isPlausible(now: WallClock) -> Bool { wall.isPlausible(now: now) }

    func captureDate(_ source: CaptureDate.Source) -> CaptureDate {
        CaptureDate(
            wall: wall, subseconds: subseconds, offsetMinutes: offsetMinutes, source: source,
            precision: precision == .second ? nil : precision)
    }
}
