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

        /// The photos of which a file has left its place.
        var gone: Int {
            let units = [["a.jpg", "a.jpg.xmp"], ["sub/b.jpg", "sub/b.AAE"], ["c.jpg"]]
            return units.count { $0.contains { !library.path.appending($0).exists } }
        }

        /// The number of photos of each run that `undo --list` shows.
        func listed() throws -> [Int] {
            try program.run("undo", "--list", "--json").text.split(separator: "\"photos\":").dropFirst().map {
                try #require(Int($0.prefix { $0.isNumber }))
            }
        }

        var strays: [[UInt8]] {
            TemporaryFolder.names(in: trash.appending("files")) + TemporaryFolder.names(in: trash.appending("info"))
        }
    }

    private static let killed: Int32 = 137

    /// Calls `body` with the number of the call in front of which it shall kill, 1 and up, until the program came to its
    /// end: `body` returns the exit code.
    /// - Parameter calls: more than so many were struck, or the faults were not.
    private func killInFrontOfEveryCall(moreThan calls: Int, _ body: (_ step: Int) throws -> Int32) throws {
        for step in 1...500 where try body(step) != Self.killed {
            #expect(step > calls, "the faults were not struck")
            return
        }
        Issue.record("the run never came to its end")
    }

    @Test func killedInFrontOfEveryCallOfADelete() throws {
        try killInFrontOfEveryCall(moreThan: 30) { step in
            let world = try World()
            let all = try world.contents()
            let code = try world.delete("kill:\(step)")
            #expect(try world.contents() == all, "step \(step): each file in exactly one place")
            let gone = world.gone
            let undo = try world.program.run("undo")
            #expect(undo.exitCode == (gone == 0 ? 1 : 0), "step \(step): \(undo.errorText)")
            #expect(try TestLibrary.snapshot(world.library.path) == world.before, "step \(step): all is back")
            #expect(world.strays.isEmpty, "step \(step): nothing is left in the trash")
            #expect(try world.listed() == (gone == 0 ? [] : [gone]), "step \(step): counted after the undo")
            return code
        }
    }

    @Test func killedInFrontOfEveryCallOfAnUndo() throws {
        try killInFrontOfEveryCall(moreThan: 10) { step in
            let world = try World()
            let all = try world.contents()
            #expect(try world.delete("") == 0)
            let code = try world.program.run("undo", environment: ["PHOTOTIDY_FAULT": "kill:\(step)"]).exitCode
            #expect(try world.contents() == all, "step \(step): each file in exactly one place")
            #expect([0, 1].contains(try world.program.run("undo").exitCode))
            #expect(try TestLibrary.snapshot(world.library.path) == world.before, "step \(step): all is back")
            #expect(world.strays.isEmpty, "step \(step): nothing is left in the trash")
            return code
        }
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

    /// Erased for good, and nothing else: what was set aside, and not erased yet, gets its name back by the next run or
    /// by `undo`.
    @Test(arguments: [true, false]) func killedInFrontOfEveryCallOfAnErasure(_ byUndo: Bool) throws {
        try killInFrontOfEveryCall(moreThan: 15) { step in
            let world = try World()
            let code = try world.delete("kill:\(step)", "--permanent")
            let left = try TestLibrary.snapshot(world.library.path).values.map(\.bytes)
            let dummy = try world.library.write("dummy.jpg", "dummy")
            let next =
                byUndo
                ? try world.program.run("undo") : try world.program.run("delete", "--yes", dummy.displayText)
            #expect([0, 1].contains(next.exitCode), "step \(step): \(next.errorText)")
            if byUndo { try FileSystem.remove(dummy) }
            let now = try TestLibrary.snapshot(world.library.path)
            #expect(now.allSatisfy { world.before[$0.key] == $0.value }, "step \(step): back as it was")
            #expect(now.count == left.count, "step \(step): nothing that was left is gone")
            return code
        }
    }

    /// ENOSYS and the like from a filesystem that lacks RENAME_NOREPLACE (EINVAL 22), and one without links too (EPERM 1).
    @Test(arguments: ["renameat2:0:22", "renameat2:0:22,linkat:0:1"])
    func killedInFrontOfEveryCallOfADeleteWithoutTheFlag(_ faults: String) throws {
        try killInFrontOfEveryCall(moreThan: 30) { step in
            let world = try World()
            let code = try world.delete("kill:\(step),\(faults)")
            #expect([0, 1].contains(try world.program.run("undo").exitCode), "step \(step)")
            #expect(try TestLibrary.snapshot(world.library.path) == world.before, "step \(step): all is back")
            return code
        }
    }

    /// EIO for each look, and for each rename, in turn: no photo is split, and what the report says is so.
    @Test(arguments: ["fstatat", "renameat2"], ["", "--permanent"])
    func aCallThatFailsIsReportedAsItIs(_ call: String, _ option: String) throws {
        var failures = 0
        for step in 1...80 {
            let world = try World()
            let words = ["delete", "--yes", "--json"] + (option.isEmpty ? [] : [option]) + world.photos
            let result = try world.program.run(
                words.map { FilePath($0) }, environment: ["PHOTOTIDY_FAULT": "\(call):\(step):5"])
            let left = Set(try TestLibrary.snapshot(world.library.path).keys.map(\.displayText))
            for (photo, companion) in [("a.jpg", "a.jpg.xmp"), ("sub/b.jpg", "sub/b.AAE")] {
                let paths = [photo, companion].map { world.library.path.appending($0).displayText }
                #expect(left.contains(paths[0]) == left.contains(paths[1]), "step \(step): \(photo) was split")
                let report = result.text.split(separator: "{\"path\":").first { $0.hasPrefix("\"\(paths[0])\"") }
                let isTaken = report?.contains("\"trashed\"") ?? false || report?.contains("\"erased\"") ?? false
                #expect(isTaken != left.contains(paths[0]), "step \(step): \(result.text) \(result.errorText)")
            }
            if result.exitCode != 0 { failures += 1 }
            guard option.isEmpty else { continue }
            #expect([0, 1].contains(try world.program.run("undo").exitCode), "step \(step)")
            #expect(try TestLibrary.snapshot(world.library.path) == world.before, "step \(step): all is back")
            #expect(world.strays.isEmpty, "step \(step)")
        }
        #expect(failures > 0, "the faults were not struck")
    }

    /// Whatever the kill interrupted and the plan completes later, the report counts the photos that were moved.
    @Test func thePhotosAreCountedTrulyAfterAKillAndTheRestOfThePlan() throws {
        try killInFrontOfEveryCall(moreThan: 30) { step in
            let world = try World()
            let plan = world.program.home.path.appending("plan")
            let words = ["delete", "-n", "--save-plan", plan.displayText, "--batch-size", "2"] + world.photos
            #expect(try world.program.run(words.map { FilePath($0) }).exitCode == 0)
            let code = try world.program.run(
                "delete", "--plan", plan.displayText, "--yes", environment: ["PHOTOTIDY_FAULT": "kill:\(step)"]
            ).exitCode
            let gone = world.gone
            #expect(try world.listed() == (gone == 0 ? [] : [gone]), "step \(step)")
            #expect(try world.program.run("delete", "--plan", plan.displayText, "--yes").exitCode == 0)
            let whole = "\"photos\":3,\"files\":5,"
            #expect(try world.program.run("undo", "--list", "--json").text.contains(whole), "step \(step)")
            let undo = try world.program.run("undo", "--json")
            #expect(undo.exitCode == 0 && undo.text.contains(whole), "step \(step): \(undo.text)")
            let after = try world.program.run("undo", "--list", "--json").text
            #expect(after.contains(whole) && after.contains("\"undone\""), "step \(step): \(after)")
            #expect(try TestLibrary.snapshot(world.library.path) == world.before, "step \(step): all is back")
            #expect(world.strays.isEmpty, "step \(step): nothing is left in the trash")
            return code
        }
    }

    /// Who types `undo` after a crash means the run that crashed.
    @Test func anUndoAfterAKillThatMovedNothingUndoesNoOlderRun() throws {
        for step in 1...60 {
            let world = try World()
            let older = try world.library.write("older.jpg", "older")
            #expect(try world.program.run("delete", "--yes", older.displayText).exitCode == 0)
            let id = try #require(
                try world.program.run("undo", "--list").lines.dropFirst().first?.split(separator: " ").dropFirst(2)
                    .first
            )
            #expect(try world.delete("kill:\(step)") == Self.killed)
            let journals = TemporaryFolder.names(
                in: world.program.home.path.appending(".local/state/phototidy/journal")
            ).count { $0.suffix(8).elementsEqual(".journal".utf8) }
            guard try TestLibrary.snapshot(world.library.path) == world.before else {
                #expect(step > 5, "it moved something at once")
                return
            }
            // Before the run has a journal, there is nothing to undo.
            if journals < 2 { continue }
            let dry = try world.program.run("undo", "-n")
            #expect(
                dry.exitCode == 1 && dry.errorText.contains("phototidy undo \(id)"), "step \(step): \(dry.errorText)")
            let first = try world.program.run("undo")
            #expect(
                first.exitCode == 1 && first.errorText.contains("phototidy undo \(id)"),
                "step \(step): \(first.errorText)")
            #expect(!older.exists, "step \(step): the older run was undone unasked")
            #expect(world.strays.count == 2, "step \(step): only the older photo is in the trash")
            #expect(try world.program.run("undo").exitCode == 0)
            #expect(older.exists)
        }
        Issue.record("it never moved a file")
    }
}
