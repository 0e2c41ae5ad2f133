import Support
import Testing
import TidyKit

/// `ulimit -f`: a file that may not grow is a full disk, with nothing half done and nothing left behind.
@Suite struct FileLimitTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 640, height: 480, grain: 24).jpeg(quality: 90)
        for name in ["a", "b"] { try program.home.write("photos/\(name).jpg", picture) }
    }

    /// In blocks of 512 bytes, as `sh` counts.
    private func run(limit: Int, _ arguments: String...) throws -> BuiltProgram.Result {
        let shell = ["/bin/sh", "-c", "ulimit -f \(limit); exec \"$@\"", "sh"].map { FilePath($0) }
        return try program.run(arguments.map { FilePath($0) }, through: shell)
    }

    @Test func compressLeavesNothing() throws {
        let result = try run(limit: 8, "compress", "photos", "-o", "out", "--max-size=5MB", "--metadata=all")
        #expect(result.exitCode == 5 && result.errorText.contains("File too large"), "\(result.errorText)")
        let out = home.path.appending("out")
        #expect(out.exists ? try TestLibrary.snapshot(out).isEmpty : true)
    }

    @Test func deleteChangesNothing() throws {
        let before = try TestLibrary.snapshot(home.path.appending("photos"))
        let result = try run(limit: 0, "delete", "photos/a.jpg", "photos/b.jpg", "--yes")
        // What is said cannot be seen: it goes to a file, too.
        #expect(result.exitCode == 5, "\(result.errorText)")
        #expect(try TestLibrary.snapshot(home.path.appending("photos")) == before)
        #expect(try program.run("undo").exitCode == 1)
    }

    @Test func aPlanOrASheetThatDoesNotFitIsNotThere() throws {
        for arguments in [
            ["delete", "photos", "--all", "-n", "--save-plan=made"], ["list", "photos", "--html=made"],
        ] {
            let shell = ["/bin/sh", "-c", "ulimit -f 1; exec \"$@\"", "sh"].map { FilePath($0) }
            let result = try program.run(arguments.map { FilePath($0) }, through: shell)
            #expect(result.exitCode == 5, "\(arguments): \(result.errorText)")
            let names = TemporaryFolder.names(in: home.path).map { String(decoding: $0, as: UTF8.self) }
            #expect(!names.contains { $0 == "made" || $0.hasPrefix(".phototidy") }, "\(names)")
        }
    }
}
