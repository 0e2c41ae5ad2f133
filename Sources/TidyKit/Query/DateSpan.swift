/// A date as people write it, and all the seconds that it covers.
enum DateSpan {
    /// `2023`, `2023-05`, `2023-05-14`; also a time behind `T`: `2023-05-14T10:11`, `2023-05-14T10:11:12`. Nil for
    /// anything else, also for days that no calendar has.
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

    /// Numbers of exactly these widths, from the first on; the last ones may be absent.
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
