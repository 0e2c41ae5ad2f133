import Support
import Testing
import TidyKit

@Suite struct CompressCommandTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 800, height: 600, grain: 24).jpeg(quality: 95)
        try home.write("album/a.jpg", picture)
        try home.write("album/deep/b.JPG", picture)
        try home.write("album/notes.txt", "not a picture")
    }

    func names(_ folder: String) -> [String] {
        TemporaryFolder.names(in: home.path.appending(folder)).map { String(decoding: $0, as: UTF8.self) }
    }

    func size(_ path: String) throws -> Int64 { try FileStatus.of(home.path.appending(path)).identity.bytes }

    @Test func aStrangerUnderASelectedNameIsNotReplaced() throws {
        _ = try run("select", "add", "album/a.jpg")
        let stranger = DrawnPicture(width: 640, height: 480, seed: 9, grain: 24).jpeg(quality: 95)
        try home.write("album/a.jpg", stranger)
        let result = try run("compress", "--selection", "default", "--in-place", "--max-size", "20kB", "--yes")
        #expect(result.exitCode == 3)
        #expect(result.errorText.contains("since it was chosen"))
        #expect(try FileSystem.contents(of: home.path.appending("album/a.jpg")) == stranger)
    }

    @Test func aSuffixCannotLeadOutOfTheOutputFolder() throws {
        let result = try run("compress", "album/a.jpg", "-o", "web", "--suffix", "/../../x")
        #expect(result.exitCode == 64)
        #expect(result.errorText.contains("--suffix"))
        #expect(names("web").isEmpty)
    }

    @Test func aFolderIsPlacedBelowTheOutputWithItsShape() throws {
        let result = try run("compress", "album", "--max-size", "30kB", "-o", "web")
        #expect(result.exitCode == 0)
        #expect(names("web/album") == ["a.jpg", "deep"])
        #expect(try size("web/album/deep/b.JPG") <= 30_000)
        #expect(result.errorText.contains("1 other file skipped"))
        #expect(result.lines.count == 2)
    }

    @Test func theReportIsJSONOnStandardOutput() throws {
        let result = try run("compress", "album/a.jpg", "--max-size", "30kB", "-o", "small.jpg", "--json")
        #expect(
            result.text.hasPrefix(
                #"{"schema":"phototidy.compress/1","pictures":1,"sourceBytes":\#(try size("album/a.jpg")),"bytes":"#
                    + #"\#(try size("small.jpg")),"recompressed":1,"rewritten":0,"copied":0,"failed":0,"items":[{"#
                    + #""source":"album/a.jpg","output":"small.jpg","#))
        #expect(result.text.contains(#""target":30000,"sourceWidth":800,"sourceHeight":600,"#))
        #expect(try size("small.jpg") <= 30_000)
    }

    static let ends: [(String, Int32)] = [
        ("album/a.jpg", 64), ("-o x", 64), ("album/a.jpg -o x --in-place", 64), ("album/a.jpg --in-place --yes", 64),
        ("album/a.jpg -o x --max-size 30XB", 64), ("album/a.jpg -o - --json", 64),
        ("album/a.jpg album/deep/b.JPG -o -", 64), ("album/a.jpg -o x --quality 60 --min-quality 80", 64),
        ("nowhere.jpg -o x", 5), ("album/a.jpg -o album --overwrite", 4), ("album/a.jpg --in-place --max-size 30kB", 4),
        ("album/notes.txt -o x", 3),
    ]

    @Test(arguments: ends)
    func endsWithItsCodeAndWritesNothing(arguments: String, code: Int32) throws {
        let words = ["compress"] + arguments.split(separator: " ").map(String.init)
        let result = try program.run(words.map { FilePath($0) })
        #expect(result.exitCode == code)
        #expect(!result.errors.isEmpty)
        #expect(names("").filter { $0 == "x" || $0 == "-" } == [])
        #expect(names("album") == ["a.jpg", "deep", "notes.txt"])
    }

    @Test func filesOfAnySizeAreItemsOfTheReport() throws {
        for (name, head) in [("huge.jpg", [0xFF, 0xD8, 0xFF, 0xE0]), ("film.mov", Array("\0\0\0\u{14}ftypqt  ".utf8))] {
            let path = try home.write(name, head)
            try path.truncate(to: 1 << 42)
        }
        let result = try run("compress", "huge.jpg", "film.mov", "album/a.jpg", "-o", "web", "--memory", "1GB")
        #expect(result.exitCode == 3)
        #expect(result.errorText.contains("huge.jpg: needs 4.40 TB of memory, more than the 1.00 GB allowed"))
        #expect(result.errorText.contains("film.mov: not a picture: a video (MOV)"))
        #expect(names("web") == ["a.jpg"])
    }

    @Test func standardOutputIsThePictureAlone() throws {
        let result = try run("compress", "album/a.jpg", "--max-size", "20kB", "-o", "-", "--baseline")
        #expect(result.exitCode == 0)
        #expect(Array(result.output.prefix(2)) == [0xFF, 0xD8] && Array(result.output.suffix(2)) == [0xFF, 0xD9])
        #expect(result.output.count <= 20_000)
    }

    @Test(.enabled(if: hasHugePages, "the kernel has no huge pages to give"))
    func planesLiveInHugePages() throws {
        // Held by a pipe that is full, once the picture is made.
        let flags = try program.runShell(
            "/bin/sh",
            """
            mkfifo pipe
            phototidy compress album/a.jpg --max-size 150kB -o - >pipe &
            exec 3<pipe
            head -c 1 <&3 >first
            sed -n '/\\[heap\\]/,/^VmFlags/p' /proc/$!/smaps
            cat <&3 >rest
            wait $!
            """)
        #expect(flags.exitCode == 0)
        #expect(try size("rest") > 1 << 16)
        #expect(flags.text.split(separator: "\n").contains { $0.hasPrefix("VmFlags:") && $0.contains(" hg") })
    }

    /// Also where they are switched off for now: a program may ask for them all the same.
    private static let hasHugePages =
        (try? FileStatus.of(FilePath("/sys/kernel/mm/transparent_hugepage/enabled"))) != nil

    @Test func aPictureMayComeFromStandardInput() throws {
        let picture = try FileSystem.contents(of: home.path.appending("album/a.jpg"))
        for output in ["-", "piped.jpg"] {
            let words = ["compress", "-", "-o", output, "--max-size", "20kB"].map { FilePath($0) }
            let result = try program.run(words, input: picture)
            #expect(result.exitCode == 0, "\(result.errorText)")
            let made = output == "-" ? result.output : try FileSystem.contents(of: home.path.appending(output))
            #expect(made.count <= 20_000 && Array(made.prefix(2)) == [0xFF, 0xD8])
        }
        let wrong = ["- -o web", "- --in-place --max-size 1kB", "- album/a.jpg -o web"]
        for words in wrong.map({ $0.split(separator: " ").map(String.init) }) {
            #expect(try program.run((["compress"] + words).map { FilePath($0) }, input: picture).exitCode == 64)
        }
        let small = ["compress", "-", "-o", "-", "--memory", "1kB"].map { FilePath($0) }
        #expect(try program.run(small, input: picture).exitCode == 3)
    }

    @Test func twoOutputsOfOneNameAreNamedAndNumbered() throws {
        try home.write("album/a.png", PNGFixture(DrawnPicture(width: 60, height: 40)).bytes)
        let refused = try run("compress", "album", "-o", "web")
        #expect(refused.exitCode == 4 && names("web").isEmpty)
        for word in ["album/a.jpg", "album/a.png", "--rename"] { #expect(refused.errorText.contains(word)) }
        let result = try run("compress", "album", "-o", "web", "--rename", "--json")
        #expect(result.exitCode == 0 && names("web/album") == ["a-2.jpg", "a.jpg", "deep"])
        #expect(result.text.contains(#""output":"web/album/a-2.jpg""#))
        // A second run finds each at its name.
        let second = try run("compress", "album", "-o", "web", "--rename", "--json")
        #expect(second.exitCode == 0 && second.text.contains(#""recompressed":0,"rewritten":0,"copied":3,"failed":0"#))
    }

    @Test func noTargetIsNoTarget() throws {
        let words = ["album/a.jpg", "--max-size", "none", "--max-edge", "700", "-o", "x.jpg", "--json"]
        let result = try program.run((["compress"] + words).map { FilePath($0) })
        #expect(result.exitCode == 0 && result.text.contains(#""target":null"#))
    }

    @Test func anEmptyListIsNothingToDo() throws {
        #expect(try run("compress", "--from", "/dev/null", "-o", "x").exitCode == 1)
        #expect(try run("compress", "--from", "/dev/null", "-o", "x", "--allow-empty").exitCode == 0)
    }

    @Test func aListMayComeFromAPipe() throws {
        let result = try program.run(
            ["compress", "--from", "-", "-0", "--max-size", "30kB", "-o", "x"].map { FilePath($0) },
            input: Array("album/a.jpg\0gone.jpg\0".utf8))
        #expect(result.exitCode == 3)
        #expect(names("x") == ["a.jpg"])
        #expect(result.errorText.contains("gone.jpg"))
    }

    @Test func inPlaceGoesThroughTheTrashAndUndoBringsTheOriginalBack() throws {
        let before = try FileSystem.contents(of: home.path.appending("album/a.jpg"))
        let result = try run("compress", "album", "--in-place", "--yes", "--max-size", "30kB")
        #expect(result.exitCode == 0)
        #expect(try size("album/a.jpg") <= 30_000)
        #expect(names("album") == ["a.jpg", "deep", "notes.txt"])
        #expect(try run("undo").exitCode == 0)
        #expect(try FileSystem.contents(of: home.path.appending("album/a.jpg")) == before)
    }

    @Test func aSidecarOfTheFullNameGoesAlong() throws {
        let picture = PNGFixture(DrawnPicture(width: 300, height: 200, grain: 20)).bytes
        try home.write("scans/a.png", picture)
        try home.write("scans/a.png.xmp", "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>")
        try home.write("scans/a.xmp", "another")
        let result = try run("compress", "scans/a.png", "--in-place", "--yes", "--max-size", "9kB")
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(names("scans") == ["a.jpg", "a.jpg.xmp", "a.xmp"])
        #expect(try run("undo").exitCode == 0)
        #expect(names("scans") == ["a.png", "a.png.xmp", "a.xmp"])
        #expect(try FileSystem.contents(of: home.path.appending("scans/a.png")) == picture)
        // Where the new name is taken nothing is replaced, and the report says so.
        try home.write("scans/a.jpg.xmp", "a stranger")
        let second = try run("compress", "scans/a.png", "--in-place", "--yes", "--max-size", "9kB", "--json")
        #expect(second.text.contains("keeps its name"))
        #expect(names("scans") == ["a.jpg", "a.jpg.xmp", "a.png.xmp", "a.xmp"])
        #expect(try FileSystem.contents(of: home.path.appending("scans/a.jpg.xmp")) == Array("a stranger".utf8))
    }

    @Test func inPlaceLeavesWhatFitsAlone() throws {
        let before = try FileStatus.of(home.path.appending("album/a.jpg"))
        let result = try run("compress", "album/a.jpg", "--in-place", "--yes", "--max-size", "5MB", "--metadata", "all")
        #expect(result.exitCode == 0)
        #expect(try FileStatus.of(home.path.appending("album/a.jpg")).identity == before.identity)
    }

    @Test func aDryRunInPlaceTouchesNothing() throws {
        let before = try FileStatus.of(home.path.appending("album/a.jpg"))
        let result = try run("compress", "album/a.jpg", "--in-place", "-n", "--max-size", "30kB")
        #expect(result.exitCode == 0)
        #expect(try FileStatus.of(home.path.appending("album/a.jpg")) == before)
        #expect(result.errorText.contains("would take"))
    }

    /// As with delete: where no journal can be made, nothing was done for want of one.
    @Test func inPlaceWithoutAJournalIsAnErrorOfTheEnvironment() throws {
        let before = try FileStatus.of(home.path.appending("album/a.jpg"))
        try home.write(".local/state", "no folder")
        let result = try run("compress", "album/a.jpg", "--in-place", "--yes", "--max-size", "30kB")
        #expect(result.exitCode == 5, "\(result.errorText)")
        #expect(try FileStatus.of(home.path.appending("album/a.jpg")) == before)
    }
}
