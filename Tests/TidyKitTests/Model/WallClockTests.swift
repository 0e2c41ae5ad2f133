import Testing
import TidyKit

@Suite struct WallClockTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00", 0), ("2000-02-29T23:59:59", 951_868_799), ("1969-12-31T23:59:59", -1),
        ("1826-01-01T00:00:00", -4_544_208_000),
    ])
    func textAndSecondsAgree(text: String, seconds: Int64) {
        #expect(WallClock(seconds: seconds).text == text)
        let (date, time) = (WallClock(seconds: seconds).date, WallClock(seconds: seconds).time)
        let back = WallClock(
            year: date.year, month: date.month, day: date.day, hour: time.hour, minute: time.minute,
            second: time.second)
        #expect(back?.seconds == seconds)
    }

    @Test func impossibleDatesAreNone() {
        #expect(WallClock(year: 2015, month: 2, day: 30) == nil)
        #expect(WallClock(year: 2023, month: 13, day: 1) == nil)
        #expect(WallClock(year: 1900, month: 2, day: 29) == nil)
        #expect(WallClock(year: 2000, month: 1, day: 1, hour: 24) == nil)
    }

    @Test func clampsToTheLastDayOfShortMonths() {
        let march = WallClock(year: 2024, month: 3, day: 31, hour: 8)!
        #expect(march.subtracting(months: 1).text == "2024-02-29T08:00:00")
        #expect(march.subtracting(months: 13).text == "2023-02-28T08:00:00")
    }
}
