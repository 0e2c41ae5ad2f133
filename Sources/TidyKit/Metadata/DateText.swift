/// A date in the syntax of cameras and editors: `YYYY:MM:DD HH:MM:SS` in EXIF, ISO 8601 in XMP and QuickTime.
struct DateText: Equatable {
    let wall: WallClock
    /// The digits of the fraction as they were written.
    var subseconds: String?
    /// Minutes east of UTC.
    var offsetMinutes: Int?
    /// `2016:01:26 24:48:30`, which is read as 00:48:30 of the stated day.
    var hasHour24 = false
    /// How much of the time of day is known.
    var precision = CaptureDate.Precision.second

    init(wall: WallClock) { self.wall = wall }

    /// An EXIF date: `YYYY:MM:DD HH:MM:SS`. Some writers use `/`, `-` or `.` between the parts and `T` or `:` before
    /// the time, or omit the seconds or the whole time. Anything that follows is ignored, including a zone, which has
    /// its own tag. Nil for zeros, blanks, and dates that no calendar has.
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
        // Seconds that are present must be valid.
        if time.second == nil, text[16] == time.separator, text.from(17).buffer.contains(where: { $0 > 0x20 }) {
            return nil
        }
        self.init(day, time)
    }

    /// An ISO 8601 date: `2013-07-05`, `2013-07-05T03:18`, `2013-07-05T03:18:27.25+02:00`, also with `:` between the
    /// parts of the day. A year or a month alone is not a capture date.
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

    /// - Parameter time: nil if only the day is known.
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
        /// Nil if the text has no seconds.
        let second: Int?
        /// The separator between the parts.
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

    /// The digits of a SubSec tag; nil for any other content.
    static func subseconds(_ text: ByteView) -> String? {
        let digits = text.untilNUL.trimmed
        guard !digits.isEmpty, digits.count <= 32, digits.buffer.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return String(decoding: digits.buffer, as: UTF8.self)
    }

    /// The minutes of `+02:00`, `+0200`, `+02` or `Z`; nil for anything else, including blanks and 24 hours or more.
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

extension DateText {
    /// A date in an AVI file. No standard defines its syntax: cameras write `MON SEP 10 20:52:00 2012` like asctime in
    /// C, `2005-11-28 10:11:12`, `2005/11/28/ 09:19` or `2001/ 1/27  1:42PM`.
    init?(riff text: ByteView) {
        let text = text.untilNUL.trimmed
        guard let date = Self.asctime(text) ?? DateText(exif: text) ?? DateText(iso: text) ?? Self.lenient(text) else {
            return nil
        }
        self = date
    }

    private static func asctime(_ text: ByteView) -> DateText? {
        let words = text.buffer.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 5, let month = months.firstIndex(of: words[1].lowercased()), let day = Int(words[2]),
            let year = Int(words[4]), words[4].utf8.count == 4
        else { return nil }
        let clock = words[3].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard clock.count == 3 else { return nil }
        return WallClock(year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2])
            .map(DateText.init(wall:))
    }

    /// Numbers separated by anything but letters, optionally followed by AM or PM.
    private static func lenient(_ text: ByteView) -> DateText? {
        let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) }
        let half = text.count > 2 ? text.from(text.count - 2) : .empty
        let isAfternoon = half.starts(with: "PM")
        let hasHalf = isAfternoon || half.starts(with: "AM")
        let clock = hasHalf ? text.prefix(text.count - 2) : text
        guard clock.buffer.allSatisfy({ isDigit($0) || " :/-.".utf8.contains($0) }) else { return nil }
        let numbers = clock.buffer.split { !isDigit($0) }.map { Int(String(decoding: $0, as: UTF8.self)) ?? -1 }
        guard text.digits(0, 4) != nil, (5...6).contains(numbers.count) else { return nil }
        var hour = numbers[3]
        if hasHalf {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard
            let wall = WallClock(
                year: numbers[0], month: numbers[1], day: numbers[2], hour: hour, minute: numbers[4],
                second: numbers.count == 6 ? numbers[5] : 0)
        else { return nil }
        var date = DateText(wall: wall)
        if numbers.count == 5 { date.precision = .minute }
        return date
    }
}

extension DateText {
    /// The form that the PNG specification recommends for Creation Time (RFC 1123, section 5.2.14): `Sun, 04 Mar 2012
    /// 05:06:07 -0330`; the weekday and the seconds are optional.
    init?(mail text: ByteView) {
        var words = text.trimmed.buffer.split(whereSeparator: { $0 <= 0x20 || $0 == UInt8(ascii: ",") })[...]
        if words.first?.first.map({ (0x30...0x39).contains($0) }) == false { words = words.dropFirst() }
        let parts = words.map { String(decoding: $0, as: UTF8.self) }
        guard (4...5).contains(parts.count), let day = Int(parts[0]), let year = Int(parts[2]), parts[2].count == 4,
            let month = Self.months.firstIndex(of: parts[1].lowercased())
        else { return nil }
        let clock = parts[3].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard (2...3).contains(clock.count), (0..<24).contains(clock[0]),
            let wall = WallClock(
                year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1],
                second: clock.count == 3 ? clock[2] : 0)
        else { return nil }
        self.init(wall: wall)
        guard let zone = parts.dropFirst(4).first else { return }
        if let hours = Self.zones[zone.uppercased()] {
            offsetMinutes = hours * 60
        } else {
            var zone = zone
            offsetMinutes = zone.withUTF8 { Self.offset(ByteView(UnsafeRawBufferPointer($0))) }
        }
    }

    static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    /// Hours east of UTC (RFC 822, section 5).
    private static let zones = [
        "UT": 0, "UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8,
        "PDT": -7,
    ]
}
