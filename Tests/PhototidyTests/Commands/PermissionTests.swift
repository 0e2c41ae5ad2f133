import Support
import Testing
import TidyKit

/// What an ordinary user may not do, found in the dry run already, file by file, by a user who really may not.
@Suite struct PermissionTests {
    private static let nobody: UInt32 = 65534

    /// A home folder that belongs to nobody, and nobody at work in it.
    private struct World {
        let program: BuiltProgram

        init() throws {
            program = try BuiltProgram()
            try program.home.path.give(to: nobody)
        }

        @discardableResult
        func write(_ name: String, owner: UInt32 = nobody) throws -> FilePath {
            let path = try program.home.write(name, name)
            try path.give(to: owner)
            if path.directory != program.home.path, try FileStatus.of(path.directory).owner == 0 {
                try path.directory.give(to: nobody)
            }
            return path
        }

        func run(_ arguments: String...) throws -> BuiltProgram.Result { try run(arguments) }

        private func run(_ arguments: [String]) throws -> BuiltProgram.Result {
            let words = ["/usr/bin/setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"]
            return try program.run(arguments.map { FilePath($0) }, through: words.map { FilePath($0) })
        }

        /// The dry run and the run end alike; returns the words in front of the lines of the dry run.
        func check(_ files: [String], _ reason: String) throws -> [String] {
            let dryRun = try run(["delete", "-n"] + files)
            #expect(reason.isEmpty || dryRun.text.contains(reason), "\(dryRun.text)")
            let real = try run(["delete", "--yes"] + files)
            #expect(real.exitCode == dryRun.exitCode, "\(real.errorText)")
            return dryRun.lines.compactMap { $0.split(separator: "\t").first.map(String.init) }
        }
    }

    private static let canBeNobody = BuiltProgram.obstacleToNobody == nil

    @Test(.enabled(if: canBeNobody, "needs a superuser who can become nobody"))
    func aFolderThatCannotBeChangedKeepsItsFiles() throws {
        let world = try World()
        let kept = try world.write("locked/a.jpg")
        let gone = try world.write("open/b.jpg")
        try kept.directory.setPermissions(0o555)
        #expect(
            try world.check(["locked/a.jpg", "open/b.jpg"], "its folder cannot be changed") == ["denied", "ready"])
        #expect(kept.exists && !gone.exists)
        #expect(try world.run("undo").exitCode == 0)
        #expect(gone.exists)
        #expect(try FileStatus.of(gone).owner == Self.nobody)
    }

    @Test(.enabled(if: canBeNobody, "needs a superuser who can become nobody"))
    func aStickyFolderKeepsTheFilesOfOthers() throws {
        let world = try World()
        let theirs = try world.write("shared/a.jpg", owner: 12345)
        let own = try world.write("shared/b.jpg")
        try theirs.directory.give(to: 12345)
        try theirs.directory.setPermissions(0o1777)
        #expect(try world.check(["shared/a.jpg", "shared/b.jpg"], "its folder is sticky") == ["denied", "ready"])
        #expect(theirs.exists && !own.exists)
    }

    /// A file that is read-only, or somebody else's, in a folder of one's own: a rename may take it, and brings it back.
    @Test(.enabled(if: canBeNobody, "needs a superuser who can become nobody"))
    func aFolderOfOnesOwnGivesAllItsFiles() throws {
        let world = try World()
        let theirs = try world.write("own/a.jpg", owner: 12345)
        let readOnly = try world.write("own/b.jpg")
        try readOnly.setPermissions(0o400)
        let before = try TestLibrary.snapshot(theirs.directory)
        #expect(try world.check(["own/a.jpg", "own/b.jpg"], "") == ["ready", "ready"])
        #expect(try world.run("undo").exitCode == 0)
        #expect(try TestLibrary.snapshot(theirs.directory) == before)
        #expect(try FileStatus.of(theirs).owner == 12345)
    }

    @Test(.enabled(if: canBeNobody, "needs a superuser who can become nobody"))
    func withoutAHomeThatCanBeWrittenNothingIsTouched() throws {
        let world = try World()
        let photo = try world.write("own/a.jpg")
        try world.program.home.path.give(to: 0)
        try world.program.home.path.setPermissions(0o755)
        let result = try world.run("delete", "own/a.jpg", "--yes")
        #expect(result.exitCode == 5, "\(result.exitCode) \(result.errorText)")
        #expect(photo.exists)
    }

    /// `chattr +i`, on the file and on its folder.
    @Test func whatIsImmutableIsFoundInTheDryRun() throws {
        let program = try BuiltProgram()
        let photo = try program.home.write("a.jpg", "a")
        let other = try program.home.write("locked/b.jpg", "b")
        let names = [photo.displayText, other.directory.displayText]
        guard FileSystem.effectiveUser == 0,
            try program.runTool("/usr/bin/chattr", (["+i"] + names).map { FilePath($0) }).exitCode == 0
        else {
            try Test.cancel("no file can be made immutable here: that needs the superuser, and ext4, XFS or Btrfs")
        }
        defer { _ = try? program.runTool("/usr/bin/chattr", (["-i"] + names).map { FilePath($0) }) }
        let dryRun = try program.run("delete", "-n", "a.jpg", "locked/b.jpg")
        #expect(dryRun.lines.allSatisfy { $0.hasPrefix("denied\t") } && dryRun.lines.count == 2)
        #expect(dryRun.text.contains("it is immutable") && dryRun.text.contains("its folder"))
        #expect(try program.run("delete", "--yes", "a.jpg", "locked/b.jpg").exitCode == dryRun.exitCode)
        #expect(photo.exists && other.exists)
    }
}
