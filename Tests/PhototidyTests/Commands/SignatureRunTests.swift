import Glibc
import Support
import Testing
import TidyKit

/// What runs of `--similar` leave in the index: a second run goes on where the first one was interrupted, and two runs
/// at once spoil nothing.
@Suite struct SignatureRunTests: ProgramSuite {
    let program: BuiltProgram
    private let count = 70

    init() throws {
        program = try BuiltProgram()
        for number in 0..<count {
            let picture = DrawnPicture.rectangles(seed: UInt64(number % 60 + 1), width: 160, height: 120)
            try home.write("album/p\(number).jpg", picture.jpeg())
        }
    }

    /// What changed within two seconds of a run is not stored, so the clock is ahead.
    private var environment: [String: String?] {
        ["PHOTOTIDY_CLOCK": "3600", "PATH": home.path.displayText + "/bin:/usr/bin:/bin"]
    }

    private func similar() throws -> (result: BuiltProgram.Result, opened: Int) {
        let words = ["filter", "album", "--similar", "--stats"]
        let result = try program.run(words.map { FilePath($0) }, environment: environment)
        let line = result.errorText.split(separator: "\n").first { $0.hasPrefix("files opened: ") }
        return (result, line.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) } ?? -1)
    }

    /// A failed read says nothing about a photo: it is not kept as one without a thumbnail, or without a preview.
    @Test func aReadThatFailsIsNoDamage() throws {
        let drawn = DrawnPicture.rectangles(seed: 1, width: 640, height: 480)
        for name in ["a.cr3", "b.cr3"] {
            try home.write("raw/" + name, RawFixture.cr3(drawn.resized(160, 120).jpeg(), drawn.jpeg()))
        }
        let words = ["list", "--similar", "--no-index", "raw"].map { FilePath($0) }
        var failed = 0
        for number in 1...24 {
            let result = try program.run(words, environment: ["PHOTOTIDY_FAULT": "pread:\(number):5"])
            #expect(!result.errorText.contains("decoded"), "\(number): \(result.errorText)")
            if result.errorText.contains("could not be read (1)") { failed += 1 }
        }
        // Thumbnails and previews of both.
        #expect(failed >= 4)
    }

    /// The program that decodes videos sends Ctrl-C to the run that started it, after most pictures were compared.
    @Test func whatWasComputedBeforeCtrlCIsKept() throws {
        let whole = try similar()
        #expect(whole.result.exitCode == 0)
        try FileSystem.remove(home.path.appending(".cache/phototidy/index.sqlite"))
        let decoder = try home.write("bin/ffmpeg", "#!/bin/sh\nkill -INT $PPID\nread x < /dev/null\n")
        #expect(chmod(decoder.displayText, 0o755) == 0)
        // Last by their inodes, and so the last ones that are read. Of one length, or they would not be decoded.
        let videos = ["album/y.mov", "album/z.mov"]
        for name in videos { try home.write(name, QuickTimeFixture(unix: 1_700_000_000, seconds: 2).bytes) }
        #expect(try similar().result.exitCode == 130)
        for name in videos { try FileSystem.remove(home.path.appending(name)) }
        let again = try similar()
        #expect(again.result.exitCode == 0)
        #expect(again.result.lines == whole.result.lines)
        #expect(again.opened >= 0 && again.opened < whole.opened / 2, "\(again.opened) of \(whole.opened)")
    }

    @Test func twoRunsAtOnceShareOneIndex() throws {
        for _ in 0..<3 {
            let runs = try (0..<2).map { _ in
                try program.start(
                    ["filter", "album", "--similar"].map { FilePath($0) }, environment: environment)
            }
            for run in runs { #expect(try run.wait() == 0) }
            let again = try similar()
            #expect(again.opened == 0)
            #expect(again.result.lines.count == 10)
            #expect(!again.result.errorText.contains("index ("), "no problem of the index is reported")
            #expect(try run("index", "--info").lines.contains("signatures: \(count)"))
            #expect(try run("index", "--clear").exitCode == 0)
        }
    }
}
