import Support
import Testing
import TidyKit

/// Another program saves a photo anew, by a rename over its name as editors do, in front of each call of a run in turn:
/// what it saved is never lost, whatever road takes the old file away.
@Suite(.serialized) struct RacingSaveTests {
    private static let saved = Array("saved anew, and nowhere else".utf8)

    /// The contents of all files below a folder, hidden ones too.
    private func contents(_ folders: FilePath...) throws -> [[UInt8]] {
        try folders.flatMap { folder in
            folder.exists ? try TestLibrary.snapshot(folder).values.map(\.bytes) : []
        }
    }

    /// Saves in front of the first call, the second, and so on, until the run makes no more.
    private func saveInFrontOfEveryCall(_ body: (_ fault: String, _ program: BuiltProgram) throws -> FilePath) throws {
        for step in 1...600 {
            let program = try BuiltProgram()
            let new = try program.home.write("new", Self.saved)
            let library = try body("save:\(step)", program)
            if new.exists {
                #expect(step > 40, "the saves were not made")
                return
            }
            let trash = program.home.path.appending(".local/share/Trash/files")
            #expect(try contents(library, trash).contains(Self.saved), "step \(step): the save is lost")
            #expect([0, 1, 3].contains(try program.run("undo").exitCode), "step \(step)")
            #expect(try contents(library).contains(Self.saved), "step \(step): the save is not in the library")
            let names = TemporaryFolder.names(in: library).map { String(decoding: $0, as: UTF8.self) }
            #expect(!names.contains { $0.hasPrefix(".phototidy-") }, "step \(step): \(names)")
        }
        Issue.record("the run never came to its end")
    }

    private func environment(_ fault: String, _ program: BuiltProgram, _ name: String) -> [String: String?] {
        let home = program.home.path
        return [
            "PHOTOTIDY_FAULT": fault, "PHOTOTIDY_FAULT_FROM": home.appending("new").displayText,
            "PHOTOTIDY_FAULT_TO": home.appending(name).displayText,
        ]
    }

    /// A saved plan, so that what is saved is never what was planned. EINVAL 22: a filesystem without RENAME_NOREPLACE;
    /// EPERM 1: one without hard links.
    @Test(arguments: [
        ("--permanent", ""), ("--permanent", ",renameat2:0:22"), ("", ",renameat2:0:22"),
        ("", ",renameat2:0:22,linkat:0:1"), ("", ""),
    ])
    func aDeleteTakesOnlyWhatWasPlanned(_ option: String, _ faults: String) throws {
        try saveInFrontOfEveryCall { fault, program in
            try program.home.write("photos/a.jpg", "old")
            let words = ["delete", "photos/a.jpg", "-n", "--save-plan", "plan"] + (option.isEmpty ? [] : [option])
            #expect(try program.run(words.map { FilePath($0) }).exitCode == 0)
            _ = try program.run(
                "delete", "--plan", "plan", "--yes", environment: environment(fault + faults, program, "photos/a.jpg"))
            return program.home.path.appending("photos")
        }
    }

    /// A PNG that becomes a JPEG beside it, a JPEG that keeps its name, and both where two names cannot change places.
    @Test(arguments: [("a.png", ""), ("a.jpg", ""), ("a.jpg", ",renameat2:0:22")])
    func compressInPlaceTakesOnlyWhatItRead(_ name: String, _ faults: String) throws {
        let picture = DrawnPicture(width: 160, height: 120)
        let old = name == "a.png" ? PNGFixture(picture).bytes : picture.jpeg()
        try saveInFrontOfEveryCall { fault, program in
            try program.home.write("photos/" + name, old)
            _ = try program.run(
                ["compress", "--in-place", "--max-edge", "100", "--yes", "photos/" + name].map { FilePath($0) },
                environment: environment(fault + faults, program, "photos/" + name))
            return program.home.path.appending("photos")
        }
    }

    /// The way back replaces only the file that the run wrote; EINVAL 22: names cannot be exchanged.
    @Test(arguments: ["", ",renameat2:0:22"])
    func anUndoInPlaceReplacesOnlyWhatTheRunWrote(_ faults: String) throws {
        for step in 1...300 {
            let program = try BuiltProgram()
            try program.home.write("photos/a.jpg", DrawnPicture(width: 160, height: 120).jpeg())
            let new = try program.home.write("new", Self.saved)
            let words = ["compress", "--in-place", "--max-edge", "100", "--yes", "photos/a.jpg"]
            #expect(try program.run(words.map { FilePath($0) }).exitCode == 0)
            _ = try program.run("undo", environment: environment("save:\(step)" + faults, program, "photos/a.jpg"))
            if new.exists {
                #expect(step > 40, "the saves were not made")
                return
            }
            let trash = program.home.path.appending(".local/share/Trash/files")
            let all = try contents(program.home.path.appending("photos"), trash)
            #expect(all.contains(Self.saved), "step \(step): the save is lost")
        }
        Issue.record("the undo never came to its end")
    }

    /// Two filesystems: the copy is made, and the original goes only while it is the one that was copied.
    @Test(.enabled(if: MountSpace.isAvailable, "nothing can be mounted here"))
    func aCopyToTheHomeTrashTakesOnlyWhatItCopied() throws {
        for step in 1...600 {
            let world = try MountedDisk()
            try world.write("a.jpg", "old")
            try FileDescriptor.open(world.seen(".Trash-\(FileSystem.realUser)"), [.write, .create]).write([])
            let plan = world.program.home.path.appending("plan").displayText
            #expect(
                try world.run("delete", "disk/a.jpg", "-n", "--save-plan", plan, "--copy-to-home-trash").exitCode == 0)
            try FileDescriptor.open(world.seen("new"), [.write, .create]).write(Self.saved)
            let disk = world.disk.displayText
            _ = try world.run(
                "delete", "--plan", plan, "--yes",
                environment: [
                    "PHOTOTIDY_FAULT": "save:\(step)", "PHOTOTIDY_FAULT_FROM": disk + "/new",
                    "PHOTOTIDY_FAULT_TO": disk + "/a.jpg",
                ])
            if world.seen("new").exists {
                #expect(step > 40, "the saves were not made")
                return
            }
            let saved = try FileSystem.contents(of: world.seen("a.jpg"))
            #expect(saved == Self.saved, "step \(step): the save is lost")
        }
        Issue.record("the run never came to its end")
    }
}
