internal import TidyKit

extension CaptureDate {
    /// For people: `2024-05-01 12:00`, or the day alone where no more is known; a `~` in front where only the file's time
    /// stamp says so. What is known as an instant only is shown in local time.
    var localText: String {
        precision == .day ? localDay : mark + wall(in: .local).minuteText
    }

    /// The day of `localText`.
    var localDay: String { mark + wall(in: .local).text.prefix(10) }

    private var mark: String { source == .modified ? "~" : "" }
}

extension WallClock {
    /// Of a clock on UTC: what the local one shows.
    var localText: String { TimeZone.local.wall(of: self).minuteText }

    fileprivate var minuteText: String { text.prefix(10) + " " + text.dropFirst(11).prefix(5) }
}
