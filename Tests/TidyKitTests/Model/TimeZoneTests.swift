import Testing
import TidyKit

@Suite struct TimeZoneTests {
    /// An hour ahead of UTC, and two hours from 1 April 2024, 01:00 UTC to 1 October, 01:00 UTC.
    static let summer = TimeZone { seconds in
        let start = WallClock(year: 2024, month: 4, day: 1, hour: 1)!.seconds
        let end = WallClock(year: 2024, month: 10, day: 1, hour: 1)!.seconds
        return (start..<end).contains(seconds) ? 7200 : 3600
    }

    private func clock(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) -> WallClock {
        WallClock(year: 2024, month: month, day: day, hour: hour, minute: minute)!
    }

    @Test func clocksArePutForwardAndBack() {
        let zone = Self.summer
        #expect(zone.wall(of: clock(1, 1, 12)) == clock(1, 1, 13))
        #expect(zone.wall(of: clock(7, 1, 12)) == clock(7, 1, 14))
        #expect(zone.utc(of: clock(1, 1, 13)) == clock(1, 1, 12))
        #expect(zone.utc(of: clock(7, 1, 14)) == clock(7, 1, 12))
        // The last hour before, and the first hour after.
        #expect(zone.utc(of: clock(4, 1, 1, 59)) == clock(4, 1, 0, 59))
        #expect(zone.utc(of: clock(4, 1, 3)) == clock(4, 1, 1))
        // Never shown.
        #expect(zone.utc(of: clock(4, 1, 2, 30)) == clock(4, 1, 1, 30))
        // Shown twice.
        #expect(zone.utc(of: clock(10, 1, 2, 30)) == clock(10, 1, 0, 30))
        #expect(zone.utc(of: clock(10, 1, 3, 30)) == clock(10, 1, 2, 30))
    }

    @Test func anInstantHasTheClockOfTheZoneAndADateItsOwn() {
        let stamp = CaptureDate.modified(ns: Int128(clock(7, 1, 22).seconds) * 1_000_000_000, now: clock(12, 1, 0))
        #expect(stamp?.wall(in: Self.summer) == clock(7, 2, 0))
        #expect(stamp?.utc(in: Self.summer) == clock(7, 1, 22))
        #expect(stamp?.text == "2024-07-01T22:00:00Z")
        let local = CaptureDate(wall: clock(7, 1, 22), source: .dateTimeOriginal)
        #expect(local.wall(in: Self.summer) == clock(7, 1, 22))
        #expect(local.utc(in: Self.summer) == clock(7, 1, 20))
        // A camera that says where it was, be it on UTC.
        let zoned = CaptureDate(wall: clock(7, 1, 22), offsetMinutes: 0, source: .dateTimeOriginal)
        #expect(zoned.wall(in: Self.summer) == clock(7, 1, 22))
        for source in [CaptureDate.Source.quickTime, .takeout, .name] {
            let date = CaptureDate(wall: clock(7, 1, 22), offsetMinutes: 0, source: source)
            #expect(date.wall(in: Self.summer) == clock(7, 2, 0))
        }
    }

    @Test func stampsOfYearsThatNoPhotoIsOfAreNoDates() {
        let now = clock(6, 1, 0)
        for year in [1826, 1970, 2025] {
            let clock = WallClock(year: year, month: 1, day: 1)!
            #expect(CaptureDate.modified(ns: Int128(clock.seconds) * 1_000_000_000, now: now)?.wall == clock)
        }
        for year in [1700, 1825, 2026, 2200] {
            let seconds = WallClock(year: year, month: 1, day: 1)!.seconds
            #expect(CaptureDate.modified(ns: Int128(seconds) * 1_000_000_000, now: now) == nil)
        }
    }
}
