/// A length of time in calendar units, counted back from a moment.
struct Age: Hashable, Sendable {
    var months = 0
    var days = 0

    /// `30d`, `6w`, `18mo`, `2y`. Nil for anything else: `m` could be minutes or months.
    static func parse(_ text: String) -> Age? {
        let digits = text.utf8.prefix { $0.isASCIIDigit }
        guard !digits.isEmpty, digits.count <= 5, let count = Int(String(Substring(digits))) else { return nil }
        return switch String(text.dropFirst(digits.count)).lowercased() {
        case "d": Age(days: count)
        case "w": Age(days: count * 7)
        case "mo": Age(months: count)
        case "y": Age(months: count * 12)
        default: nil
        }
    }

    /// The moment that is this long before `now` by the calendar and the local time of `zone`; both in UTC.
    func before(_ now: WallClock, in zone: TimeZone) -> WallClock {
        zone.utc(of: zone.wall(of: now).subtracting(months: months).subtracting(days: days))
    }
}

/// A date as people write it, and all the seconds that it covers.
enum DateSpan {
    /// `2023`, `2023-05`, `2023-05-14`, and also with a time: `2023-05-14T10:11`, `2023-05-14T10:11:12`. Nil for
    /// anything else, including days that no calendar has.
    static func parse(_ text: String) -> ClosedRange<WallClock>? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count <= 2, let date = numbers(halves[0], separator: "-", widths: [4, 2, 2]) else { return nil }
        let year = date[0]
        let month = date.count > 1 ? date[1] : 1
        let day = date.count > 2 ? date[2] : 1
        if halves.count == 2 {
            guard date.count == 3, let time = numbers(halves[1], separator: ":", widths: [2, 2, 2]), time.count > 1,
                let start = WallClock(
                    year: year, month: month, day: day, hour: time[0], minute: time[1],
                    second: time.count > 2 ? time[2] : 0)
            else { return nil }
            return start...WallClock(seconds: start.seconds + (time.count > 2 ? 0 : 59))
        }
        guard let start = WallClock(year: year, month: month, day: day) else { return nil }
        let lastMonth = date.count > 1 ? month : 12
        let lastDay = date.count > 2 ? day : WallClock.days(inMonth: lastMonth, year: year)
        guard let end = WallClock(year: year, month: lastMonth, day: lastDay, hour: 23, minute: 59, second: 59) else {
            return nil
        }
        return start...end
    }

    /// Numbers with exactly these numbers of digits; the last ones may be missing.
    private static func numbers(_ text: Substring, separator: Character, widths: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count <= widths.count else { return nil }
        var values: [Int] = []
        for (part, width) in zip(parts, widths) {
            guard part.utf8.count == width, part.utf8.allSatisfy(\.isASCIIDigit), let value = Int(part) else {
                return nil
            }
            values.append(value)
        }
        return values
    }
}
