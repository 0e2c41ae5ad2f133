import Support
import Testing
import TidyKit

/// What the closing line says must be what this run did.
@Suite struct DeleteSummaryTests {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 32, height: 24).jpeg()
        for name in ["a.jpg", "b.jpg"] { try program.home.write("album/\(name)", picture) }
    }

    func run(_ arguments: String...) throws -> BuiltProgram.Result { try program.run(arguments.map { FilePath($0) }) }

    @Test func aFinishedPlanThatRunsAgainMovesNothingAndSaysSo() throws {
        _ = try run("delete", "album/a.jpg", "album/b.jpg", "-n", "--save-plan", "plan")
        let first = try run("delete", "--plan", "plan", "--yes")
        #expect(first.exitCode == 0)
        #expect(first.errorText.contains("Moved 2 photos"))
        let second = try run("delete", "--plan", "plan", "--yes")
        #expect(second.exitCode == 0)
        #expect(second.errorText.contains("Moved 0 photos (0 files, 0 B)"))
        #expect(second.errorText.contains("2 photos of the plan went in an earlier run"))
    }

    @Test func aSelectionThatIsNotThereIsNotCalledEmpty() throws {
        let result = try run("select", "show", "-s", "psot")
        #expect(result.exitCode == 1)
        #expect(result.text.isEmpty)
        #expect(result.errorText.contains("no such selection"))
    }

    @Test func noBatchesAreCountedOfNothing() throws {
        let result = try run("delete", "-n", "gone.jpg")
        #expect(result.errorText.contains("Would move 0 photos (0 files, 0 B) to the trash;"))
    }

    @Test func aPlanThatCannotBeSavedNamesTheFileOfTheUser() throws {
        let result = try run("delete", "-n", "album/a.jpg", "--save-plan", "nowhere/plan")
        #expect(result.exitCode == 5)
        #expect(result.errorText.contains("nowhere/plan") && !result.errorText.contains(".phototidy-"))
        let dash = try run("delete", "-n", "album/a.jpg", "--save-plan", "-")
        #expect(dash.exitCode == 64)
        #expect(dash.errorText.contains("--save-plan"))
    }

    @Test(arguments: ["album/a.jpg\r\nalbum/b.jpg\r\n", "\u{FEFF}album/a.jpg\n", "\u{FEFF}album/a.jpg\r\n"])
    func aListOfAnotherSystemIsToldAndNotRepaired(list: String) throws {
        let result = try program.run("delete", "--yes", "--from", "-", input: list)
        #expect(result.exitCode == 5)
        #expect(result.errorText.contains("is there without"))
        #expect(program.home.path.appending("album/a.jpg").exists)
    }

    /// ENOSPC is 28.
    @Test(arguments: [["--in-place", "--yes"], ["-o", "out"]])
    func aFullDiskIsOneOfTheEnvironment(place: [String]) throws {
        let result = try program.run(
            (["compress", "--max-edge", "10", "--min-edge", "5", "album/a.jpg"] + place).map { FilePath($0) },
            environment: ["PHOTOTIDY_FAULT": "fsync:0:28"])
        #expect(result.exitCode == 5, "\(result.errorText)")
    }
}
