import Support
import Testing
import TidyKit

/// Trashes of other filesystems, with filesystems that are really mounted.
@Suite(.enabled(if: MountSpace.isAvailable, "nothing can be mounted here"))
struct SecondFilesystemTests {
    @Test func aDiskHasATrashOfItsOwn() throws {
        let world = try MountedDisk()
        try world.write("album/a b.jpg", "a")
        let before = try world.photos()
        let result = try world.run("delete", "disk/album/a b.jpg", "--yes")
        #expect(result.exitCode == 0, "\(result.errorText)")
        let trash = ".Trash-\(FileSystem.realUser)"
        #expect(world.names("\(trash)/files") == ["a b.jpg"])
        for folder in [trash, "\(trash)/files", "\(trash)/info"] {
            #expect(try FileStatus.of(world.seen(folder)).permissions == 0o700)
        }
        let info = try FileSystem.contents(of: world.seen("\(trash)/info/a b.jpg.trashinfo"))
        #expect(String(decoding: info, as: UTF8.self).hasPrefix("[Trash Info]\nPath=album/a%20b.jpg\nDeletionDate="))
        #expect(!world.homeTrash.exists)
        #expect(try world.run("undo").exitCode == 0)
        #expect(try world.photos() == before)
        #expect(world.names("\(trash)/info").isEmpty)
    }

    /// `.Trash` of the top folder counts as a real folder with the sticky bit, and for nothing else.
    @Test(arguments: [
        ("mkdir -m 1777 .Trash", true, ""), ("mkdir -m 777 .Trash", false, "no sticky bit"),
        ("mkdir -m 1777 real; ln -s real .Trash", false, "not a real folder"),
        ("echo > .Trash", false, "not a real folder"),
        ("mkdir -m 1777 .Trash; mkdir .Trash/$(id -u); chown 12345 .Trash/$(id -u)", false, "somebody else"),
    ])
    func theSharedTrashIsCheckedBeforeItIsUsed(_ script: String, _ isUsed: Bool, _ warning: String) throws {
        let world = try MountedDisk()
        try world.write("a.jpg", "a")
        try world.space.shell("cd '\(world.disk.displayText)'; \(script)")
        let result = try world.run("delete", "disk/a.jpg", "--yes")
        #expect(result.exitCode == 0, "\(result.errorText)")
        let user = FileSystem.realUser
        #expect(world.names(".Trash/\(user)/files") == (isUsed ? ["a.jpg"] : []))
        #expect(world.names(".Trash-\(user)/files") == (isUsed ? [] : ["a.jpg"]))
        #expect(result.errorText.contains(warning), "\(result.errorText)")
        #expect(try world.run("undo").exitCode == 0)
        #expect(try FileSystem.contents(of: world.seen("a.jpg")) == Array("a".utf8))
    }

    @Test func aTrashOfSomebodyElseIsNoTrash() throws {
        let world = try MountedDisk()
        try world.write("a.jpg", "a")
        try world.space.shell(
            "cd '\(world.disk.displayText)'; mkdir -m 777 .Trash-$(id -u); chown 12345 .Trash-$(id -u)")
        let dryRun = try world.run("delete", "disk/a.jpg", "-n")
        #expect(dryRun.exitCode == 5)
        #expect(dryRun.text.hasPrefix("denied\t"))
        #expect(try world.run("delete", "disk/a.jpg", "--yes").exitCode == 5)
        #expect(world.seen("a.jpg").exists)
    }

    @Test func aReadOnlyDiskIsFoundInTheDryRun() throws {
        let world = try MountedDisk()
        try world.write("a.jpg", "a")
        try world.program.home.write("b.jpg", "b")
        try world.space.shell("mount -o remount,ro '\(world.disk.displayText)'")
        let dryRun = try world.run("delete", "disk/a.jpg", "b.jpg", "-n")
        #expect(dryRun.exitCode == 3)
        #expect(dryRun.lines.first?.hasPrefix("denied\t") == true)
        #expect(dryRun.text.contains("read-only filesystem"))
        #expect(try world.run("delete", "disk/a.jpg", "b.jpg", "--yes").exitCode == 3)
        #expect(world.seen("a.jpg").exists)
        #expect(!world.program.home.path.appending("b.jpg").exists)
    }

    /// One filesystem, two mounts: `st_dev` is the same, and a rename from one to the other is EXDEV.
    @Test func aBindMountHasATrashOfItsOwn() throws {
        let world = try MountedDisk()
        try world.write("library/a.jpg", "a")
        let (home, disk) = (world.program.home.path.displayText, world.disk.displayText)
        try world.space.shell("mkdir '\(home)/bound'; mount --bind '\(disk)/library' '\(home)/bound'")
        let before = try world.photos()
        // The home trash on the same filesystem, by the other mount.
        let environment = ["XDG_DATA_HOME": disk + "/.data"]
        let result = try world.run("delete", "bound/a.jpg", "--yes", environment: environment)
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(world.names("library/.Trash-\(FileSystem.realUser)/files") == ["a.jpg"])
        #expect(!world.seen(".data/Trash/files").exists)
        #expect(try world.run("undo", environment: environment).exitCode == 0)
        #expect(try world.photos().filter { !$0.key.displayText.contains(".Trash") } == before)
    }

