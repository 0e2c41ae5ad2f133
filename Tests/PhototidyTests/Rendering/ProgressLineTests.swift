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
        Progress.Event(activity: "trashing", done: done, total: 60, bytes: 4_500_000, batch: batch, batches: 3)
    }

    @Test func aTerminalHasOneLineThatClearsItself() {
        var line = busyLine(.auto)
        let shown = text(line.update(event(20, batch: 1), at: start, columns: 80))
        #expect(shown == "\rtrashing 20 of 60, batch 1 of 3, 4.50 MB\u{1B}[K")
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
}
