extension DateText {
    /// The form that the PNG specification suggests for its Creation Time (RFC 1123, section 5.2.14):
    /// `Sun, 04 Mar 2012 05:06:07 -0330`, the day of the week and the seconds optional.
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
