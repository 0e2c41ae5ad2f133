import Glibc
import Support
import Testing

@testable import TidyKit

@Suite struct UndoTests {
    @Test func neverOverwrites() throws {
        let library = try TestLibrary()
        let photos = [try library.add("a.jpg"), try library.add("b.jpg")]
        try library.delete(photos)
        try library.add("a.jpg", "newcomer")
        let result = try library.undo()
        #expect(result?.items.map(\.status) == [.conflict, .restored])
        #expect(try FileSystem.contents(of: photos[0]) == Array("newcomer".utf8))
        #expect(library.trashed.files == ["a.jpg"])
        let renamed = try library.undo(nil, Undo.Options(renames: true))
        #expect(renamed?.items.map(\.status) == [.restored])
        #expect(try FileSystem.contents(of: library.root.appending("a (2).jpg")) == Array("content of a.jpg".utf8))
        #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty)
    }

    @Test func aUnitStaysTogetherAndIsRenamedAlike() throws {
        let library = try TestLibrary()
        let unit = PhotoUnit(
            main: try library.add("a.jpg"),
            companions: [try library.add("a.jpg.xmp"), try library.add("a.mov")])
        _ = try DeletionRun.execute(try library.plan(units: [unit]), environment: library.environment)
        try library.add("a.mov", "newcomer")
        #expect(try library.undo()?.items.map(\.status) == [.conflict])
        #expect(!unit.main.exists)
        try library.add("a (2).jpg", "in the way")
        #expect(try library.undo(nil, Undo.Options(renames: true))?.isComplete == true)
        let names = TemporaryFolder.names(in: library.root).map { String(decoding: $0, as: UTF8.self) }
        #expect(names == ["a (2).jpg", "a (3).jpg", "a (3).jpg.xmp", "a (3).mov", "a.mov"])
    }

    @Test func recreatesFolders() throws {
        let library = try TestLibrary()
        let photos = [try library.add("x/y/a.jpg"), try library.add("x/b.jpg")]
        let before = try library.snapshot()
        try library.delete(photos)
        try FileSystem.removeFolder(library.root.appending("x/y"))
        try FileSystem.removeFolder(library.root.appending("x"))
        #expect(try library.undo()?.isComplete == true)
        #expect(try library.snapshot() == before)
    }

    @Test func toAnotherFolder() throws {
        let library = try TestLibrary()
        let photos = [try library.add("x/a.jpg"), try library.add("y/z/a.jpg")]
        let before = try library.snapshot()
        try library.delete(photos)
        let target = library.folder.path.appending("elsewhere/deep")
        #expect(try library.undo(nil, Undo.Options(folder: target))?.isComplete == true)
        let after = try TestLibrary.snapshot(target)
        #expect(after[target.appending("x/a.jpg")] == before[photos[0]])
        #expect(after[target.appending("y/z/a.jpg")] == before[photos[1]])
    }

