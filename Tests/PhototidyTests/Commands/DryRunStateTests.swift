import Support
import Testing
import TidyKit

/// A state folder in which no journal can be kept: the dry run says so in the words of the run, with its exit code, and
/// writes nothing.
@Suite(.enabled(if: MountSpace.isAvailable, "nothing can be mounted here"))
struct DryRunStateTests {
    /// What makes the folder `disk` one where no state can be, and where the state is to be.
    static let obstacles: [(script: String, state: String)] = [
        ("mount -o remount,ro .", "disk/state"),
        ("mkdir -p state/phototidy/journal; mount -o remount,ro .", "disk/state"),
        ("cat /dev/zero > filler 2>/dev/null || :", "disk/state"),
        ("mkdir -p state/phototidy/journal; cat /dev/zero > filler 2>/dev/null || :", "disk/state"),
        ("mkdir -p state/phototidy/journal; i=0; while touch $i 2>/dev/null; do i=$((i+1)); done", "disk/state"),
        ("echo > state", "disk/state"), ("mkdir -p state/phototidy; echo > state/phototidy/journal", "disk/state"),
        ("mkdir -p state/phototidy/journal; ln -s /nowhere state/phototidy/journal/order", "disk/state"),
        ("mkdir state; ln -s /nowhere state/phototidy", "disk/state"), ("ln -s /nowhere state", "disk/state"),
        (":", "/proc/state"), (":", "disk/missing/" + String(repeating: "n", count: 300)),
    ]

    private static let photo = DrawnPicture(width: 320, height: 240).jpeg()

    @Test(arguments: obstacles)
    func theDryRunSaysWhatTheRunWould(_ script: String, _ state: String) throws {
        let world = try MountedDisk("size=512k,nr_inodes=40")
        try world.program.home.write("photos/a.jpg", Self.photo)
        try world.space.shell("cd '\(world.disk.displayText)'; \(script)")
        let place = state.hasPrefix("/") ? state : world.program.home.path.appending(state).displayText
        let environment = ["XDG_STATE_HOME": place]
        let commands = [
            ["delete", "photos/a.jpg"], ["delete", "--permanent", "photos/a.jpg"],
            ["compress", "--in-place", "--max-edge", "100", "photos/a.jpg"],
        ]
        let before = try TestLibrary.snapshot(world.program.home.path.appending("photos"))
        for command in commands {
            let names = world.names(".")
            let dry = try world.run(command + ["-n"], environment: environment)
            let dryReport = try world.run(command + ["-n", "--json"], environment: environment)
            #expect(world.names(".") == names, "\(command): the dry run wrote")
            let real = try world.run(command + ["--yes"], environment: environment)
            let report = try world.run(command + ["--yes", "--json"], environment: environment)
            #expect(dryReport.text.isEmpty == report.text.isEmpty, "\(command)")
            #expect(dryReport.text.contains("\"failed\"") == report.text.contains("\"failed\""), "\(command)")
            #expect(real.exitCode == 5, "\(command): \(real.errorText)")
            #expect(dry.exitCode == real.exitCode, "\(command): \(dry.errorText)")
            let reason = real.errorText.split(separator: "\n").first
            #expect(reason?.contains("the journal cannot be written") == true, "\(real.errorText)")
            #expect(dry.errorText.split(separator: "\n").first == reason, "\(command)")
            #expect(try TestLibrary.snapshot(world.program.home.path.appending("photos")) == before)
        }
    }

    @Test func anUndoThatCannotWriteItsJournalIsFoundInTheDryRun() throws {
        let world = try MountedDisk()
        try world.program.home.write("photos/a.jpg", Self.photo)
        let environment = ["XDG_STATE_HOME": world.disk.appending("state").displayText]
        #expect(try world.run("delete", "photos/a.jpg", "--yes", environment: environment).exitCode == 0)
        try world.space.shell("mount -o remount,ro '\(world.disk.displayText)'")
        let dry = try world.run("undo", "-n", environment: environment)
        let real = try world.run("undo", environment: environment)
        #expect(real.exitCode == 5 && dry.exitCode == 5, "\(dry.errorText)")
        #expect(dry.errorText == real.errorText)
        #expect(!world.program.home.path.appending("photos/a.jpg").exists)
    }

