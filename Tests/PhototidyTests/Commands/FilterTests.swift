import Support
import Testing
import TidyKit

@Suite struct FilterTests {
    private let program: BuiltProgram
    private let library: TemporaryFolder

    init() throws {
        program = try BuiltProgram()
        library = try TemporaryFolder()
        for name in ["b.jpg", "a.jpg", "A.JPG"] { try library.write(name, JPEGFixture(width: 64, height: 48).bytes) }
        try library.write("note.jpg", "no picture")
    }

    private func filter(_ arguments: String...) throws -> BuiltProgram.Result {
        try program.run((["filter"] + arguments).map { FilePath($0) }, in: library.path)
    }

    @Test func pathsStandInTheOrderOfTheirBytes() throws {
        let result = try filter("--type", "jpeg")
        #expect(result.exitCode == 0)
        #expect(result.text == "A.JPG\na.jpg\nb.jpg\n")
        #expect(result.errors.isEmpty)
    }

    @Test func predicatesMustAllHold() throws {
        #expect(try filter("--name", "*.jpg", "--exclude", "b*").text == "A.JPG\na.jpg\n")
        #expect(try filter("--name", "a*", "--name", "*.jpg", "--size", "..1").exitCode == 1)
        #expect(try filter("--name", "a.*,b.*").lines.count == 3)
    }

    @Test func nothingMatchedIsOneAndSilent() throws {
        let result = try filter("--taken", "1850")
        #expect(result.exitCode == 1)
        #expect(result.output.isEmpty && result.errors.isEmpty)
        #expect(try filter("--taken", "1850", "--json").text == "[]\n")
        #expect(try filter("--taken", "1850", "--count").text == "0\n")
        #expect(try filter("--taken", "1850", "--allow-empty").exitCode == 0)
    }

    @Test(.enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"))
    func nothingMatchedIsSaidAtATerminal() throws {
        let end = try program.runAtTerminal(["filter", "--taken", "1850"], in: library.path)
        #expect(end.exitCode == 1 && end.screen.contains("Nothing matched."))
    }

    /// A copy has a new time stamp: an age that rests on it chooses the wrong photos, and a pipe hands them on.
    @Test(arguments: [["--taken", "2017.."], ["--older-than", "1d"], ["--where", "taken > 1999"]])
    func datesThatRestOnTheFileAreCounted(_ predicate: [String]) throws {
        for name in ["a.jpg", "b.jpg", "A.JPG"] {
            try FileSystem.setModified(library.path.appending(name), ns: 1_500_000_000_000_000_000)
        }
        try library.write("IMG_20240501_101112.jpg", JPEGFixture(width: 64, height: 48, seed: 2).bytes)
        func errors(_ more: String...) throws -> String {
            let result = try program.run((["filter"] + predicate + more).map { FilePath($0) }, in: library.path)
            #expect(result.exitCode == 0)
            return result.errorText
        }
        let note = "3 of these photos are dated by the file's time stamp alone"
        #expect(try errors().contains(note))
        #expect(try errors("--sort", "none").contains(note))
        #expect(try errors("--limit", "1").contains("1 of these photos is dated by the file's time stamp alone"))
        #expect(try errors("--json").contains(note))
        // Who asks for them, or leaves them out, knows.
        #expect(try errors("--date-source", "mtime").isEmpty)
        #expect(try errors("--date-source", "name").isEmpty)
    }

    @Test func aDateThatDecidesNothingIsNotSpokenOf() throws {
        #expect(try filter("--where", "camera ~ taken or width > 1").errors.isEmpty)
    }

    @Test func fieldsMakeATableOfThePaths() throws {
        #expect(
            try filter("--name", "b*", "--fields", "path,width").text == "path\twidth\nb.jpg\t64\n")
    }

    @Test func aBadExpressionIsPointedAt() throws {
        let result = try filter("--where", "width > 1 and nosuch == 1")
        #expect(result.exitCode == 64)
        #expect(result.errorText.contains("  width > 1 and nosuch == 1\n                ^\n"))
    }

    @Test func opensNoFileForMetadataThatIsNotNeeded() throws {
        let named = try filter("--name", "b*", "--stats", "--no-index")
        #expect(named.errorText.contains("files seen: 4\nfiles opened: 1\n"))
    }
}
