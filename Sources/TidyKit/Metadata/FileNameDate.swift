/// The date that cameras, phones and messengers write into the name of a file.
public enum FileNameDate {
    /// The first date in `name`, year first: eight digits or three groups with one separator, and a time behind it or
    /// none (precision `day`). Nil where there is none, or where it is impossible.
    public static func parse(_ name: ArraySlice<UInt8>, now: WallClock) -> CaptureDate? {
        name.withUnsafeBytes { bytes in
            let name = ByteView(bytes)
            if let date = milliseconds(name, now: now) { return date }
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
        guard WallClock(year: year, month: month, day: day) != nil else { return nil }

        let clock = self.clock(name, next, isJoined: separator == nil)
        switch clock {
        case .impossible: return nil
        case .none:
            // Eight digits in a hash or a serial number are no day; a word in front of a joined date is none either.
            guard !isWord(name[next]), separator != nil || !isWord(name[at - 1]),
                let wall = WallClock(year: year, month: month, day: day)
            else { return nil }
            return CaptureDate(wall: wall, source: .name, precision: .day)
        case .time(let hour, let minute, let second, let subseconds):
            guard
                let wall = WallClock(
                    year: year, month: month, day: day, hour: hour, minute: minute, second: second)
            else { return nil }
            // Pixel phones name their photos by UTC.
            let isUTC = name.starts(with: "PXL_")
            return CaptureDate(
                wall: wall, subseconds: subseconds, offsetMinutes: isUTC ? 0 : nil, source: .name)
        }
    }

    private enum Clock {
        case none, impossible
        case time(hour: Int, minute: Int, second: Int, subseconds: String?)
    }

    /// The time behind a date that ends at `start`: joined to it, or behind `_`, `-`, ` `, `.`, `T`, ` at `, `, `.
    private static func clock(_ name: ByteView, _ start: Int, isJoined: Bool) -> Clock {
        var at = start
        if !isDigit(name[at]) {
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
            // HHMMSS, and milliseconds right behind it.
            let subseconds = digits == 9 ? name.slice(at + 6, 3).flatMap(DateText.subseconds) : nil
            return time(name.digits(at, 2), name.digits(at + 2, 2), name.digits(at + 4, 2), subseconds)
        case 1, 2:
            let separator = name[at + digits]
            let minute = at + digits + 1
            guard let separator, isSeparator(separator) || separator == UInt8(ascii: ":"),
                name.digits(minute, 2) != nil, name[minute + 2] == separator, name.digits(minute + 3, 2) != nil,
                !isDigit(name[minute + 5])
            else { return .none }
            var hour = name.digits(at, digits)
            if let isAfternoon = afternoon(name, minute + 5), let value = hour {
                hour = (1...12).contains(value) ? value % 12 + (isAfternoon ? 12 : 0) : nil
            } else if digits == 1 {
                return .none
            }
            return time(hour, name.digits(minute, 2), name.digits(minute + 3, 2), nil)
        default:
            // 14 digits and more are a number of another kind; up to five count the photos of a day.
            return isJoined && at == start ? .impossible : .none
        }
    }

    private static func time(_ hour: Int?, _ minute: Int?, _ second: Int?, _ subseconds: String?) -> Clock {
        guard let hour, let minute, let second, hour < 24, minute < 60, second < 60 else { return .impossible }
        return .time(hour: hour, minute: minute, second: second, subseconds: subseconds)
    }

    /// ` PM` behind a time, with a plain or a narrow no-break space (U+202F); nil where there is none.
    private static func afternoon(_ name: ByteView, _ offset: Int) -> Bool? {
        var at = offset
        if name[at] == 0x20 { at += 1 } else if name.starts(with: "\u{202F}", at: at) { at += 3 }
        guard let letter = name[at].map({ $0 & 0xDF }), name[at + 1].map({ $0 & 0xDF }) == UInt8(ascii: "M"),
            !isWord(name[at + 2])
        else { return nil }
        return letter == UInt8(ascii: "P") ? true : letter == UInt8(ascii: "A") ? false : nil
    }

    /// Names that hold the milliseconds since 1970: Facebook's, and WeChat's.
    private static func milliseconds(_ name: ByteView, now: WallClock) -> CaptureDate? {
        for prefix: StaticString in ["FB_IMG_", "mmexport", "wx_camera_"] where name.starts(with: prefix) {
            let at = prefix.utf8CodeUnitCount
            guard let seconds = name.digits(at, 10), name.digits(at, 13) != nil, !isDigit(name[at + 13]) else {
                return nil
            }
            let wall = WallClock(seconds: Int64(seconds))
            guard (1971...now.date.year + 1).contains(wall.date.year) else { return nil }
            return CaptureDate(
                wall: wall, subseconds: name.slice(at + 10, 3).flatMap(DateText.subseconds), offsetMinutes: 0,
                source: .name)
        }
        return nil
    }

    private static func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == 0x20
    }

    /// A letter or a digit: what makes the neighbour part of a longer word.
    private static func isWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return isDigit(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte >= 0x80
    }
}
