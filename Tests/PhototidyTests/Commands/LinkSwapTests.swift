import Support
import Testing
import TidyKit

/// A folder of the library and a link that leads out of it change places in front of each call of a run in turn, and in
/// front of all of them: nothing outside is ever touched.
@Suite(.serialized) struct LinkSwapTests {
    private struct World {
        let program: BuiltProgram
        let before: [FilePath: FileStatus]
        var home: FilePath { program.home.path }

        init() throws {
            let program = try BuiltProgram()
            self.program = program
            let home = program.home.path
            let picture = DrawnPicture(width: 160, height: 120).jpeg()
            for name in ["1.jpg", "2.jpg"] {
                try program.home.write("library/sub/" + name, picture)
                try program.home.write("outside/" + name, picture)
                try program.home.write("out/library/sub/" + name, "an older output")
            }
            try program.home.write("list", "library/sub/1.jpg\nlibrary/sub/2.jpg\n")
            for link in ["library/other", "out/library/other"] {
                try home.appending(link).makeLink(to: home.appending("outside"))
            }
            before = try Self.outside(home)
        }

        static func outside(_ home: FilePath) throws -> [FilePath: FileStatus] {
            let folder = home.appending("outside")
            let names = TemporaryFolder.names(in: folder)
            return try Dictionary(
                uniqueKeysWithValues: names.map { (FilePath($0), try FileStatus.of(folder.appending($0))) })
        }

        func run(_ words: [String], _ environment: [String: String?] = [:]) throws -> Int32 {
            try program.run(words.map { FilePath($0) }, environment: environment).exitCode
        }

        /// The link has taken the folder's place.
        func isSwapped(_ folder: String) -> Bool {
            (try? FileStatus.of(home.appending(folder + "/sub")))?.kind == .symbolicLink
        }
    }

    /// What runs, and what has to be made before the exchange begins.
    private static let roads: [(before: [String], run: [String], folder: String)] = [
        ([], ["delete", "library", "--all", "--yes"], "library"),
        ([], ["delete", "library", "--all", "--yes", "--permanent"], "library"),
        (
            ["delete", "library", "--all", "-n", "--save-plan", "plan"], ["delete", "--plan", "plan", "--yes"],
            "library"
        ),
        (["select", "add", "library/sub/1.jpg"], ["delete", "--selection", "default", "--yes"], "library"),
        ([], ["compress", "library", "--in-place", "--max-edge", "100", "--yes"], "library"),
        ([], ["compress", "library", "-o", "out", "--max-edge", "100", "--overwrite"], "out/library"),
        ([], ["compress", "library", "-o", "new", "--max-edge", "100"], "library"),
    ]

    /// ENOSYS 38, EPERM 1: kernels and sandboxes without openat2.
    @Test(arguments: roads.indices, ["", ",openat2:0:38", ",openat2:0:1"])
    func nothingOutsideIsTouched(_ road: Int, _ faults: String) throws {
        let (before, words, folder) = Self.roads[road]
        for step in 0...600 {
            // 0 exchanges all the time. Not each place each time: that would be minutes.
            if step % (faults.isEmpty ? 3 : 19) != 0 { continue }
            let world = try World()
            if !before.isEmpty { #expect(try world.run(before) == 0) }
            _ = try world.run(
                words,
                [
                    "PHOTOTIDY_FAULT": "exchange:\(step)\(faults)",
                    "PHOTOTIDY_FAULT_FROM": world.home.appending(folder + "/sub").displayText,
                    "PHOTOTIDY_FAULT_TO": world.home.appending(folder + "/other").displayText,
                ])
            #expect(try World.outside(world.home) == world.before, "step \(step): \(words)")
            if step > 0, !world.isSwapped(folder) {
                #expect(step > 20, "the exchange was not made")
                return
            }
        }
        Issue.record("the run never came to its end")
    }

    /// The paths of a list are followed once, at the start, as a link that its owner made would be. From there on an exchange
    /// leads nowhere else.
    @Test func aListIsFollowedOnce() throws {
        var isFollowed = false
        for step in 1...600 {
            let world = try World()
            _ = try world.run(
                ["delete", "--from", "list", "--yes"],
                [
                    "PHOTOTIDY_FAULT": "exchange:\(step)",
                    "PHOTOTIDY_FAULT_FROM": world.home.appending("library/sub").displayText,
                    "PHOTOTIDY_FAULT_TO": world.home.appending("library/other").displayText,
                ])
            let isUntouched = try World.outside(world.home) == world.before
            #expect(isUntouched || !isFollowed, "step \(step)")
            if isUntouched { isFollowed = true }
            if !world.isSwapped("library") {
                #expect(isFollowed && step > 20, "the exchange was not made")
                return
            }
        }
        Issue.record("the run never came to its end")
    }
}
