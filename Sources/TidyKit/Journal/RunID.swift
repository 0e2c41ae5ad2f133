/// The name of one run, in its plan, its journal and for undo. Sorts by time: `20240501-120000-123ab`.
package struct RunID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Nil unless it can be the name of a journal: 1 to 64 letters, digits and dashes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard (1...64).contains(bytes.count),
            bytes.allSatisfy({
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || $0 == 0x2D
            })
        else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// A new ID: `ns` since 1970 (UTC) as date, time and milliseconds, and two random letters.
    package init(ns: Int64) {
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        let clock = WallClock.utc(ns: ns)
        let (year, month, day) = clock.date
        let (hour, minute, second) = clock.time
        let letters = (0..<2).map { _ in "abcdefghijkmnpqrstuvwxyz".randomElement() ?? "x" }
        text =
            padded(year, 4) + padded(month, 2) + padded(day, 2) + "-" + padded(hour, 2) + padded(minute, 2)
            + padded(second, 2) + "-" + padded(Int(ns / 1_000_000 % 1000), 3) + String(letters)
    }

    /// The time in the ID, in nanoseconds since 1970 (UTC); nil if it contains none.
    var timeNs: Int64? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }.prefix(17)
        guard digits.count == 17, let number = Int(String(decoding: digits, as: UTF8.self)),
            let clock = WallClock(
                year: number / 10_000_000_000_000, month: number / 100_000_000_000 % 100,
                day: number / 1_000_000_000 % 100, hour: number / 10_000_000 % 100, minute: number / 100_000 % 100,
                second: number / 1000 % 100)
        else { return nil }
        return Int64(clamping: clock.ns + Int128(number % 1000) * 1_000_000)
    }

    package var description: String { text }
    package var bytes: [UInt8] { Array(text.utf8) }
}