    /// Only a disk that is full stops a run that has begun: there is a report, and the dry run has it too.
    @Test(arguments: [["delete"], ["delete", "--permanent"], ["compress", "--in-place", "--max-edge", "100"]])
    func aFullStateDiskIsReportedAlike(_ command: [String]) throws {
        let world = try MountedDisk("size=512k")
        for name in ["a", "b"] { try world.program.home.write("photos/\(name).jpg", Self.photo) }
        let environment = ["XDG_STATE_HOME": world.disk.appending("state").displayText]
        // An order of runs that has room for one more.
        #expect(try world.run("delete", "photos/b.jpg", "--yes", environment: environment).exitCode == 0)
        try world.space.shell("cat /dev/zero > '\(world.disk.displayText)/filler' 2>/dev/null || :")
        let words = command + ["photos/a.jpg", "--json"]
        let dry = try world.run(words + ["-n"], environment: environment)
        let real = try world.run(words + ["--yes"], environment: environment)
        #expect(dry.exitCode == 5 && real.exitCode == 5, "\(dry.errorText) \(real.errorText)")
        let reason = "the journal cannot be written: No space left on device\""
        #expect(real.text.contains("\"failed\"") && real.text.contains(reason), "\(real.text) \(real.errorText)")
        #expect(dry.text.contains("\"failed\"") && dry.text.contains(reason), "\(dry.text) \(dry.errorText)")
        #expect(world.program.home.path.appending("photos/a.jpg").exists)
    }