    /// Where no trash can be had the file stays; only `--copy-to-home-trash` copies, and keeps all that a file has.
    @Test func aCopyToTheHomeTrashIsAskedForAndKeepsAll() throws {
        let world = try MountedDisk()
        try world.write("a.jpg", String(repeating: "a", count: 300_000))
        try world.seen("a.jpg").setPermissions(0o640)
        try world.seen("a.jpg").give(to: 12345)
        try FileDescriptor.open(world.seen(".Trash-\(FileSystem.realUser)"), [.write, .create]).write([])
        let path = "'\(world.disk.displayText)/a.jpg'"
        let hasAttributes =
            (try? world.space.shell(
                "python3 -c 'import os, sys; os.setxattr(sys.argv[1], \"trusted.note\", b\"hello\")' \(path)")) != nil
        let before = try world.photos()
        #expect(try world.run("delete", "disk/a.jpg", "--yes").exitCode == 5)
        #expect(try world.photos() == before)
        let result = try world.run("delete", "disk/a.jpg", "--yes", "--copy-to-home-trash")
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(!world.seen("a.jpg").exists)
        let copy = world.homeTrash.appending("files/a.jpg")
        #expect(try FileStatus.of(copy).owner == 12345)
        #expect(try TestLibrary.snapshot(copy.directory).values.first == before.values.first)
        #expect(try world.run("undo").exitCode == 0)
        #expect(try world.photos() == before)
        #expect(try FileStatus.of(world.seen("a.jpg")).owner == 12345)
        #expect(TemporaryFolder.names(in: copy.directory).isEmpty)
        if hasAttributes {
            try world.space.shell(
                "python3 -c 'import os, sys; os.getxattr(sys.argv[1], \"trusted.note\") == b\"hello\" or sys.exit(1)' \(path)"
            )
        }
    }

    /// If a call of the copy fails, the original stays, and nothing is left of the copy.
    @Test(arguments: [
        "write:3:28", "fsync:1:5", "futimens:1:1", "fchmod:1:1", "fsetxattr:1:28", "renameat2:1:5", "unlinkat:1:1",
    ])
    func aCopyThatFailsIsRolledBack(_ fault: String) throws {
        let world = try MountedDisk()
        try world.write("a.jpg", String(repeating: "a", count: 300_000))
        try FileDescriptor.open(world.seen(".Trash-\(FileSystem.realUser)"), [.write, .create]).write([])
        let before = try world.photos()
        let result = try world.run(
            "delete", "disk/a.jpg", "--yes", "--copy-to-home-trash", environment: ["PHOTOTIDY_FAULT": fault])
        #expect([3, 5].contains(result.exitCode), "\(fault): \(result.exitCode) \(result.errorText)")
        #expect(try world.photos() == before)
        #expect(TemporaryFolder.names(in: world.homeTrash.appending("files")).isEmpty)
        #expect(TemporaryFolder.names(in: world.homeTrash.appending("info")).isEmpty)
    }

    /// A copy that would lose the user's own attributes, or who may read the file, is none: ramfs holds neither.
    @Test(arguments: [
        "user.note=0x68656c6c6f",
        "system.posix_acl_access=0x0200000001000600ffffffff02000400d204000004000400ffffffff10000400ffffffff20000000ffffffff",
    ])
    func whatCannotBeCopiedWholeStays(_ attribute: String) throws {
        let world = try MountedDisk()
        try world.write("a.jpg", "a")
        try FileDescriptor.open(world.seen(".Trash-\(FileSystem.realUser)"), [.write, .create]).write([])
        let parts = attribute.split(separator: "=0x")
        let set = "import os,sys; os.setxattr(sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3]))"
        let path = world.disk.displayText + "/a.jpg"
        guard (try? world.space.shell("python3 -c '\(set)' '\(path)' '\(parts[0])' '\(parts[1])'")) != nil else {
            try Test.cancel("\(parts[0]) cannot be set here")
        }
        let home = world.program.home.path.displayText + "/.local/share"
        try world.space.shell("mkdir -p '\(home)'; mount -t ramfs ramfs '\(home)'")
        let result = try world.run("delete", "disk/a.jpg", "--yes", "--copy-to-home-trash")
        #expect([3, 5].contains(result.exitCode), "\(result.exitCode) \(result.errorText)")
        #expect(world.seen("a.jpg").exists)
        #expect(world.names(".") == [".Trash-\(FileSystem.realUser)", "a.jpg"])
    }

    /// The same checks in the dry run of `compress --in-place` as in the run.
    @Test(arguments: ["mount -o remount,ro DISK", "touch DISK/.Trash-$(id -u)"])
    func whatCannotBeReplacedIsFoundInTheDryRun(_ script: String) throws {
        let world = try MountedDisk()
        let photo = DrawnPicture(width: 320, height: 240).jpeg()
        try FileDescriptor.open(world.seen("a.jpg"), [.write, .create]).write(photo)
        try world.space.shell(script.replacing("DISK", with: "'\(world.disk.displayText)'"))
        for mode in ["-n", "--yes"] {
            let result = try world.run("compress", "disk/a.jpg", "--in-place", "--max-edge", "100", mode)
            #expect(result.exitCode == 3, "\(mode): \(result.errorText)")
        }
        #expect(try FileSystem.contents(of: world.seen("a.jpg")) == photo)
    }

