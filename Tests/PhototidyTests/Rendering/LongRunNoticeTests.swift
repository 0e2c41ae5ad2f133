import Testing
import TidyKit

@testable import phototidy

/// The line that says how long a first comparison takes. Time is a parameter: no test waits.
@Suite struct LongRunNoticeTests {
    private static let start = ContinuousClock.now

    private static func event(_ done: Int, of total: Int = 12_000, isKept: Bool? = true) -> Progress.Event {
        var event = Progress.Event(activity: "comparing thumbnails", done: done, total: total)
        event.isKept = isKept
        return event
    }

    /// What is said at each of these times.
    private static func texts(_ events: [(seconds: Double, event: Progress.Event)]) -> [String] {
        var notice = LongRunNotice()
        return events.compactMap { notice.text(for: $0.event, at: start + .seconds($0.seconds)) }
    }

    @Test func aLongRunIsAnnouncedOnce() {
        let texts = Self.texts([
            (0, Self.event(0)), (0.5, Self.event(32)), (2, Self.event(100)), (4, Self.event(200)),
            (60, Self.event(3000)),
        ])
        #expect(
            texts == [
                "Comparing pictures takes about 4 minutes for 12,000 photos. The next run takes seconds; Ctrl-C keeps "
                    + "what is done."
            ])
    }

    @Test func aShortRunIsNotAnnounced() {
        #expect(Self.texts([(0, Self.event(0)), (2, Self.event(3000)), (7.9, Self.event(11_999))]).isEmpty)
        #expect(Self.texts([(0, Self.event(0)), (100, Self.event(12_000))]).isEmpty, "all is done")
    }

    @Test func aRunThatSlowsDownIsAnnouncedLate() {
        #expect(Self.texts([(0, Self.event(0)), (2, Self.event(6000)), (30, Self.event(7000))]).count == 1)
    }

    @Test func onlyWhatTheNextRunNeedNotDoAgainIsAnnouncedSo() {
        let without = Self.texts([(0, Self.event(0, isKept: false)), (2, Self.event(100, isKept: false))])
        #expect(without.count == 1)
        #expect(without.allSatisfy { $0.hasSuffix("Without the index, every run takes that long.") })
        #expect(Self.texts([(0, Self.event(0, isKept: nil)), (2, Self.event(100, isKept: nil))]).isEmpty)
    }

    @Test(arguments: [
        (11, "20 seconds"), (50, "50 seconds"), (51, "1 minute"), (61, "2 minutes"), (240, "4 minutes"),
        (3540, "59 minutes"), (3541, "1 hour"), (3700, "1 hour 10 minutes"), (7200, "2 hours"),
        (7201, "2 hours 10 minutes"),
    ]) func durationsAreRoundedUp(_ seconds: Int, _ text: String) {
        #expect(LongRunNotice.roughText(.seconds(seconds)) == text)
    }

    @Test func thousandsAreGrouped() {
        #expect([7, 999, 1000, 1_234_567].map(LongRunNotice.grouped) == ["7", "999", "1,000", "1,234,567"])
    }
}
