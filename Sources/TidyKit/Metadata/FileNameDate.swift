/// The date that cameras, phones and messengers write into a file name.
package enum FileNameDate {
    /// The first date in `name` with the year first: eight digits, or three groups with one separator, optionally
    /// followed by a time (otherwise the precision is `day`). Nil if there is none, or if it is impossible.
    package static func parse(_ name: ArraySlice<UInt8>, now: WallClock) -> CaptureDate? {
        name.withUnsafeBytes { bytes in
            let name = ByteView(bytes)
            if let date = secondsSince1970(name, now: now) ?? yearLast(name, now: now) { return date }
            var at = 0
            while at + 8 <= name.count {
                if isDigit(name[at]), !isDigit(name[at - 1]), let date = date(name, at, now: now) { return date }
                at += 1
            }
            return nil
        }
    }

    private static func date(_ name: ByteView, _ at: Int, now: WallClock) -> CaptureDate? {
        guard let year = name.digits(at, 4), (1826...now.date.year + 1).contains(year) else { return nil }
        var next = at + 4
        let separator = isDigit(name[next]) ? nil : name[next]
        if let separator { guard isSeparator(separator) else { return nil } }
        if separator != nil { next += 1 }
        guard let month = name.digits(next, 2) else { return nil }
        next += 2
        if let separator {
            guard name[next] == separator else { return nil }
            next += 1
        }
        guard let day = name.digits(next, 2) else { return nil }
        next += 2
        guard let wall = WallClock(year: year, month: month, day: day) else { return nil }

        let clock = self.clock(name, next, isJoined: separator == nil)
        switch clock {
        case .impossible: return nil
        case .none:
            // Eight digits within a hash or a serial number are not a day; neither are digits that directly follow a
            // letter.
            guard !isWord(name[next]), separator != nil || !isWord(name[at - 1]) else { return nil }
            if let separator, isAmidNumbers(name, at..<next, separator) { return nil }
            return CaptureDate(wall: wall, source: .name, precision: .day)
        case .time(let hour, let minute, let second, let subseconds):
            guard
                let wall = WallClock(
                    year: year, month: month, day: day, hour: hour, minute: minute, second: second)
            else { return nil }
            // Pixel phones use UTC in file names.
            let isUTC = name.starts(with: "PXL_")
            return CaptureDate(
                wall: wall, subseconds: subseconds, offsetMinutes: isUTC ? 0 : nil, source: .name)
        }
    }

    /// True for a date within a longer number, such as an ISBN or a telephone number: `2-1901-10-12-5`, `+49 1901 10 12
    /// 5`. Programs that number their photos put `_` between the fields.
    private static func isAmidNumbers(_ name: ByteView, _ date: Range<Int>, _ separator: UInt8) -> Bool {
        separator != UInt8(ascii: "_") && name[date.lowerBound - 1] == separator && isDigit(name[date.lowerBound - 2])
            && name[date.upperBound] == separator && isDigit(name[date.upperBound + 1])
    }

    private enum Clock {
        case none, impossible
        case time(hour: Int, minute: Int, second: Int, subseconds: String?)
    }

    /// The time after a date that ends at `start`: directly, or after `_`, `-`, ` `, `.`, `T`, ` at ` or `, `.
    private static func clock(_ name: ByteView, _ start: Int, isJoined: Bool) -> Clock {
        var at = start
        if !isDigit(name[at]) {
            if let time = timeBehindWord(name, at) { return time }
            if name.starts(with: " at ", at: at) {
                at += 4
            } else if name.starts(with: ", ", at: at) {
                at += 2
            } else if let byte = name[at], isSeparator(byte) || byte == UInt8(ascii: "T") {
                at += 1
            } else {
                return .none
            }
        } else if !isJoined {
            return .none
        }
        var digits = 0
        while isDigit(name[at + digits]) { digits += 1 }
        switch digits {
        case 6...9 where digits == 6 || digits == 9:
            // HHMMSS, directly followed by milliseconds.
            let subseconds = digits == 9 ? name.slice(at + 6, 3).flatMap(DateText.subseconds) : nil
            return time(name.digits(at, 2), name.digits(at + 2, 2), name.digits(at + 4, 2), subseconds)
        case 1, 2:
            guard let groups = Groups(name, at), groups.separators.0 == groups.separators.1,
                isSeparator(groups.separators.0) || groups.separators.0 == UInt8(ascii: ":")
            else { return .none }
            let isAfternoon = afternoon(name, groups.end)
            return digits == 2 || isAfternoon != nil ? time(groups, isAfternoon: isAfternoon) : .none
        default:
            // 14 or more digits are another kind of number; up to five number the photos of a day.
            return isJoined && at == start ? .impossible : .none
        }
    }

    /// A time in three groups of digits, separated by one byte: `10.11.12`, `5:11:12`, `10h11m12s`.
    private struct Groups {
        let hour: Int
        let minute: Int
        let second: Int
        let separators: (UInt8, UInt8)
        /// The offset after the seconds.
        let end: Int

        init?(_ name: ByteView, _ at: Int) {
            let next = at + (isDigit(name[at + 1]) ? 2 : 1)
            guard let hour = name.digits(at, next - at), let first = name[next], let minute = name.digits(next + 1, 2),
                let other = name[next + 3], let second = name.digits(next + 4, 2), !isDigit(name[next + 6])
            else { return nil }
            (self.hour, self.minute, self.second) = (hour, minute, second)
            separators = (first, other)
            end = next + 6
        }
    }

    /// - Parameter isAfternoon: nil for a 24-hour clock.
    private static func time(_ groups: Groups, isAfternoon: Bool?) -> Clock {
        var hour = groups.hour
        if let isAfternoon {
            guard (1...12).contains(hour) else { return .impossible }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        return time(hour, groups.minute, groups.second, nil)
    }

    private static func time(_ hour: Int?, _ minute: Int?, _ second: Int?, _ subseconds: String?) -> Clock {
        guard let hour, let minute, let second, hour < 24, minute < 60, second < 60 else { return .impossible }
        return .time(hour: hour, minute: minute, second: second, subseconds: subseconds)
    }

    /// `10.11.12` after a word or two, or `10h11m12s`: screenshots of macOS in other languages (` um `, ` à `, ` a las
    /// `, ` kl. `), names of WhatsApp whose spaces became dashes (`-at-`), and Chinese words for the half of the day.
    private static func timeBehindWord(_ name: ByteView, _ start: Int) -> Clock? {
        guard let blank = name[start], isSeparator(blank) else { return nil }
        var at = start + 1
        while at - start < 20, let byte = name[at], byte >= 0x41 || byte == blank || byte == UInt8(ascii: ".") {
            at += 1
        }
        guard let groups = Groups(name, at) else { return nil }
        if at == start + 1 {
            return groups.separators == (UInt8(ascii: "h"), UInt8(ascii: "m")) ? time(groups, isAfternoon: nil) : nil
        }
        guard groups.separators == (UInt8(ascii: "."), UInt8(ascii: ".")) else { return nil }
        let isMorning = name.starts(with: "上午", at: at - 6)
        let isEvening = name.starts(with: "下午", at: at - 6)
        guard isMorning || isEvening || name[at - 1] == blank else { return nil }
        return time(groups, isAfternoon: isMorning || isEvening ? isEvening : afternoon(name, groups.end))
    }

    /// True for ` PM` or ` p. m.` after a time, with plain or no-break spaces (U+00A0, U+202F); nil if there is neither
    /// AM nor PM.
    private static func afternoon(_ name: ByteView, _ offset: Int) -> Bool? {
        var at = offset
        at += blank(name, at)
        guard let letter = name[at].map({ $0 & 0xDF }) else { return nil }
        at += 1
        if name[at] == UInt8(ascii: ".") { at += 1 + blank(name, at + 1) }
        guard name[at].map({ $0 & 0xDF }) == UInt8(ascii: "M"), !isWord(name[at + 1]) else { return nil }
        return letter == UInt8(ascii: "P") ? true : letter == UInt8(ascii: "A") ? false : nil
    }

    /// The number of bytes of the space at `at`; 0 if there is none.
    private static func blank(_ name: ByteView, _ at: Int) -> Int {
        if name[at] == 0x20 { return 1 }
        return name.starts(with: "\u{202F}", at: at) ? 3 : name.starts(with: "\u{A0}", at: at) ? 2 : 0
    }

    /// Names that count from 1970: Facebook and WeChat use milliseconds, screen recordings of iOS seconds.
    private static func secondsSince1970(_ name: ByteView, now: WallClock) -> CaptureDate? {
        for prefix: StaticString in ["FB_IMG_", "mmexport", "wx_camera_", "RPReplay_Final", "RPReplay-Final"]
        where name.starts(with: prefix) {
            let at = prefix.utf8CodeUnitCount
            let length = name.starts(with: "RP") ? 10 : 13
            guard let seconds = name.digits(at, 10), name.digits(at, length) != nil, !isDigit(name[at + length]) else {
                return nil
            }
            let wall = WallClock(seconds: Int64(seconds))
            guard (1971...now.date.year + 1).contains(wall.date.year) else { return nil }
            return CaptureDate(
                wall: wall, subseconds: name.slice(at + 10, length - 10).flatMap(DateText.subseconds), offsetMinutes: 0,
                source: .name)
        }
        return nil
    }

    /// The two programs that put the year last in a known order: exports of Telegram Desktop
    /// (`photo_1@14-05-2023_10-11-12`) and screen recordings since iOS 18 (`ScreenRecording_05-14-2023 10-11-12_1`).
    private static func yearLast(_ name: ByteView, now: WallClock) -> CaptureDate? {
        let isMonthFirst = name.starts(with: "ScreenRecording_")
        guard let start = isMonthFirst ? 16 : name.firstIndex(of: UInt8(ascii: "@")).map({ $0 + 1 }),
            let first = name.digits(start, 2), name[start + 2] == UInt8(ascii: "-"),
            let second = name.digits(start + 3, 2), name[start + 5] == UInt8(ascii: "-"),
            let year = name.digits(start + 6, 4), (1826...now.date.year + 1).contains(year),
            case .time(let hour, let minute, let seconds, _) = clock(name, start + 10, isJoined: false),
            let wall = WallClock(
                year: year, month: isMonthFirst ? first : second, day: isMonthFirst ? second : first, hour: hour,
                minute: minute, second: seconds)
        else { return nil }
        return CaptureDate(wall: wall, source: .name)
    }

    private static func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == 0x20
    }

    /// True for a letter or a digit, which makes its neighbour part of a longer word.
    private static func isWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return isDigit(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte >= 0x80
    }
}
