internal import Glibc
internal import Support
import Testing

@testable import TidyKit

/// `--similar` beside a program in PATH that is called ffmpeg, and is not.
@Suite struct VideoHelperTests: ProgramSuite {
    let program: BuiltProgram
    private let folder: FilePath

    init() throws {
        program = try BuiltProgram()
        folder = program.home.path.appending("photos")
        let drawn = DrawnPicture.rectangles(seed: 1, width: 320, height: 240)
        try home.write("photos/a.jpg", drawn.jpeg())
        try home.write("photos/b.png", PNGFixture(drawn.resized(160, 120)).bytes)
        // Videos are only decoded if another one has their length.
        for name in ["-i http:c.mp4", "d.mp4"] {
            try home.write("photos/" + name, QuickTimeFixture(unix: 1_700_000_000, seconds: 5).bytes)
        }
    }

    private func fake(_ script: String) throws -> [String: String?] {
        let path = try home.write("bin/ffmpeg", Array("#!/bin/sh\n\(script)\n".utf8))
        #expect(path.withCString { chmod($0, 0o700) } == 0)
        return ["PATH": path.directory.displayText + ":/usr/bin:/bin"]
    }

    @Test(arguments: ["exit 1", "echo garbage", "kill -9 $$", "exec cat /dev/zero"])
    func theSearchGoesOnAndSaysWhatWasNotCompared(_ script: String) throws {
        let result = try program.run(
            ["list", "--similar", "photos"].map { FilePath($0) }, environment: try fake(script))
        #expect(result.exitCode == 0)
        #expect(result.text.contains("a.jpg") && result.text.contains("b.png") && !result.text.contains("c.mp4"))
        #expect(result.errorText.contains("2 files were not compared"), "\(result.errorText)")
    }

    /// Killed while it writes: that says nothing about the video, which is tried again.
    @Test func aFrameThatIsCutIsNoDamage() throws {
        for script in ["printf 'P6 320 240 255\\nab'; kill -9 $$", "printf 'P6 320 240 255\\nab'"] {
            let result = try program.run(
                ["list", "--similar", "photos"].map { FilePath($0) }, environment: try fake(script))
            #expect(result.errorText.contains("ffmpeg was killed (2)"), "\(result.errorText)")
        }
    }

    /// No word of the command line is the name of a file.
    @Test func theNameOfTheVideoIsNoWordOfItsCommandLine() throws {
        let words = home.path.appending("words")
        _ = try program.run(
            ["list", "--similar", "photos"].map { FilePath($0) },
            environment: try fake("printf '%s\\n' \"$@\" >\(words.displayText)"))
        let text = String(decoding: try FileSystem.contents(of: words), as: UTF8.self)
        #expect(text.contains("file:/dev/stdin\n") && !text.contains("c.mp4") && !text.contains("http"))
    }

    /// The helper says that it is at work by opening a pipe, and would stay for ever.
    @Test func controlCEndsTheHelperToo() throws {
        let (pipe, number) = (home.path.appending("pipe"), home.path.appending("number"))
        #expect(pipe.withCString { mkfifo($0, 0o600) } == 0)
        let script = "echo $$ >\(number.displayText); exec sleep 600 3>\(pipe.displayText)"
        let running = try program.start(
            ["list", "--similar", "photos"].map { FilePath($0) }, environment: try fake(script))
        // Waits for the helper to open its end.
        let end = pipe.withCString { open($0, O_RDONLY) }
        defer { close(end) }
        #expect(end >= 0)
        running.interrupt()
        #expect(try running.waitPatiently() == 130)
        // The end of the file comes when no process holds the pipe any more.
        var byte: UInt8 = 0
        #expect(read(end, &byte, 1) == 0)
    }
}
