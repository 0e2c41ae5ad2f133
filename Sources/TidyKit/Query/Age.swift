/// A length of time in calendar units, counted back from a moment.
struct Age: Hashable, Sendable {
    var months = 0
    var days = 0

    /// `30d`, `6w`, `18mo`, `2y`. Nil for anything else; `m` could be minutes as well as months.
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

    /// As far before `now` as the calendar and the clocks of `zone` count it; both in UTC.
    func before(_ now: WallClock, in zone: TimeZone) -> WallClock {
        zone.utc(of: zone.wall(of: now).subtracting(months: months).subtracting(days: days))
    }
}
