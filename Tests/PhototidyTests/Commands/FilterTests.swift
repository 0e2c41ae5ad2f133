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
        #expect(try program.runAtTerminal(["filter", "--taken", "1850"], in: library.path).exitCode == 1)
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

    @Test func whatNeedsNoMetadataOpensNoMoreThanTheKindNeeds() throws {
        let named = try filter("--name", "b*", "--stats", "--no-index")
        #expect(named.errorText.contains("files seen: 4\nfiles opened: 1\n"))
    }
}
