import Support
import Testing
import TidyKit

/// `--quiet`: standard error has warnings and errors, and nothing else.
@Suite struct QuietTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        for (name, grain) in [("a", 3), ("b", 24)] {
            try program.home.write(
                "photos/\(name).jpg", DrawnPicture(width: 640, height: 480, grain: grain).jpeg(quality: 90))
        }
    }

    @Test(arguments: ["-q", "--quiet"]) func aGoodNightWritesNothing(quiet: String) throws {
        for arguments in [
            ["delete", "photos/a.jpg", "--yes"], ["undo"], ["compress", "photos", "-o", "out"],
            ["compress", "photos", "--in-place", "--max-size", "20kB", "--yes"], ["undo"],
            ["delete", "photos", "--size", "1GB..", "--yes", "--allow-empty"], ["delete", "photos", "--all", "--yes"],
            ["undo", "--progress=always"], ["delete", "photos", "--all", "--yes", "--progress=always"],
        ] {
            let result = try program.run((arguments + [quiet]).map { FilePath($0) })
            #expect(result.exitCode == 0 && result.errors.isEmpty && result.output.isEmpty, "\(arguments): \(result)")
        }
    }

    @Test func errorsAndReportsAreStillThere() throws {
        let missing = try run("delete", "photos/none.jpg", "--yes", "-q")
        #expect(missing.exitCode == 5 && !missing.errors.isEmpty)
        let refused = try run("delete", "photos/a.jpg", "-q")
        #expect(refused.exitCode == 4 && !refused.errors.isEmpty)
        try home.write("photos/c.jpg", [0xFF, 0xD8, 0xFF, 0xD9])
        let failed = try run("compress", "photos", "-o", "out", "-q")
        #expect(failed.exitCode == 3 && failed.errorText.contains("c.jpg"), "\(failed.errorText)")
        let report = try run("delete", "photos/a.jpg", "--yes", "-q", "--json")
        #expect(report.text.hasPrefix("{") && report.errors.isEmpty)
        #expect(try run("delete", "photos", "--all", "-n", "-q").text.contains("photos/b.jpg"))
    }
}
