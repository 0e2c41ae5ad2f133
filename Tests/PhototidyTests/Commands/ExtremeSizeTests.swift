import Support
import Testing
import TidyKit

/// Files as large as a file system can say, of which two are more than any sum: sparse, on a tmpfs.
@Suite struct ExtremeSizeTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram(in: TemporaryFolder.memory)
        for name in ["a.jpg", "b.jpg", "c.png"] {
            let picture = DrawnPicture(width: 40, height: 30)
            let path = try program.home.write(
                "photos/" + name, name == "c.png" ? PNGFixture(picture).bytes : picture.jpeg())
            if TemporaryFolder.holdsLongestFiles { try path.truncate(to: .max) }
        }
    }

    @Test(.enabled(if: TemporaryFolder.holdsLongestFiles, "no file can be that long here"))
    func eachCommandGoesOn() throws {
        for arguments in [
            ["list", "photos", "--json", "--stats"], ["list", "photos", "--format=table", "--sort=-size"],
            ["filter", "photos", "--size=9EB.."], ["filter", "photos", "--size=9000000TB.."],
            ["filter", "photos", "--where=size > 9000000TB"], ["list", "photos", "--html=-"],
            ["delete", "photos", "--all", "-n"], ["delete", "photos", "--all", "-n", "--max-bytes=9000000TB"],
            ["compress", "photos", "-o", "out"], ["select", "add", "photos"], ["select", "show", "--json"],
            ["filter", "photos", "--broken", "--stats"], ["filter", "photos", "--similar"],
            ["delete", "photos", "--all", "--yes", "--json"], ["undo", "--list"], ["undo", "--json"],
        ] {
            let result = try program.run(arguments.map { FilePath($0) })
            #expect([0, 1, 3, 4, 64].contains(result.exitCode), "\(arguments): \(result.exitCode) \(result.errorText)")
        }
        #expect(TemporaryFolder.names(in: home.path.appending("photos")).count == 3)
    }

    @Test(arguments: [
        ["--size", "99999999999G"], ["--last", "999999999y"], ["--older-than", "999999999999999999999d"],
        ["--limit", "99999999999999999999"], ["--near", "1e400,0,1"], ["--near", "nan,0,1"], ["--megapixels", "inf.."],
        ["--rating", "99999999999999999999"], ["--where", "size > 99999999999GB"], ["--taken", "99999-01"],
        ["--where", "megapixels > 1e999"], ["--where", "rating == 99999999999999999999"],
    ])
    func hugeNumbersAreUsageErrorsOrMatchNothing(arguments: [String]) throws {
        let result = try program.run((["filter", "."] + arguments).map { FilePath($0) })
        #expect([64, 1].contains(result.exitCode), "\(arguments): \(result.exitCode) \(result.errorText)")
    }
}
