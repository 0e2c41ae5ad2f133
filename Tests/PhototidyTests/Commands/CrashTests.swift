import Support
import Testing
import TidyKit

/// Kills the program in front of every call that changes something, and lets such calls fail: the seam is in Platform, in
/// debug builds alone. Each file must then be in exactly one place, and `undo` must bring all of them back.
@Suite(.serialized) struct CrashTests {
    private struct World {
        let program: BuiltProgram
        let library: TemporaryFolder
        let photos: [String]
        let before: [FilePath: TestLibrary.Content]

        init() throws {
            program = try BuiltProgram()
            let library = try TemporaryFolder()
            self.library = library
            for name in ["a.jpg", "sub/b.jpg", "c.jpg"] { try library.write(name, "content of \(name)") }
            for name in ["a.jpg.xmp", "sub/b.AAE"] { try library.write(name, "<x>\(name)</x>") }
            photos = ["a.jpg", "sub/b.jpg", "c.jpg"].map { library.path.appending($0).displayText }
            before = try TestLibrary.snapshot(library.path)
        }

        var trash: FilePath { program.home.path.appending(".local/share/Trash") }

        func delete(_ fault: String, _ options: String...) throws -> Int32 {
            try program.run(
                (["delete", "--yes", "--batch-size", "2"] + options + photos).map { FilePath($0) },
                environment: ["PHOTOTIDY_FAULT": fault]
            ).exitCode
        }

        /// The contents of all files, in the library and in the trash, sorted.
        func contents() throws -> [[UInt8]] {
            let files = trash.appending("files")
            let trashed = files.exists ? try TestLibrary.snapshot(files) : [:]
            let all = Array(try TestLibrary.snapshot(library.path).values) + Array(trashed.values)
            return all.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
        }

        var strays: [[UInt8]] {
            TemporaryFolder.names(in: trash.appending("files")) + TemporaryFolder.names(in: trash.appending("info"))
        }
    }

    private static let killed: Int32 = 137

    @Test func killedInFrontOfEveryCallOfADelete() throws {
        for step in 1...500 {
            let world = try World()
            let all = try world.contents()
            let code = try world.delete("kill:\(step)")
            #expect(try world.contents() == all, "step \(step): each file in exactly one place")
            let undo = try world.program.run("undo")
            #expect([0, 1].contains(undo.exitCode), "step \(step): \(undo.errorText)")
            #expect(try TestLibrary.snapshot(world.library.path) == world.before, "step \(step): all is back")
            #expect(world.strays.isEmpty, "step \(step): nothing is left in the trash")
            if code != Self.killed {
                #expect(step > 30, "the faults were not struck")
                return
            }
        }
        Issue.record("the run never came to its end")
    }

    @Test func killedInFrontOfEveryCallOfAnUndo() throws {
        for step in 1...500 {
            let world = try World()
            let all = try world.contents()
            #expect(try world.delete("") == 0)
            let code = try world.program.run("undo", environment: ["PHOTOTIDY_FAULT": "kill:\(step)"]).exitCode
            #expect(try world.contents() == all, "step \(step): each file in exactly one place")
            #expect([0, 1].contains(try world.program.run("undo").exitCode))
            #expect(try TestLibrary.snapshot(world.library.path) == world.before, "step \(step): all is back")
            #expect(world.strays.isEmpty, "step \(step): nothing is left in the trash")
            if code != Self.killed {
                #expect(step > 10, "the faults were not struck")
                return
            }
        }
        Issue.record("the undo never came to its end")
    }

    /// ENOSPC 28, EACCES 13, EIO 5, EEXIST 17: numbers of errno(3) on Linux.
    @Test(arguments: [
        "renameat2:2:13", "renameat2:4:5", "renameat2:1:17", "write:6:28", "openat:30:28",
        "fdatasync:2:5", "unlinkat:1:5",
    ])
    func aCallThatFailsSplitsNoPhotoAndLosesNone(_ fault: String) throws {
        let world = try World()
        let all = try world.contents()
        _ = try world.delete(fault)
        #expect(try world.contents() == all)
        let left = Set(try TestLibrary.snapshot(world.library.path).keys.map(\.displayText))
        for (photo, companion) in [("a.jpg", "a.jpg.xmp"), ("sub/b.jpg", "sub/b.AAE")] {
            let paths = [photo, companion].map { world.library.path.appending($0).displayText }
            #expect(left.contains(paths[0]) == left.contains(paths[1]), "\(fault): \(photo) was split")
        }
        #expect([0, 1].contains(try world.program.run("undo").exitCode))
        #expect(try TestLibrary.snapshot(world.library.path) == world.before)
        #expect(world.strays.isEmpty)
    }

    @Test func killedInFrontOfEveryCallOfAnInPlaceRun() throws {
        for step in 1...300 {
            let program = try BuiltProgram()
            let photo = DrawnPicture(width: 320, height: 240).jpeg()
            let path = try program.home.write("photos/a.jpg", photo)
            let code = try program.run(
                ["compress", "--in-place", "--max-edge", "100", "--yes", "photos/a.jpg"].map { FilePath($0) },
                environment: ["PHOTOTIDY_FAULT": "kill:\(step)"]
            ).exitCode
            let undo = try program.run("undo")
            #expect([0, 1].contains(undo.exitCode), "step \(step): \(undo.errorText)")
            #expect(try FileSystem.contents(of: path) == photo, "step \(step): the original is back")
            #expect(TemporaryFolder.names(in: path.directory).count == 1, "step \(step): nothing is left beside it")
            if code != Self.killed {
                #expect(step > 10, "the faults were not struck")
                return
            }
        }
        Issue.record("the run never came to its end")
    }

    @Test(arguments: [
        "renameat2:1:5", "linkat:1:5", "unlinkat:1:5", "unlinkat:2:5", "openat:5:28", "write:2:28", "write:4:28",
        "fdatasync:1:5", "fdatasync:2:5", "fsync:1:5",
    ])
    func aCallThatFailsInPlaceLosesNoOriginal(_ fault: String) throws {
        let program = try BuiltProgram()
        let photo = DrawnPicture(width: 320, height: 240).jpeg()
        let path = try program.home.write("photos/a.jpg", photo)
        _ = try program.run(
            ["compress", "--in-place", "--max-edge", "100", "--yes", "photos/a.jpg"].map { FilePath($0) },
            environment: ["PHOTOTIDY_FAULT": fault])
        #expect([0, 1].contains(try program.run("undo").exitCode))
        #expect(try FileSystem.contents(of: path) == photo)
        #expect(TemporaryFolder.names(in: path.directory).count == 1, "nothing is left beside it")
    }
}
