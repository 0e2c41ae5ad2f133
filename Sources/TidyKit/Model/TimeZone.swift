/// What the clocks of one place show, as a value that pure code can be given.
public struct TimeZone: Sendable {
    /// Seconds east of UTC at a moment, which is given in seconds since 1970.
    private let offset: @Sendable (Int64) -> Int

    /// - Parameter offset: seconds east of UTC at a moment, which is given in seconds since 1970.
    public init(offset: @escaping @Sendable (Int64) -> Int) { self.offset = offset }

    public static let utc = TimeZone { _ in 0 }
    /// That of this process: `TZ`, else the system's (`localtime_r`).
    public static let local = TimeZone { SystemClock.localOffset(seconds: $0) }

    /// What the clocks show at `utc`.
    public func wall(of utc: WallClock) -> WallClock {
        utc.adding(seconds: Int128(offset(utc.seconds)))
    }

    /// When the clocks show `wall`. An hour that comes twice is the one before the clocks are put back; one that is left out
    /// counts on from the hour before it.
    public func utc(of wall: WallClock) -> WallClock {
        // The offset a day before and a day behind: it changes once in between, if at all.
        let before = offset(wall.adding(seconds: -86400).seconds)
        let after = offset(wall.adding(seconds: 86400).seconds)
        let early = wall.adding(seconds: -Int128(before))
        if before == after || offset(early.seconds) == before { return early }
        let late = wall.adding(seconds: -Int128(after))
        return offset(late.seconds) == after ? late : early
    }
}
