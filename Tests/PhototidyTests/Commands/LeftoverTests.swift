import Support
import Testing
import TidyKit

/// What kills and failing disks leave, and what the next run makes of it.
@Suite struct LeftoverTests: ProgramSuite {
    let program: BuiltProgram

    init() throws { program = try BuiltProgram() }

    private static let killed: Int32 = 137

    private func names(_ folder: String) -> [String] {
        TemporaryFolder.names(in: home.path.appending(folder)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func run(_ arguments: [String], fault: String) throws -> BuiltProgram.Result {
        try program.run(arguments.map { FilePath($0) }, environment: ["PHOTOTIDY_FAULT": fault])
    }

    /// The next run that writes to the state folder takes away what a kill left there.
    @Test func removesTemporarySelectionsOfKilledRuns() throws {
        try home.write("a.jpg", DrawnPicture(width: 40, height: 30).jpeg())
        let folder = ".local/state/phototidy/selections"
        var left = 0
        for step in 1...60 {
            let code = try run(["select", "toggle", "a.jpg"], fault: "kill:\(step)").exitCode
            left += names(folder).count { $0.hasPrefix(".phototidy-") }
            #expect(try run("select", "toggle", "a.jpg").exitCode == 0)
            #expect(names(folder) == [".lock", "default.selection"], "step \(step)")
            if code != Self.killed { break }
        }
        #expect(left > 0, "the kills came at other moments")
    }

    @Test func removesTemporaryRecordsOfKilledRuns() throws {
        try home.write("a.jpg", DrawnPicture(width: 320, height: 240).jpeg())
        let words = ["compress", "a.jpg", "--max-edge", "100", "-o", "out", "--overwrite"]
        var left = 0
        for step in 1...80 {
            let code = try run(words + ["--quality", "\(20 + step % 70)"], fault: "kill:\(step)").exitCode
            left += names(".local/state/phototidy").count { $0.hasPrefix(".phototidy-") }
            #expect(try run(words + ["--min-quality", "10", "--quality", "91"], fault: "").exitCode == 0)
            #expect(names(".local/state/phototidy").allSatisfy { !$0.hasPrefix(".") }, "step \(step)")
            if code != Self.killed { break }
            _ = try program.runTool("/bin/rm", ["-r", "out"].map { FilePath($0) })
        }
        #expect(left > 0, "the kills came at other moments")
    }

    /// What only begins like a temporary name is a photo of somebody.
    @Test func aPhotoThatIsNamedLikeALeftoverStays() throws {
        try home.write("a.jpg", DrawnPicture(width: 320, height: 240).jpeg())
        var photo: String?
        for step in 1...80 where photo == nil {
            let words = ["compress", "a.jpg", "--max-edge", "100", "-o", "out"]
            if try run(words, fault: "kill:\(step)").exitCode != Self.killed { break }
            let left = names("out").first { $0.hasPrefix(".phototidy-output-") }
            photo = left.map { $0.split(separator: "-").dropLast().joined(separator: "-") + "-IMG_1.jpg" }
        }
        let name = try #require(photo, "no kill left anything")
        try home.write("out/" + name, "a photo")
        #expect(try run("compress", "a.jpg", "--max-edge", "100", "-o", "out", "--overwrite").exitCode == 0)
        #expect(names("out") == [name, "a.jpg"])
    }

    /// Between the photo's step and the sidecar's: the next run finishes, and undo brings both back together.
    @Test func aKillBetweenAPhotoAndItsSidecarIsFinishedByTheNextRun() throws {
        let picture = PNGFixture(DrawnPicture(width: 300, height: 200, grain: 20)).bytes
        var finished = 0
        for step in 40...400 {
            let program = try BuiltProgram()
            let folder = program.home.path.appending("scans")
            try program.home.write("scans/a.png", picture)
            try program.home.write("scans/a.png.xmp", "<x/>")
            try program.home.write("b.jpg", "another")
            let before = try TestLibrary.snapshot(folder)
            let words = ["compress", "scans/a.png", "--in-place", "--yes", "--max-size", "9kB"].map { FilePath($0) }
            let code = try program.run(words, environment: ["PHOTOTIDY_FAULT": "kill:\(step)"]).exitCode
            func names() -> [String] {
                TemporaryFolder.names(in: folder).map { String(decoding: $0, as: UTF8.self) }
            }
            let left = names()
            let next = try program.run("delete", "b.jpg", "--yes")
            #expect(next.exitCode == 0, "step \(step): \(next.errorText)")
            let isReplaced = left.contains("a.jpg") && !names().contains("a.png")
            if isReplaced {
                #expect(names() == ["a.jpg", "a.jpg.xmp"], "step \(step): \(left)")
                if !left.contains("a.jpg.xmp") { finished += 1 }
                let list = try program.run("undo", "--list").lines.first { $0.contains("compress") }
                let id = try #require(list?.split(separator: " ").dropFirst(2).first.map(String.init))
                let undo = try program.run("undo", id)
                #expect(undo.exitCode == 0 && undo.errorText.contains("(2 files"), "step \(step): \(undo.errorText)")
                #expect(try TestLibrary.snapshot(folder) == before, "step \(step)")
            } else {
                #expect(names().contains("a.png") && names().contains("a.png.xmp"), "step \(step): \(left)")
            }
            if code != Self.killed { break }
        }
        #expect(finished > 5, "the kills came at other moments")
    }

    /// EIO at the second unlink: nothing can bring the first file back, and each is named with its place.
    @Test func aPhotoThatTheDiskToreIsToldFileByFile() throws {
        for name in ["a.jpg", "a.jpg.xmp"] { try home.write(name, "content of \(name)") }
        let torn = try run(["delete", "--permanent", "a.jpg", "--yes"], fault: "unlinkat:2:5")
        #expect(torn.exitCode == 3)
        #expect(
            torn.errorText.contains(
                "a.jpg.xmp could not be erased (Input/output error); a.jpg.xmp stands where it stood; a.jpg is erased "
                    + "already"), "\(torn.errorText)")
        #expect(names(".").filter { !$0.hasPrefix(".local") } == ["a.jpg.xmp"])
    }

    /// Before the first unlink nothing is torn: all files are set aside first, and a rename that fails puts all back.
    @Test(arguments: ["renameat2:1:5", "renameat2:2:5", "unlinkat:1:5"])
    func nothingIsErasedBeforeAllFilesAreSetAside(_ fault: String) throws {
        for name in ["a.jpg", "a.jpg.xmp"] { try home.write(name, "content of \(name)") }
        #expect(try run(["delete", "--permanent", "a.jpg", "--yes"], fault: fault).exitCode == 3)
        #expect(names(".").filter { !$0.hasPrefix(".local") } == ["a.jpg", "a.jpg.xmp"])
    }
}
