extension DateText {
    /// The dates of AVI files. No standard names a form; cameras write `MON SEP 10 20:52:00 2012` as C's asctime does,
    /// `2005-11-28 10:11:12`, `2005/11/28/ 09:19` and `2001/ 1/27  1:42PM`.
    init?(riff text: ByteView) {
        let text = text.untilNUL.trimmed
        guard let date = Self.asctime(text) ?? DateText(exif: text) ?? DateText(iso: text) ?? Self.loose(text) else {
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

    /// Numbers with anything but letters between them, and AM or PM behind.
    private static func loose(_ text: ByteView) -> DateText? {
        let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) }
        let half = text.count > 2 ? text.from(text.count - 2) : .empty
        let isAfternoon = half.starts(with: "PM")
        let hasHalf = isAfternoon || half.starts(with: "AM")
        let figures = hasHalf ? text.prefix(text.count - 2) : text
        guard figures.buffer.allSatisfy({ isDigit($0) || " :/-.".utf8.contains($0) }) else { return nil }
        let numbers = figures.buffer.split { !isDigit($0) }.map { Int(String(decoding: $0, as: UTF8.self)) ?? -1 }
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
