import Support
import Testing
import TidyKit

/// What somebody runs into who has read the help alone.
@Suite struct NewcomerTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 320, height: 240, grain: 24).jpeg(quality: 95)
        for name in ["album/a copy.jpg", "album/deep/odd/a.jpg"] { try home.write(name, picture) }
    }

    @Test func theCopyThatStaysIsNamed() throws {
        let plan = try run("delete", "album", "--duplicate", "-n")
        #expect(
            plan.text.contains(
                "album/a copy.jpg\t--duplicate; the copy that stays: album/deep/odd/a.jpg (not named as a copy)"))
        let goes = try run("filter", "album", "--duplicate", "--explain", "album/a copy.jpg")
        #expect(
            goes.text.contains("yes      --duplicate (the copy that stays: album/deep/odd/a.jpg; not named as a copy)"))
        let stays = try run("filter", "album", "--duplicate", "--explain", "album/deep/odd/a.jpg")
        #expect(stays.text.contains("no       --duplicate (this is the copy that stays; not named as a copy)"))
    }

    @Test func anOutputFolderAmongTheOriginalsIsWarnedOf() throws {
        let inside = try run("compress", "album", "-o", "album/web")
        #expect(inside.exitCode == 0)
        #expect(inside.errorText.contains("warning: album/web is inside album"))
        #expect(try run("compress", "album", "-o", "album/web").text.split(separator: "\n").count == 2)
        #expect(try !run("compress", "album", "-o", "web").errorText.contains("warning"))
    }

    @Test func aSelectionThatIsNotThereCannotBeCleared() throws {
        let result = try run("select", "clear", "-s", "nope")
        #expect(result.exitCode == 1)
        #expect(result.errorText.contains("no selection 'nope'"))
    }

    @Test func warnsOfUnlikelySizes() throws {
        let small = try run("compress", "album/a copy.jpg", "-o", "x", "--max-size", "150")
        #expect(small.errorText.contains("did you mean 150kB?"))
        let exact = try run("filter", "album", "--size", "2MB")
        #expect(exact.exitCode == 1)
        #expect(exact.errorText.contains("exactly 2000000 bytes; 2MB.. is that and more"))
        #expect(try run("filter", "album", "--size", "2MB..").errors.isEmpty)
    }

    @Test func compressSummaryUsesTheWordsOfTheReport() throws {
        let result = try run("compress", "album/a copy.jpg", "-o", "x", "--max-size", "5MB", "--metadata", "all")
        #expect(result.errorText.contains("1 copied"))
        #expect(!result.errorText.contains("kept their pixels"))
    }

    @Test func refusesSeveralPicturesForOneFile() throws {
        let several = try run("compress", "album", "-o", "one.jpg")
        #expect(several.exitCode == 64)
        #expect(several.errorText.contains("2 pictures cannot become one file; '-o one.jpg/' is a folder"))
        _ = try run("select", "add", "album/a copy.jpg")
        #expect(try run("compress", "-s", "default", "-o", "one.jpg").text.hasPrefix("one.jpg  "))
    }

    @Test func reportsExistingOutputsSeparately() throws {
        let first = try run("compress", "album/a copy.jpg", "-o", "x", "--max-size", "10kB")
        #expect(!first.text.contains("there already"))
        let second = try run("compress", "album/a copy.jpg", "-o", "x", "--max-size", "10kB")
        #expect(second.exitCode == 0 && second.text.hasSuffix("  there already\n"))
        #expect(second.errorText.contains("1 there already") && !second.errorText.contains("copied"))
        // Nothing was recompressed.
        #expect(first.text.contains("quality") && !second.text.contains("quality"))
    }

    @Test func suggestsOurNamesForOptionsOfOtherPrograms() throws {
        for (theirs, ours) in [("--size", "--max-size"), ("--resize", "--max-edge"), ("--strip", "--metadata")] {
            let result = try run("compress", "album", "-o", "x", theirs, "150kB")
            #expect(result.exitCode == 64)
            #expect(result.errorText.contains("unknown option '\(theirs)'; did you mean '\(ours)'?"))
        }
        #expect(try run("compress", "-", "a.jpg", "-o", "x").errorText.contains("'-' (standard input)"))
    }

    @Test func compressPrintsItsSummaryBelowTheRows() throws {
        try home.write(
            "album/z.jpg", Array(DrawnPicture(width: 320, height: 240, grain: 24).jpeg(quality: 95).prefix(900)))
        let lines = try program.runShell(
            "/bin/sh", "phototidy compress album --in-place --yes --max-size 10kB 2>&1"
        ).lines
        #expect(lines.count == 5)
        #expect(lines.prefix(2).allSatisfy { $0.contains(" → ") && $0.contains("quality") })
        #expect(
            lines[2].contains("z.jpg: damaged") && lines[3].contains("1 failed") && lines[4].contains("phototidy undo"))
    }

    @Test func printsTheUndoLineThoughTheReaderClosed() throws {
        let arguments = ["compress", "album", "--in-place", "--yes", "--max-size", "10kB"].map { FilePath($0) }
        let result = try program.run(arguments, output: .closedPipe)
        #expect(result.exitCode == 141)
        #expect(result.errorText.contains("phototidy undo "))
    }

    @Test func aSelectionThatIsNotThereIsNamedByCompress() throws {
        let result = try run("compress", "-s", "nope", "-o", "x")
        #expect(result.exitCode == 1)
        #expect(result.errorText.contains("There is no selection 'nope'"))
    }

    @Test func listsRunsThatCanBeUndoneFirst() throws {
        _ = try run("delete", "album/a copy.jpg", "--yes")
        _ = try run("delete", "album/deep/odd/a.jpg", "--yes")
        _ = try run("undo")
        let lines = try run("undo", "--list").lines
        #expect(lines.count == 3)
        #expect(lines[1].contains("can be undone") && lines[2].contains("undone already"))
    }

    @Test func aDateKnownToTheDayShowsNoTime() throws {
        try home.write("days/IMG-20230514-WA0007.jpg", JPEGFixture().bytes)
        let sheet = try run("list", "days", "--html", "-").text
        #expect(sheet.contains("2023-05-14") && !sheet.contains("00:00"))
        #expect(sheet.contains("loading=\"lazy\""))
        let lines = try run("list", "days").lines
        #expect(lines[0].hasSuffix("\ttakenPrecision\tgroup") && lines[1].hasSuffix("\tday\t"))
    }

    @Test(.enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"))
    func showsPathsInFullIfShortenedOnesAreEqual() throws {
        let names = ["one", "two"].map { "wide/\($0)/" + String(repeating: "x", count: 60) + "/same.jpg" }
        for name in names { try home.write(name, JPEGFixture().bytes) }
        let screen = try program.runAtTerminal(["list", "wide"], columns: 60).screen
        for name in names { #expect(screen.contains("    \(name)\r\n")) }
    }

    /// A wildcard or xargs hands names over that read as options; they must not become wishes.
    @Test func aNameThatReadsAsAnOptionIsAskedAbout() throws {
        let picture = try FileSystem.contents(of: home.path.appending("album/a copy.jpg"))
        for name in ["--permanent", "-n.jpg", "b.jpg"] { try home.write("odd/\(name)", picture) }
        let odd = home.path.appending("odd")
        for name in ["--permanent", "-n.jpg"] {
            let result = try program.run("delete", "-y", name, "b.jpg", in: odd)
            #expect(result.exitCode == 64)
            #expect(result.errorText.contains("./\(name)"))
        }
        #expect(try FileStatus.of(odd.appending("b.jpg")).kind == .regular)
        // Behind '--' all are files, and go where undo finds them.
        #expect(try program.run("delete", "-y", "--", "--permanent", "-n.jpg", "b.jpg", in: odd).exitCode == 0)
        #expect(try program.run("undo").exitCode == 0)
        #expect(try FileStatus.of(odd.appending("--permanent")).kind == .regular)
    }

    @Test(
        .enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"), arguments: ["Y", "YES", "yes"])
    func acceptsYesInEitherCase(answer: String) throws {
        let end = try program.runAtTerminal(["delete", "album/a copy.jpg"], question: "[y/N]", answer: answer)
        #expect(end.exitCode == 0, "\(end.screen)")
    }

    @Test(.enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"))
    func refusesToWriteAPictureToATerminal() throws {
        let end = try program.runAtTerminal(["compress", "album/a copy.jpg", "--max-size", "9kB", "-o", "-"])
        #expect(end.exitCode == 64)
        #expect(end.screen.contains("standard output is a terminal"))
    }

    @Test func inPlaceLeavesOtherFormatsThatFit() throws {
        let bytes = PNGFixture(DrawnPicture(width: 64, height: 48)).bytes
        try home.write("png/a.png", bytes)
        let result = try run("compress", "png", "--in-place", "-y", "--max-size", "150kB", "--json")
        #expect(result.exitCode == 0)
        #expect(result.text.contains(#""action":"copied""#) && result.text.contains("png/a.png\",\"sourceBytes"))
        #expect(try FileSystem.contents(of: home.path.appending("png/a.png")) == bytes)
        // One that does not fit becomes a JPEG.
        #expect(try run("compress", "png", "--in-place", "-y", "--max-size", "2kB").exitCode == 0)
        #expect(try FileStatus.of(home.path.appending("png/a.jpg")).identity.bytes <= 2000)
    }
}
