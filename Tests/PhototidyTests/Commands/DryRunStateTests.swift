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
    ]

    private static let photo = DrawnPicture(width: 320, height: 240).jpeg()

    @Test(arguments: obstacles)
    func theDryRunSaysWhatTheRunWould(_ script: String, _ state: String) throws {
        let world = try MountedDisk("size=512k,nr_inodes=40")
        try world.program.home.write("photos/a.jpg", Self.photo)
        try world.space.shell("cd '\(world.disk.displayText)'; \(script)")
        let environment = ["XDG_STATE_HOME": world.program.home.path.appending(state).displayText]
        let commands = [
            ["delete", "photos/a.jpg"], ["delete", "--permanent", "photos/a.jpg"],
            ["compress", "--in-place", "--max-edge", "100", "photos/a.jpg"],
        ]
        let before = try TestLibrary.snapshot(world.program.home.path.appending("photos"))
        for command in commands {
            let names = world.names(".")
            let dry = try world.run(command + ["-n"], environment: environment)
            #expect(world.names(".") == names, "\(command): the dry run wrote")
            let real = try world.run(command + ["--yes"], environment: environment)
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

    /// The output's own disk: the dry run names the place that the run would name.
    @Test(arguments: [
        ("cat /dev/zero > filler 2>/dev/null || :", "disk/out", 5 as Int32),
        ("mkdir out; cat /dev/zero > filler 2>/dev/null || :", "disk/out", 5),
        ("mount -o remount,ro .", "disk/out/deep", 3), ("mkdir out; mount -o remount,ro .", "disk/out", 3),
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
    }
}
