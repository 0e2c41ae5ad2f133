import Support
import Testing
import TidyKit

/// What keeps photos from coming back, or something of them from being cleared away: `undo -n` says what `undo` will, photo by
/// photo, for its reasons and with its exit code.
@Suite struct UndoRehearsalTests {
    /// What the script does to the trash `$T` and the library `$L`, after a delete or a compress in place.
    struct Obstacle: Sendable, CustomTestStringConvertible {
        let script: String
        let isInPlace: Bool
        /// Of the run.
        let reason: String

        init(_ script: String, inPlace: Bool = false, _ reason: String) {
            (self.script, isInPlace, self.reason) = (script, inPlace, reason)
        }

        var testDescription: String { (isInPlace ? "in place: " : "") + script }
    }

    static let modes: [Obstacle] = [
        Obstacle("chmod 555 $T/info", "its folder cannot be changed: Permission denied"),
        Obstacle("chmod 555 $T/files", "in the trash: its folder cannot be changed: Permission denied"),
        Obstacle("chown -R 0 $T/files; chmod 1777 $T/files", "in the trash: it belongs to somebody else"),
        Obstacle("chown -R 0 $T/info; chmod 1777 $T/info; chmod 644 $T/info/*", "it belongs to somebody else"),
        Obstacle("chown -R 0 $L; chmod 1777 $L", inPlace: true, "it belongs to somebody else"),
        Obstacle("chmod 555 $L", inPlace: true, "its folder cannot be changed: Permission denied"),
    ]

    static let flags: [Obstacle] = [
        Obstacle("chattr +i $T/info", "its folder is immutable"),
        Obstacle("chattr +a $T/info", "its folder is append-only"),
        Obstacle("chattr +i $T/files", "in the trash: its folder is immutable"),
        Obstacle("chattr +a $T/files", "in the trash: its folder is append-only"),
        Obstacle("chattr +i $T/info/*", "it is immutable"), Obstacle("chattr +a $T/info/*", "it is append-only"),
        Obstacle("chattr +i $T/files/*", "in the trash: it is immutable"),
        Obstacle("chattr +a $T/files/*", "in the trash: it is append-only"),
        Obstacle("chattr +i $L/a.jpg", inPlace: true, "it is immutable"),
        Obstacle("chattr +a $L/a.jpg", inPlace: true, "it is append-only"),
        Obstacle("chattr +i $L/b.jpg", inPlace: true, "could not be removed"),
        Obstacle("chattr +a $L", inPlace: true, "its folder is append-only"),
    ]

    private static let jpeg = DrawnPicture(width: 320, height: 240).jpeg()
    private static let png = PNGFixture(DrawnPicture(width: 320, height: 240)).bytes

    /// What both runs say photo by photo, and of what is left.
    private static func words(_ result: BuiltProgram.Result) -> [String] {
        let reasons = result.text.split(separator: "\"reason\":").dropFirst().map { String($0.prefix { $0 != "}" }) }
        let notes = result.errorText.split(separator: "\n").compactMap { line in
            line.firstRange(of: "what it left in the trash").map { String(line[$0.lowerBound...]) }
        }
        return reasons + notes
    }

    /// The dry run, twice, and the run end alike.
    private func check(_ reason: String, _ run: (_ options: [String]) throws -> BuiltProgram.Result) throws {
        let dry = try run(["--json", "-n"])
        #expect(try Self.words(run(["--json", "-n"])) == Self.words(dry), "the dry run changed something")
        let real = try run(["--json"])
        #expect(real.exitCode == 3, "\(real.errorText)")
        #expect(dry.exitCode == real.exitCode, "\(dry.errorText) \(real.errorText)")
        #expect(Self.words(dry) == Self.words(real))
        #expect((real.text + real.errorText).contains(reason), "\(real.text) \(real.errorText)")
    }

