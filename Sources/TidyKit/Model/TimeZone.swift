internal import Glibc

/// A time zone, as a value that pure code can take as a parameter.
package struct TimeZone: Sendable {
    /// Seconds east of UTC at a moment, which is in seconds since 1970.
    private let offset: @Sendable (Int64) -> Int

    /// - Parameter offset: seconds east of UTC at a moment, which is in seconds since 1970.
    package init(offset: @escaping @Sendable (Int64) -> Int) { self.offset = offset }

    package static let utc = TimeZone { _ in 0 }
    /// The zone of this process: `TZ`, or the system's (`localtime_r`).
    package static let local = TimeZone { SystemClock.localOffset(seconds: $0) }

    /// Local time at `utc`.
    package func wall(of utc: WallClock) -> WallClock {
        utc.adding(seconds: Int128(offset(utc.seconds)))
    }

    /// The moment at which local time is `wall`. Of an hour that occurs twice, the first is meant; an hour that is
    /// skipped continues the one before it.
    package func utc(of wall: WallClock) -> WallClock {
        // The offsets a day before and a day after: in between, the offset changes at most once.
        let before = offset(wall.adding(seconds: -86400).seconds)
        let after = offset(wall.adding(seconds: 86400).seconds)
        let early = wall.adding(seconds: -Int128(before))
        if before == after || offset(early.seconds) == before { return early }
        let late = wall.adding(seconds: -Int128(after))
        return offset(late.seconds) == after ? late : early
    }
}
