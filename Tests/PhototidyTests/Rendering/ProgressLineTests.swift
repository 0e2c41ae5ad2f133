import Testing
import TidyKit

@testable import phototidy

@Suite struct ProgressLineTests {
    private let start = ContinuousClock.now

    /// A line whose work has gone on for long enough to be worth showing.
    private func busyLine(_ mode: ProgressMode) -> ProgressLine {
        var line = ProgressLine(mode: mode, isTerminal: true)
        _ = line.update(event(0), at: start - .seconds(1), columns: 80)
        return line
    }

    @Test func whatIsOverInAMomentShowsNothing() {
        var line = ProgressLine(mode: .auto, isTerminal: true)
        #expect(line.update(event(1), at: start, columns: 80).isEmpty)
        #expect(line.update(event(60), at: start + .milliseconds(299), columns: 80).isEmpty)
        #expect(line.clear().isEmpty)
        #expect(!line.update(event(2), at: start + .milliseconds(300), columns: 80).isEmpty)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func event(_ done: Int, batch: Int? = nil) -> Progress.Event {
        var event = Progress.Event(activity: "trashing", done: done, total: 60, bytes: 4_500_000)
        event.batch = batch
        event.batches = 3
        return event
    }

    @Test func aTerminalHasOneLineThatClearsItself() {
        var line = busyLine(.auto)
        let shown = text(line.update(event(20, batch: 1), at: start, columns: 80))
        #expect(shown == "\rtrashing 20 of 60, batch 1 of 3, 4.50 MB, 2 s left\u{1B}[K")
        #expect(text(line.clear()) == "\r\u{1B}[K")
        #expect(line.clear().isEmpty)
    }

    @Test func theLineNeverWraps() {
        var line = busyLine(.always)
        #expect(text(line.update(event(20), at: start, columns: 20)) == "\rtrashing 20 of 60,…\u{1B}[K")
    }

    @Test func tenTimesASecondIsEnough() {
        var line = busyLine(.auto)
        #expect(!line.update(event(1), at: start, columns: 80).isEmpty)
        #expect(line.update(event(2), at: start + .milliseconds(99), columns: 80).isEmpty)
        #expect(!line.update(event(3), at: start + .milliseconds(100), columns: 80).isEmpty)
        #expect(!line.update(event(60), at: start + .milliseconds(101), columns: 80).isEmpty)
    }

    @Test func aPipeHasALineABatchAndOnlyWhenAsked() {
        var quiet = ProgressLine(mode: .auto, isTerminal: false)
        #expect(quiet.update(event(1), at: start, columns: 80).isEmpty)
        var never = ProgressLine(mode: .never, isTerminal: true)
        #expect(never.update(event(1), at: start, columns: 80).isEmpty)
        var log = ProgressLine(mode: .always, isTerminal: false)
        #expect(text(log.update(event(1, batch: 1), at: start, columns: 80)).hasSuffix("4.50 MB\n"))
        #expect(log.update(event(2, batch: 1), at: start, columns: 80).isEmpty)
        #expect(!log.update(event(21, batch: 2), at: start, columns: 80).isEmpty)
        #expect(log.clear().isEmpty)
    }

    @Test func theTimeLeftFollowsThePace() {
        var log = ProgressLine(mode: .always, isTerminal: false)
        func line(_ done: Int, after seconds: Double) -> String {
            text(log.update(event(done, batch: done), at: start + .seconds(seconds), columns: 80))
        }
        // Nothing is known at the first report, and nothing worth saying before a second is over.
        #expect(line(10, after: 0) == "trashing 10 of 60, batch 10 of 3, 4.50 MB\n")
        #expect(!line(11, after: 0.5).contains("left"))
        // 20 in 10 s: the last 30 take 15 s.
        #expect(line(30, after: 10).hasSuffix("4.50 MB, 15 s left\n"))
        #expect(line(35, after: 250).hasSuffix(", 5 min left\n"))
        #expect(!line(60, after: 260).contains("left"))
    }

    @Test func anotherActivityHasAPaceOfItsOwn() {
        let pace = ProgressPace(event(10), at: start)
        #expect(pace.activity == "trashing")
        #expect(pace.timeLeft(Progress.Event(activity: "scanning", done: 90), at: start + .seconds(9)) == nil)
    }

    @Test(arguments: [
        (Duration.milliseconds(1), "1 s"), (.seconds(59), "59 s"), (.milliseconds(59_001), "1 min"),
        (.seconds(61), "2 min"), (.seconds(3_600), "1 h 0 min"), (.seconds(7_500), "2 h 5 min"),
    ])
    func aTimeIsReadAtAGlance(_ duration: Duration, _ text: String) {
        #expect(ProgressPace.text(of: duration) == text)
    }
}
