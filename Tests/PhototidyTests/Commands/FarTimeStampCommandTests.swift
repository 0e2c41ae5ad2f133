import Support
import Testing

@testable import TidyKit

/// Files whose time stamps no year of the calendar holds, where the file system takes them: each command goes on, and
/// `undo` and `compress` keep them to the nanosecond.
@Suite struct FarTimeStampCommandTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram(in: TemporaryFolder.memory)
    }

    private static let times: [Int128] = [
        -9_223_372_036_854_775_809, 9_223_372_036_854_775_808, -62_135_596_800_000_000_001,
        253_402_300_800_000_000_007, Int128(Int64.max) * 1_000_000_000 + 999_999_999,
        Int128(Int64.min) * 1_000_000_000,
    ]

    private func add(_ name: String, _ ns: Int128) throws -> FilePath {
        let picture = DrawnPicture(width: 64, height: 48, grain: 24).jpeg(quality: 95)
        let path = try home.write(name, picture)
        try? FileSystem.setModified(path, ns: ns)
        guard try FileStatus.of(path).identity.modifiedNs == ns else {
            try Test.cancel("this file system cannot hold the time \(ns)")
        }
        return path
    }

    @Test(arguments: times) func eachCommandGoesOn(ns: Int128) throws {
        let path = try add("library/a.jpg", ns)
        let near = try home.write("library/b.txt", "no photo")
        try? FileSystem.setModified(near, ns: ns)
        let isInCalendar = CaptureDate.modified(ns: ns) != nil
        for arguments in [["list"], ["list", "--no-index"], ["list", "--sort=-modified"], ["list", "--sort=taken"]] {
            let result = try program.run((arguments + ["library", "--json"]).map { FilePath($0) })
            #expect(result.exitCode == 0, "\(result.errorText)")
            let record = try #require(try JSONReader.value(result.output[...]).array?.first)
            // No photo was taken in any of these years.
            #expect(record["modified"]?.isNull == !isInCalendar && record["taken"]?.isNull == true)
            #expect(record["identity"]?.identity?.modifiedNs == ns)
        }
        for output in ["--csv", "--tsv", "--format=table", "-0"] {
            #expect(try run("list", "library", output).exitCode == 0)
        }
        for predicate in ["--older-than=1d", "--last=99999y", "--taken=0001..9999", "--where=modified < 1990"] {
            let result = try run("filter", "library", predicate)
            #expect([0, 1].contains(result.exitCode), "\(predicate): \(result.errorText)")
        }
        #expect(try run("select", "add", "library/a.jpg").exitCode == 0)
        #expect(try run("select", "show", "--json").text.contains("\"modifiedNs\":\(ns)"))
        #expect(try run("delete", "--selection=default", "--dry-run", "--save-plan=plan").exitCode == 0)
        let result = try run("delete", "--plan=plan", "--yes")
        #expect(result.exitCode == 0 && !path.exists, "\(result.errorText)")
        #expect(try run("undo").exitCode == 0)
        #expect(try FileStatus.of(path).identity.modifiedNs == ns)
    }

    @Test(arguments: times) func compressKeepsThem(ns: Int128) throws {
        let path = try add("a.jpg", ns)
        #expect(try run("compress", "a.jpg", "-o", "b.jpg").exitCode == 0)
        #expect(try FileStatus.of(home.path.appending("b.jpg")).identity.modifiedNs == ns)
        #expect(try run("compress", "a.jpg", "--in-place", "--yes", "--max-edge=32", "--min-edge=16").exitCode == 0)
        #expect(try FileStatus.of(path).identity.modifiedNs == ns)
        #expect(try run("undo").exitCode == 0)
        #expect(try FileStatus.of(path).identity.modifiedNs == ns)
    }
}