    /// The output's own disk: the dry run names the place that the run would name.
    @Test(arguments: [
        ("cat /dev/zero > filler 2>/dev/null || :", "disk/out", 5 as Int32),
        ("mkdir out; cat /dev/zero > filler 2>/dev/null || :", "disk/out", 5),
        ("mount -o remount,ro .", "disk/out/deep", 3), ("mkdir out; mount -o remount,ro .", "disk/out", 3),
        ("ln -s /nowhere out", "disk/out", 3), ("ln -s /nowhere out", "disk/out/deep", 3),
    ])
    func anOutputThatCannotBeWrittenIsNamedAlike(_ script: String, _ output: String, _ exitCode: Int32) throws {
        let world = try MountedDisk("size=512k")
        try world.program.home.write("a.jpg", Self.photo)
        try world.space.shell("cd '\(world.disk.displayText)'; \(script)")
        let words = ["compress", "a.jpg", "-o", output, "--max-edge", "200"]
        let dry = try world.run(words + ["-n"])
        let real = try world.run(words)
        #expect(real.exitCode == exitCode && dry.exitCode == exitCode, "\(dry.errorText) \(real.errorText)")
        #expect(dry.errorText.split(separator: "\n").first == real.errorText.split(separator: "\n").first)
        #expect(!real.errorText.contains(".phototidy-"))
        if script.hasPrefix("ln") { #expect(real.errorText.contains("disk/out: a symbolic link that leads nowhere")) }
    }

    /// A home trash that cannot be made: no option of `delete` helps `compress`.
    @Test(
        .enabled(if: BuiltProgram.obstacleToNobody == nil, "\(BuiltProgram.obstacleToNobody ?? "")"),
        arguments: [String(repeating: "n", count: 300), "missing/" + String(repeating: "n", count: 300), "link"])
    func aTrashThatCannotBeMadeIsFoundInTheDryRun(_ data: String) throws {
        let world = try MountedDisk()
        let disk = world.disk.displayText
        try world.program.home.path.give(to: 65534)
        try world.write("photos/a.jpg", "")
        try FileDescriptor.open(world.seen("photos/a.jpg"), [.write]).write(Self.photo)
        // Nobody may make a trash in the top folder.
        try world.space.shell(
            "cd '\(disk)'; mkdir home; ln -s /nowhere home/link; chown -R 65534:65534 home photos; chmod 755 '\(disk)'")
        let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"].map { FilePath($0) }
        func run(_ words: [String]) throws -> BuiltProgram.Result {
            try world.program.run(
                (words + [disk + "/photos/a.jpg"]).map { FilePath($0) }, in: .root,
                environment: ["XDG_DATA_HOME": "\(disk)/home/\(data)", "XDG_STATE_HOME": "\(disk)/home/state"],
                through: world.space.entrance(.root) + nobody)
        }
        for (command, exitCode) in [(["delete"], 5 as Int32), (["compress", "--in-place", "--max-edge", "100"], 3)] {
            let dry = try run(command + ["-n"])
            let real = try run(command + ["--yes"])
            #expect(real.exitCode == exitCode && dry.exitCode == exitCode, "\(dry.errorText) \(real.errorText)")
            #expect(real.errorText.contains("no trash on its filesystem"), "\(real.errorText)")
            #expect(real.errorText.contains("--copy-to-home-trash") == (command[0] == "delete"), "\(real.errorText)")
        }
    }

    /// `chattr +a` on the journals or their folder lets a run append to them, and make new ones; so does the dry run.
    @Test(arguments: ["journal", "journal/*"])
    func journalsThatCanOnlyGrowAreNoObstacle(_ fixed: String) throws {
        let program = try BuiltProgram()
        for name in ["a", "b", "c"] { try program.home.write("photos/\(name).jpg", Self.photo) }
        #expect(try program.run("delete", "photos/a.jpg", "--yes").exitCode == 0)
        let state = program.home.path.appending(".local/state/phototidy").displayText
        func chattr(_ flag: String) throws -> Bool {
            let script = "chattr -f \(flag) '\(state)'/\(fixed)"
            return try program.runTool("/bin/sh", ["-c", script].map { FilePath($0) }).exitCode == 0
        }
        guard try chattr("+a") else { try Test.cancel("no file can be made append-only here") }
        defer { _ = try? program.runTool("/usr/bin/chattr", ["-R", "-f", "-a", state].map { FilePath($0) }) }
        for words in [["undo"], ["delete", "photos/b.jpg"], ["delete", "--permanent", "photos/c.jpg"]] {
            let dry = try program.run((words + ["-n"]).map { FilePath($0) })
            let real = try program.run((words + (words == ["undo"] ? [] : ["--yes"])).map { FilePath($0) })
            #expect(real.exitCode == 0 && dry.exitCode == 0, "\(words): \(dry.errorText) \(real.errorText)")
        }
    }

    /// Nothing can be made to last in a folder that cannot be read, and no undo finds it there.
    @Test(.enabled(if: BuiltProgram.obstacleToNobody == nil, "\(BuiltProgram.obstacleToNobody ?? "")"))
    func aJournalFolderThatCannotBeReadIsFoundInTheDryRun() throws {
        let program = try BuiltProgram()
        let photo = try program.home.write("photos/a.jpg", Self.photo)
        let folder = program.home.path.appending(".local/state/phototidy/journal")
        try FileSystem.createFolders(folder)
        _ = try program.runTool("/bin/chown", ["-R", "65534:65534", "."].map { FilePath($0) })
        try folder.setPermissions(0o333)
        let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"].map { FilePath($0) }
        for words in [["delete"], ["compress", "--in-place", "--max-edge", "100"]] {
            let (dry, real) = (
                try program.run((words + ["-n", "photos/a.jpg"]).map { FilePath($0) }, through: nobody),
                try program.run((words + ["--yes", "photos/a.jpg"]).map { FilePath($0) }, through: nobody)
            )
            #expect(real.exitCode == 5 && dry.exitCode == 5, "\(dry.errorText) \(real.errorText)")
            #expect(dry.errorText.split(separator: "\n").first == real.errorText.split(separator: "\n").first)
            #expect(photo.exists)
        }
    }
}
