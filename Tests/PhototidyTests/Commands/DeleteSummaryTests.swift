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
}
