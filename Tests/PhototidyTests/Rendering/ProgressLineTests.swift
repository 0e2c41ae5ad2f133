import Testing
import TidyKit

@testable import phototidy

@Suite struct ProgressLineTests {
    private let start = ContinuousClock.now

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func event(_ done: Int, batch: Int? = nil) -> Progress.Event {
        Progress.Event(activity: "trashing", done: done, total: 60, bytes: 4_500_000, batch: batch, batches: 3)
    }

    @Test func aTerminalHasOneLineThatClearsItself() {
        var line = ProgressLine(mode: .auto, isTerminal: true)
        let shown = text(line.update(event(20, batch: 1), at: start, columns: 80))
        #expect(shown == "\rtrashing 20 of 60, batch 1 of 3, 4.50 MB\u{1B}[K")
        #expect(text(line.clear()) == "\r\u{1B}[K")
        #expect(line.clear().isEmpty)
    }

    @Test func theLineNeverWraps() {
        var line = ProgressLine(mode: .always, isTerminal: true)
        #expect(text(line.update(event(20), at: start, columns: 20)) == "\rtrashing 20 of 60,…\u{1B}[K")
    }

    @Test func tenTimesASecondIsEnough() {
        var line = ProgressLine(mode: .auto, isTerminal: true)
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
