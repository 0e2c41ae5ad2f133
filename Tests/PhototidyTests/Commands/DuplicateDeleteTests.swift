import Support
import Testing
import TidyKit

/// `delete --duplicate` between its plan and its run, as a user has it.
@Suite struct DuplicateDeleteTests: ProgramSuite {
    let program: BuiltProgram
    var kept: FilePath { home.path.appending("album/deep/odd/a.jpg") }
    var copy: FilePath { home.path.appending("album/a copy.jpg") }

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 320, height: 240, grain: 24).jpeg(quality: 95)
        for name in ["album/a copy.jpg", "album/deep/odd/a.jpg"] { try home.write(name, picture) }
    }

    private func save() throws {
        let saved = try run("delete", "album", "--duplicate", "--permanent", "-n", "--save-plan", "p.plan")
        #expect(saved.exitCode == 0)
    }

    /// What happened to the kept copy between the plan and the run, and what is said of it.
    @Test(arguments: ["gone", "changed"]) func theLastCopyStays(kept fate: String) throws {
        try save()
        if fate == "gone" {
            try FileSystem.remove(kept)
        } else {
            try home.write("album/deep/odd/a.jpg", DrawnPicture(width: 300, height: 200, grain: 24).jpeg(quality: 95))
        }
        let reason = "the copy that stays has \(fate): album/deep/odd/a.jpg"
        #expect(try run("delete", "--plan", "p.plan", "-n").text.contains(reason))
        let result = try run("delete", "--plan", "p.plan", "--yes")
        #expect(result.exitCode == 3)
        #expect((result.text + result.errorText).contains(reason))
        #expect(copy.exists)
    }

    @Test func whileItStaysThePlanRunsAndRunsAgain() throws {
        try save()
        for _ in 0..<2 {
            #expect(try run("delete", "--plan", "p.plan", "--yes").exitCode == 0)
            #expect(kept.exists && !copy.exists)
        }
    }

    @Test func recordsOfAFilterNameNoCopyThatStays() throws {
        let records = try run("filter", "album", "--duplicate", "--format", "ndjson").output
        let result = try program.run(["delete", "--from", "-", "--yes"].map { FilePath($0) }, input: records)
        #expect(result.exitCode == 0)
        #expect(kept.exists && !copy.exists)
    }
}
