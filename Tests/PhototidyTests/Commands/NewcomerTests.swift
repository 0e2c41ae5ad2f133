import Support
import Testing
import TidyKit

/// What somebody runs into who has read the help alone.
@Suite struct NewcomerTests {
    let program: BuiltProgram
    var home: TemporaryFolder { program.home }

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 320, height: 240, grain: 24).jpeg(quality: 95)
        for name in ["album/a copy.jpg", "album/deep/odd/a.jpg"] { try home.write(name, picture) }
    }

    func run(_ arguments: String...) throws -> BuiltProgram.Result { try program.run(arguments.map { FilePath($0) }) }

    @Test func theCopyThatStaysIsNamed() throws {
        let plan = try run("delete", "album", "--duplicate", "-n")
        #expect(plan.text.contains("album/a copy.jpg\t--duplicate; the copy that stays: album/deep/odd/a.jpg"))
        let goes = try run("filter", "album", "--duplicate", "--explain", "album/a copy.jpg")
        #expect(goes.text.contains("yes      --duplicate (the copy that stays: album/deep/odd/a.jpg)"))
        let stays = try run("filter", "album", "--duplicate", "--explain", "album/deep/odd/a.jpg")
        #expect(stays.text.contains("no       --duplicate (this is the copy that stays)"))
    }

    @Test func anOutputFolderAmongTheOriginalsIsWarnedOf() throws {
        let inside = try run("compress", "album", "-o", "album/web")
        #expect(inside.exitCode == 0)
        #expect(inside.errorText.contains("warning: album/web lies inside album"))
        #expect(try run("compress", "album", "-o", "album/web").text.split(separator: "\n").count == 2)
        #expect(try !run("compress", "album", "-o", "web").errorText.contains("warning"))
    }

    @Test func aSelectionThatIsNotThereCannotBeCleared() throws {
        let result = try run("select", "clear", "-s", "nope")
        #expect(result.exitCode == 1)
        #expect(result.errorText.contains("no selection 'nope'"))
    }

    @Test func sizesThatAreSeldomMeantAreAskedAbout() throws {
        let small = try run("compress", "album/a copy.jpg", "-o", "x", "--max-size", "150")
        #expect(small.errorText.contains("did you mean 150kB?"))
        let exact = try run("filter", "album", "--size", "2MB")
        #expect(exact.exitCode == 1)
        #expect(exact.errorText.contains("exactly 2000000 bytes; 2MB.. is that and more"))
        #expect(try run("filter", "album", "--size", "2MB..").errors.isEmpty)
    }

    @Test func theSummaryOfCompressSpeaksAsItsReport() throws {
        let result = try run("compress", "album/a copy.jpg", "-o", "x", "--max-size", "5MB", "--metadata", "all")
        #expect(result.errorText.contains("1 copied"))
        #expect(!result.errorText.contains("kept their pixels"))
    }

    @Test func runsThatCanBeUndoneStandFirst() throws {
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
        #expect(lines[0].hasSuffix("\ttakenPrecision") && lines[1].hasSuffix("\tday"))
    }

    @Test func pathsThatACutMakesAlikeAreShownInFull() throws {
        let names = ["one", "two"].map { "wide/\($0)/" + String(repeating: "x", count: 60) + "/same.jpg" }
        for name in names { try home.write(name, JPEGFixture().bytes) }
        let screen = try program.runAtTerminal(["list", "wide"], columns: 60).screen
        for name in names { #expect(screen.contains("    \(name)\r\n")) }
    }
}
