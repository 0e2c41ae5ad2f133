internal import Glibc

/// A date and time of day without a zone, in the proleptic Gregorian calendar.
package struct WallClock: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00 of the same clock.
    package let seconds: Int64

    /// - Parameter seconds: since 1970-01-01 00:00:00 on the same clock, without leap seconds.
    package init(seconds: Int64) { self.seconds = seconds }

    /// Nil for what no calendar has, such as month 13, 30 February, minute 60 or hour 24.
    package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (0...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= Self.days(inMonth: month, year: year),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        seconds = Int64(Self.dayNumber(year, month, day)) * 86400 + Int64(hour * 3600 + minute * 60 + second)
    }

    /// UTC at `ns` nanoseconds since 1970, rounded down to seconds and clamped to the range of the type.
    package static func utc(ns: some BinaryInteger) -> WallClock {
        WallClock(seconds: Int64(timespec(ns: Int128(clamping: ns)).tv_sec))
    }

    /// Nanoseconds since 1970, if this is UTC.
    var ns: Int128 { timespec(tv_sec: time_t(seconds), tv_nsec: 0).nanoseconds }

    package static func < (left: WallClock, right: WallClock) -> Bool { left.seconds < right.seconds }

    package var date: (year: Int, month: Int, day: Int) {
        Self.civil(Int(seconds / 86400) - (seconds % 86400 < 0 ? 1 : 0))
    }

    package var time: (hour: Int, minute: Int, second: Int) {
        (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
    }

    private var secondOfDay: Int {
        let rest = Int(seconds % 86400)
        return rest < 0 ? rest + 86400 : rest
    }

    /// `2024-05-01T12:00:00`
    package var text: String {
        let (year, month, day) = date
        let (hour, minute, second) = time
        // Only intermediate results have such years; no file does.
        guard (0...9999).contains(year) else { return "\(year)-\(month)-\(day)T\(hour):\(minute):\(second)" }
        return String(unsafeUninitializedCapacity: 19) { digits in
            func put(_ value: Int, at place: Int, _ separator: UInt8? = nil) {
                digits.initializeElement(at: place, to: UInt8(ascii: "0") + UInt8(value / 10))
                digits.initializeElement(at: place + 1, to: UInt8(ascii: "0") + UInt8(value % 10))
                if let separator { digits.initializeElement(at: place + 2, to: separator) }
            }
            put(year / 100, at: 0)
            put(year % 100, at: 2, UInt8(ascii: "-"))
            put(month, at: 5, UInt8(ascii: "-"))
            put(day, at: 8, UInt8(ascii: "T"))
            put(hour, at: 11, UInt8(ascii: ":"))
            put(minute, at: 14, UInt8(ascii: ":"))
            put(second, at: 17)
            return 19
        }
    }

    /// The same time of day, `months` calendar months earlier. A day that this month lacks becomes its last day.
    package func subtracting(months: Int) -> WallClock {
        let (year, month, day) = date
        let count = year * 12 + month - 1 - months
        guard count >= 0 else { return WallClock(seconds: .min) }
        let last = Self.days(inMonth: count % 12 + 1, year: count / 12)
        let number = Self.dayNumber(count / 12, count % 12 + 1, min(day, last))
        return WallClock(seconds: Int64(number) * 86400 + Int64(secondOfDay))
    }

    /// Clamped to the range of the type.
    package func subtracting(days: Int) -> WallClock { adding(seconds: -(Int128(days) * 86400)) }

    /// Clamped to the range of the type.
    func adding(seconds other: Int128) -> WallClock { WallClock(seconds: Int64(clamping: Int128(seconds) + other)) }

    /// True in the years 1 to 9999, the only ones that a photo record can hold.
    package var isInCalendar: Bool { (1...9999).contains(date.year) }

    /// In the Gregorian calendar.
    package static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// True from 1826, the year of the oldest photograph, to next year.
    package func isPlausible(now: WallClock) -> Bool { (1826...now.date.year + 1).contains(date.year) }

    /// Now, in UTC: the `now` that pure code gets as a parameter.
    package static func now() -> WallClock { WallClock(seconds: SystemClock.nowNs() / 1_000_000_000) }

    // Days since 1970. Years are counted from 1 March, so that the leap day comes last.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ number: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