    private func check(_ obstacle: Obstacle, user: UInt32) throws {
        let program = try BuiltProgram()
        let home = program.home.path
        try program.home.write("library/a.jpg", Self.jpeg)
        try program.home.write("library/b.png", Self.png)
        try home.give(to: user)
        for name in ["library", "library/a.jpg", "library/b.png"] { try home.appending(name).give(to: user) }
        let entrance = ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"].map { FilePath($0) }
        func run(_ words: [String]) throws -> BuiltProgram.Result {
            try program.run(words.map { FilePath($0) }, through: entrance)
        }
        let files = ["library/a.jpg", "library/b.png", "--yes"]
        let command = obstacle.isInPlace ? ["compress", "--in-place", "--max-edge", "100"] : ["delete"]
        let begun = try run(command + files)
        #expect(begun.exitCode == 0, "\(begun.errorText)")
        func shell(_ script: String) throws -> BuiltProgram.Result {
            let places = "T='\(home.displayText)/.local/share/Trash'; L='\(home.displayText)/library'; "
            return try program.runTool("/bin/sh", ["-euc", places + script].map { FilePath($0) })
        }
        defer { _ = try? shell("chattr -R -f -ia $T $L") }
        let done = try shell(obstacle.script)
        if obstacle.script.hasPrefix("chattr"), done.exitCode != 0 {
            try Test.cancel("no file can be made immutable here: that needs the superuser, and ext4, XFS or Btrfs")
        }
        #expect(done.exitCode == 0, "\(done.errorText)")
        try check(obstacle.reason) { try run(["undo"] + $0) }
    }

    @Test(
        .enabled(if: BuiltProgram.obstacleToNobody == nil, "\(BuiltProgram.obstacleToNobody ?? "")"),
        arguments: modes)
    func whatModesAndOwnersForbidIsFoundInTheDryRun(_ obstacle: Obstacle) throws {
        try check(obstacle, user: 65534)
    }

    @Test(.enabled(if: FileSystem.effectiveUser == 0, "needs the superuser"), arguments: flags)
    func whatChattrForbidsIsFoundInTheDryRun(_ obstacle: Obstacle) throws { try check(obstacle, user: 0) }

    /// Another disk that has no room for the copies, and a trash that cannot be tidied because nobody may write to it.
    @Test(
        .enabled(if: MountSpace.isAvailable, "\(MountSpace.obstacle ?? "")"),
        arguments: [
            ("cat /dev/zero > $D/filler 2>/dev/null || :", "No space left on device"),
            ("i=0; while touch $D/$i 2>/dev/null; do i=$((i+1)); done", "No space left on device"),
            ("head -c 500000 /dev/zero > $D/filler", "No space left on device"),
            ("mount --bind $T $T; mount -o remount,ro,bind $T", "on a read-only filesystem"),
            ("chmod 500 $D; chattr +a $D", "its folder is append-only"),
        ])
    func whatAnotherDiskForbidsIsFoundInTheDryRun(_ script: String, _ reason: String) throws {
        let world = try MountedDisk("size=512k,nr_inodes=40")
        let noise = Array("noise".utf8) + [UInt8](repeating: 7, count: 20_000)
        for name in ["a", "b"] { try world.program.home.write("library/\(name).jpg", noise) }
        #expect(try world.run("delete", "library/a.jpg", "library/b.jpg", "--yes").exitCode == 0)
        let places = "D='\(world.disk.displayText)'; T='\(world.homeTrash.displayText)'; "
        do { try world.space.shell(places + script) } catch {
            try Test.cancel("tmpfs knows no attributes here")
        }
        try check(reason) { try world.run(["undo", "--to", "disk"] + $0) }
    }

    /// The files are back, and a `.trashinfo` would not go: the undo that is to finish it is foreseen too.
    @Test(.enabled(if: FileSystem.effectiveUser == 0, "needs the superuser"))
    func whatIsLeftToTidyIsFoundInTheDryRun() throws {
        let program = try BuiltProgram()
        try program.home.write("a.jpg", Self.jpeg)
        #expect(try program.run("delete", "a.jpg", "--yes").exitCode == 0)
        let info = program.home.path.appending(".local/share/Trash/info")
        func chattr(_ flag: String) throws -> Bool {
            try program.runTool("/usr/bin/chattr", [FilePath(flag), info]).exitCode == 0
        }
        guard try chattr("+i") else { try Test.cancel("no folder can be made immutable here") }
        defer { _ = try? chattr("-i") }
        #expect(try program.run("undo").exitCode == 3)
        try check("its folder is immutable") { try program.run((["undo"] + $0).map { FilePath($0) }) }
        #expect(try chattr("-i"))
        #expect(try program.run("undo", "-n").exitCode == 0)
        #expect(try program.run("undo").exitCode == 0)
        #expect(TemporaryFolder.names(in: info).isEmpty)
    }
}
