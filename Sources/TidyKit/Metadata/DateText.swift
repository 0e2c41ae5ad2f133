/// A date as cameras and editors write it: `YYYY:MM:DD HH:MM:SS` of EXIF, ISO 8601 of XMP and QuickTime.
struct DateText: Equatable {
    let wall: WallClock
    /// The digits behind the point, as they were written.
    var subseconds: String?
    /// Minutes east of UTC.
    var offsetMinutes: Int?
    /// `2016:01:26 24:48:30`: read as 00:48:30 of the stated day.
    var hasHour24 = false
    var isDayOnly = false

    init(wall: WallClock) { self.wall = wall }

    /// An EXIF date: 19 characters with `:` or `-` in the day, ` ` or `T` before the time; what follows is ignored,
    /// also a zone, which has a tag of its own. Nil for zeros, blanks, and what no calendar has.
    init?(exif text: ByteView) {
        guard let day = Self.day(text), let separator = text[10], separator == 0x20 || separator == 0x54,
            let time = Self.time(text, 11), let seconds = time.second
        else { return nil }
        self.init(day, hour: time.hour, minute: time.minute, second: seconds)
    }

    /// An ISO 8601 date: `2013-07-05`, `2013-07-05T03:18`, `2013-07-05T03:18:27.25+02:00`, and the same with `:` in the
    /// day. A year or a month alone is no capture date.
    init?(iso text: ByteView) {
        let text = text.trimmed
        guard let day = Self.day(text) else { return nil }
        guard let separator = text[10] else {
            self.init(day, hour: 0, minute: 0, second: 0)
            isDayOnly = true
            return
        }
        guard separator == 0x20 || separator == 0x54, let time = Self.time(text, 11) else { return nil }
        self.init(day, hour: time.hour, minute: time.minute, second: time.second ?? 0)
        var at = time.second == nil ? 16 : 19
        if let point = text[at], point == UInt8(ascii: ".") || point == UInt8(ascii: ","), time.second != nil {
            var end = at + 1
            while let digit = text[end], (0x30...0x39).contains(digit) { end += 1 }
            subseconds = Self.subseconds(text.slice(at + 1, end - at - 1) ?? .empty)
            at = end
        }
        offsetMinutes = Self.offset(text.from(at))
    }

    private init?(_ day: (year: Int, month: Int, day: Int), hour: Int, minute: Int, second: Int) {
        guard
            let wall = WallClock(
                year: day.year, month: day.month, day: day.day, hour: hour == 24 ? 0 : hour, minute: minute,
                second: second)
        else { return nil }
        self.wall = wall
        hasHour24 = hour == 24
    }

    private static func day(_ text: ByteView) -> (year: Int, month: Int, day: Int)? {
        guard let year = text.digits(0, 4), isSeparator(text[4]), let month = text.digits(5, 2), isSeparator(text[7]),
            let day = text.digits(8, 2)
        else { return nil }
        return (year, month, day)
    }

    private static func time(_ text: ByteView, _ at: Int) -> (hour: Int, minute: Int, second: Int?)? {
        guard let hour = text.digits(at, 2), text[at + 2] == UInt8(ascii: ":"), let minute = text.digits(at + 3, 2)
        else { return nil }
        guard text[at + 5] == UInt8(ascii: ":") else { return (hour, minute, nil) }
        guard let second = text.digits(at + 6, 2) else { return nil }
        return (hour, minute, second)
    }

    private static func isSeparator(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") }

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
    /// The years 1826, of the oldest photograph, to next year.
    func isPlausible(now: WallClock) -> Bool { (1826...now.date.year + 1).contains(wall.date.year) }

    func captureDate(_ source: CaptureDate.Source) -> CaptureDate {
        CaptureDate(
            wall: wall, subseconds: subseconds, offsetMinutes: offsetMinutes, source: source,
            precision: isDayOnly ? .day : nil)
    }
}