    @Test func anOutputFolderThatCannotBeWrittenIsFoundInTheDryRun() throws {
        let world = try MountedDisk()
        try world.program.home.write("a.jpg", DrawnPicture(width: 320, height: 240).jpeg())
        try world.space.shell("mount -o remount,ro '\(world.disk.displayText)'")
        for mode in ["-n", "-q"] {
            let result = try world.run(
                ["compress", "a.jpg", "-o", "disk/out", "--max-edge", "100"] + (mode == "-n" ? [mode] : []))
            #expect(result.exitCode == 3, "\(mode): \(result.errorText)")
        }
    }

    /// The rename itself says EXDEV, whatever `stat` said: the next trash is tried, then the file stays.
    @Test func aRenameThatCrossesIsTriedElsewhereAndThenRefused() throws {
        let world = try MountedDisk()
        try world.write("a.jpg", "a")
        try world.space.shell("mkdir -m 1777 '\(world.disk.displayText)/.Trash'")
        let first = try world.run("delete", "disk/a.jpg", "--yes", environment: ["PHOTOTIDY_FAULT": "renameat2:1:18"])
        #expect(first.exitCode == 0, "\(first.errorText)")
        #expect(world.names(".Trash/\(FileSystem.realUser)/info").isEmpty)
        #expect(world.names(".Trash-\(FileSystem.realUser)/files") == ["a.jpg"])
        #expect(try world.run("undo").exitCode == 0)
        let each = try world.run("delete", "disk/a.jpg", "--yes", environment: ["PHOTOTIDY_FAULT": "renameat2:0:18"])
        #expect(each.exitCode == 5, "\(each.errorText)")
        #expect(world.seen("a.jpg").exists)
        #expect(world.names(".Trash-\(FileSystem.realUser)/info").isEmpty)
    }

    /// A filesystem that does not know RENAME_NOREPLACE (EINVAL 22): a link and an unlink do the same. One without links too
    /// (EPERM 1, as vfat has it).
    @Test(arguments: ["renameat2:0:22", "renameat2:0:22,linkat:0:1"])
    func withoutTheFlagALinkAndAnUnlinkMoveAFile(_ faults: String) throws {
        let world = try MountedDisk()
        try world.write("a.jpg", "a")
        let before = try world.photos()
        let environment = ["PHOTOTIDY_FAULT": faults]
        #expect(try world.run("delete", "disk/a.jpg", "--yes", environment: environment).exitCode == 0)
        #expect(!world.seen("a.jpg").exists)
        try world.write("a.jpg", "newcomer")
        #expect(try world.run("undo", environment: environment).exitCode == 3)
        #expect(try FileSystem.contents(of: world.seen("a.jpg")) == Array("newcomer".utf8))
        try FileSystem.remove(world.seen("a.jpg"))
        #expect(try world.run("undo", environment: environment).exitCode == 0)
        #expect(try world.photos() == before)
    }

    /// If the unlink of that move fails, the file stays in its place, and nothing is left in the trash.
    @Test(arguments: 1...3) func anUnlinkThatFailsLeavesNoSecondName(_ call: Int) throws {
        let world = try MountedDisk()
        try world.write("a.jpg", "a")
        let before = try world.photos()
        let result = try world.run(
            "delete", "disk/a.jpg", "--yes",
            environment: ["PHOTOTIDY_FAULT": "renameat2:0:22,unlinkat:\(call):1"])
        let trash = ".Trash-\(FileSystem.realUser)"
        if result.exitCode == 0 {
            #expect(world.names("\(trash)/files") == ["a.jpg"])
            #expect(try world.run("undo").exitCode == 0)
        }
        #expect(try world.photos() == before, "\(result.errorText)")
        #expect(world.names("\(trash)/files").isEmpty && world.names(".").allSatisfy { !$0.hasPrefix(".phototidy") })
    }

    /// A disk that was unplugged: its files are not given up, and come back once it is there again.
    @Test func aDiskThatIsAwayIsNotLost() throws {
        let world = try MountedDisk()
        try world.write("a.jpg", "a")
        let before = try world.photos()
        #expect(try world.run("delete", "disk/a.jpg", "--yes").exitCode == 0)
        let (disk, away) = (world.disk.displayText, world.program.home.path.displayText + "/away")
        try world.space.shell("mkdir '\(away)'; mount --move '\(disk)' '\(away)'")
        let gone = try world.run("undo")
        #expect(gone.exitCode == 3, "\(gone.errorText)")
        try world.space.shell("mount --move '\(away)' '\(disk)'")
        #expect(try world.run("undo").exitCode == 0)
        #expect(try world.photos() == before)
    }
}