    @Test func aDryRunChangesNothing() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        try library.delete([photo])
        let journal = try TestLibrary.snapshot(library.environment.state)
        let result = try library.undo(nil, Undo.Options(isDryRun: true))
        #expect(result?.items.map(\.status) == [.ready])
        #expect(!photo.exists)
        #expect(try TestLibrary.snapshot(library.environment.state) == journal)
    }

    @Test func theLastRunThatCanBeUndone() throws {
        let library = try TestLibrary()
        let photos = try (0..<3).map { try library.add("p\($0).jpg") }
        let first = try library.delete([photos[0]]).plan.id
        let second = try library.delete([photos[1]]).plan.id
        var options = DeletionOptions()
        options.mode = .erase
        try library.delete([photos[2]], options: options)
        #expect(try library.undo()?.id == second)
        #expect(try library.undo()?.id == first)
        #expect(try library.undo() == nil)
        #expect(try library.undo(first) == nil)
        let states = try Undo(library.environment).runs().map(\.state)
        #expect(states == [.erased, .undone, .undone])
    }

    @Test func anUnknownRunIsAnError() throws {
        let library = try TestLibrary()
        let id = RunID(ns: 0)
        #expect(throws: DeletionError.unknownRun(id)) { try library.undo(id) }
    }

    @Test func aRunAtWorkIsLeftAlone() throws {
        let library = try TestLibrary()
        let id = try library.delete([try library.add("a.jpg")]).plan.id
        let held = try Journal(library.environment).open(id)
        #expect(throws: DeletionError.journal(.busy(id))) { try library.undo() }
        #expect(held.id == id)
    }

    /// No older run is undone because the newest has left the trash: it is named, and so is the next.
    @Test func whatHasLeftTheTrashIsGone() throws {
        let library = try TestLibrary()
        let photos = [try library.add("a.jpg"), try library.add("b.jpg")]
        let old = try library.delete([photos[0]]).plan.id
        try library.delete([photos[1]])
        try FileSystem.remove(library.trash.appending("files/b.jpg"))
        try FileSystem.remove(library.trash.appending("info/b.jpg.trashinfo"))
        for _ in 0..<2 {
            #expect(try Undo(library.environment).runs().map(\.state) == [.gone, .done])
            let result = try library.undo()
            #expect(result?.isGone == true && result?.next == old)
            #expect(result?.items.map(\.path) == [photos[1]])
            #expect(!photos[0].exists)
        }
        #expect(try library.undo(old)?.files == 1)
        #expect(try Undo(library.environment).runs().map(\.state) == [.gone, .undone])
    }

    @Test func aRunOfWhichPhotosAreGoneIsPartlyGone() throws {
        let library = try TestLibrary()
        let photos = try (0..<3).map { try library.add("p\($0).jpg") }
        try library.delete(photos)
        try FileSystem.remove(library.trash.appending("files/p1.jpg"))
        #expect(try Undo(library.environment).runs().map(\.state) == [.partlyGone])
        let result = try library.undo()
        #expect(result?.items.map(\.status) == [.restored, .gone, .restored])
        #expect(result?.isComplete == false)
        #expect(photos[0].exists && photos[2].exists)
        let runs = try Undo(library.environment).runs()
        #expect(runs.map(\.state) == [.partlyGone] && runs.map(\.canBeUndone) == [false])
        #expect(library.trashed.info.isEmpty)
    }

    /// `undo ID PATH…`: by the path of any of its files a photo comes back whole.
    @Test func justSomePhotosOfARun() throws {
        let library = try TestLibrary()
        let unit = PhotoUnit(main: try library.add("x/a.jpg"), companions: [try library.add("x/a.xmp")])
        let others = [try library.add("x/b.jpg"), try library.add("y/c.jpg")]
        let before = try library.snapshot()
        let plan = try library.plan(units: [unit] + others.map { PhotoUnit(main: $0) })
        _ = try DeletionRun.execute(plan, environment: library.environment)
        let companion = library.root.appending("x/a.xmp")
        let unknown = library.root.appending("x/none.jpg")
        #expect(throws: DeletionError.notOfRun(plan.id, unknown)) {
            try library.undo(plan.id, Undo.Options(paths: [companion, unknown]))
        }
        #expect(try library.snapshot().isEmpty)
        #expect(try library.undo(plan.id, Undo.Options(paths: [companion]))?.files == 2)
        #expect(try library.snapshot().count == 2)
        #expect(try Undo(library.environment).runs().map(\.state) == [.partlyUndone])
        #expect(try library.undo(plan.id, Undo.Options(paths: [companion])) == nil)
        // A folder stands for what is below it.
        #expect(try library.undo(plan.id, Undo.Options(paths: [library.root.appending("y")]))?.files == 1)
        #expect(try library.undo()?.files == 1)
        #expect(try library.snapshot() == before)
    }

    /// A `.trashinfo` that cannot be removed is told, and another undo tries again.
    @Test func aTrashInfoThatStaysIsTold() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        try library.delete([photo])
        let info = library.trash.appending("info/a.jpg.trashinfo")
        let content = try FileSystem.contents(of: info)
        try FileSystem.remove(info)
        try FileSystem.createFolder(info)
        let result = try library.undo()
        #expect(result?.isComplete == false && result?.items.map(\.status) == [.restored])
        #expect(photo.exists)
        #expect(result?.notes.first?.contains("a.jpg") == true)
        try FileSystem.removeFolder(info)
        try FileDescriptor.open(info, [.write, .create]).write(content)
        #expect(try library.undo()?.isOnlyFinished == true)
        #expect(library.trashed.info.isEmpty)
        #expect(try library.undo() == nil)
    }

    /// Deeper than any path that the system takes: descriptors lead there.
    @Test func aFolderDeeperThanAnyPath() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let id = try library.delete([photo]).plan.id
        var deep = library.root
        for _ in 0..<30 { deep = deep.appending(String(repeating: "d", count: 200)) }
        #expect(deep.bytes.count > 4096)
        let target = deep.appending("a.jpg")
        let history = try #require(try Journal(library.environment).history(id))
        var intent = history.steps[0].intent
        intent.path = target
        do {
            var journal = try Journal(library.environment).open(id)
            journal.append(.intent(intent))
            journal.append(.outcome(file: 0, .trashed, identity: history.steps[0].identity))
            try journal.synchronize()
        }
        #expect(try library.undo()?.files == 1)
        var folders = OpenFolders()
        #expect(try folders.status(of: target).identity.bytes == history.steps[0].identity.bytes)
        #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty)
    }

    /// Where no program looks that goes by mount points (a Btrfs subvolume that is none), the place is told.
    @Test func aTrashThatOthersDoNotShowIsTold() throws {
        let library = try TestLibrary()
        let id = try library.delete([try library.add("a.jpg")]).plan.id
        var history = try #require(try Journal(library.environment).history(id))
        #expect(Undo(library.environment).hiddenTrashes(of: history).isEmpty)
        var intent = history.steps[0].intent
        let trash = library.root.appending(".Trash-\(FileSystem.realUser)")
        intent.trash = trash
        history.add(RunHistory.Step(intent: intent))
        #expect(Undo(library.environment).hiddenTrashes(of: history) == [trash])
    }

    @Test func aFileChangedInTheTrashStaysThere() throws {
        let library = try TestLibrary()
        try library.delete([try library.add("a.jpg")])
        try FileDescriptor.open(library.trash.appending("files/a.jpg"), [.write, .append]).write([1])
        #expect(try library.undo()?.items.map(\.status) == [.changed])
    }

    @Test func aRestoredNameKeepsItsLengthAndItsExtension() {
        let long = Array((String(repeating: "ü", count: 125) + ".jpg").utf8)
        let name = RestoredName.make(long[...], stem: long[..<250], number: 2)
        #expect(name.count <= 255)
        #expect(String(validating: name, as: UTF8.self)?.hasSuffix("ü (2).jpg") == true)
    }

    @Test func aFolderThatCannotTakeThemIsAnErrorOfItsOwn() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let file = try library.add("no-folder")
        try library.delete([photo])
        for directory in [file, file.appending("below")] {
            for isDryRun in [true, false] {
                do throws(any Error) {
                    try library.undo(nil, Undo.Options(folder: directory, isDryRun: isDryRun))
                    Issue.record("it was taken for a folder")
                } catch DeletionError.failed(let error) {
                    #expect(error.code == ENOTDIR && error.path == directory)
                }
            }
        }
        #expect(try library.undo(nil, Undo.Options(folder: library.root.appending("new/deep")))?.files == 1)
    }

    /// The renames of a run and of its undo change the ctime, and nothing else.
    @Test func aPlanRunsAgainAfterItsUndo() throws {
        let library = try TestLibrary()
        let photos = try [library.add("a.jpg"), library.add("b.jpg")]
        let plan = try library.plan(photos)
        _ = try DeletionRun.execute(plan, environment: library.environment)
        try library.undo()
        try library.add("b.jpg", "another content")
        var planner = try DeletionPlanner(DeletionOptions(), environment: library.environment)
        let again = try planner.renew(plan, history: Journal(library.environment).history(plan.id))
        #expect(again.items.map(\.status) == [.ready, .changed])
        let result = try DeletionRun.execute(again, environment: library.environment)
        #expect(result.plan.items.map(\.status) == [.trashed, .changed])
        #expect(try library.undo()?.files == 1)
    }
}
