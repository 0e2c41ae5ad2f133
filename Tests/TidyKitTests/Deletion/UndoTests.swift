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
        #expect(try library.undo(nil, Undo.Options(directory: target))?.isComplete == true)
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

    /// What a run had set aside before it was killed has its name again.
    @Test func whatWasSetAsideIsPutBack() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let before = try library.snapshot()
        let aside = library.root.appending(".phototidy-aside-x")
        let id = RunID(ns: SystemClock.nowNs())
        do {
            var journal = try Journal(library.environment).open(id, begins: true)
            journal.append(.start(.init(timeNs: 0, action: "delete", root: library.root)))
            journal.append(
                .intent(
                    .init(
                        file: 0, unit: 0, operation: .erase, path: photo, identity: try FileStatus.of(photo).identity)))
            journal.append(.aside(file: 0, aside))
            try journal.synchronize()
        }
        try FileSystem.rename(photo, to: aside)
        #expect(try library.undo(nil, Undo.Options(isDryRun: true))?.files == 1)
        let result = try library.undo()
        #expect(result?.files == 1 && result?.isComplete == true)
        #expect(try library.snapshot() == before)
        #expect(try library.undo() == nil)
    }

    /// Killed while a copy was in the trash and the original was set aside: the original has its name again, and the copy goes.
    @Test func ofWhatWasCopiedTheOriginalThatWasSetAsideIsPutBack() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let before = try library.snapshot()
        let id = try library.delete([photo]).plan.id
        let intent = try #require(try Journal(library.environment).history(id)?.steps.first?.intent)
        let copy = library.trash.appending("files/a.jpg")
        let aside = library.root.appending(".phototidy-aside-x")
        try FileSystem.rename(copy, to: aside)
        try FileDescriptor.open(copy, [.write, .create]).write(try FileSystem.contents(of: aside))
        try FileSystem.setModified(copy, ns: intent.identity.modifiedNs)
        do {
            var journal = try Journal(library.environment).open(id)
            var copied = intent
            copied.operation = .copy
            journal.append(.intent(copied))
            journal.append(.aside(file: 0, aside))
            try journal.synchronize()
        }
        #expect(try library.undo(nil, Undo.Options(isDryRun: true))?.files == 1)
        let result = try library.undo()
        #expect(result?.files == 1 && result?.isComplete == true)
        #expect(try library.snapshot() == before)
        #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty)
        #expect(try library.undo() == nil)
    }

    /// Where names can neither be moved without replacing nor linked, a kill leaves the empty file that claimed the name.
    @Test func anEmptyFileThatClaimedTheNameIsNoConflict() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let before = try library.snapshot()
        let id = try library.delete([photo]).plan.id
        try FileDescriptor.open(photo, [.write, .create]).write([])
        #expect(try library.undo(id)?.items.map(\.status) == [.conflict], "somebody's, as far as the journal knows")
        do {
            var journal = try Journal(library.environment).open(id)
            journal.append(.target(file: 0, photo))
            try journal.synchronize()
        }
        #expect(try library.undo(id, Undo.Options(isDryRun: true))?.items.map(\.status) == [.ready])
        #expect(try library.undo(id)?.isComplete == true)
        #expect(try library.snapshot() == before)
        #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty)
    }

    /// An empty file that claimed a private name when a kill came is in nobody's way.
    @Test func anEmptyClaimOfAPrivateNameGoes() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let before = try library.snapshot()
        let aside = SetAside(RunID(ns: 0), 0)
        try FileDescriptor.open(library.root.appending(aside.name.bytes), [.write, .create]).write([])
        let folder = try FileDescriptor.open(library.root, [.read, .directory])
        aside.putBack(FilePath(photo.lastComponent), in: folder)
        #expect(try library.snapshot() == before)
        #expect(!library.root.appending(aside.name.bytes).exists)
    }

    /// A dry run meets what the undo would meet: a folder on the way that has become a link.
    @Test func aDryRunForeseesALinkOnTheWay() throws {
        let library = try TestLibrary()
        let photo = try library.add("sub/a.jpg")
        _ = try library.delete([photo])
        let folder = library.root.appending("sub")
        try FileSystem.removeFolder(folder)
        #expect(library.root.withCString { target in folder.withCString { symlink(target, $0) } } == 0)
        let dryRun = try #require(try library.undo(nil, Undo.Options(isDryRun: true)))
        let result = try #require(try library.undo())
        #expect(dryRun.items.map(\.status) == [.failed] && result.items.map(\.status) == [.failed])
        #expect(dryRun.items.map(\.reason) == result.items.map(\.reason))
        try FileSystem.remove(folder)
        #expect(try library.undo()?.isComplete == true)
    }

    /// An outcome that is not known is looked for.
    @Test(arguments: [true, false]) func anUnknownOutcomeIsLookedFor(_ wasMoved: Bool) throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let before = try library.snapshot()
        let id = try library.delete([photo]).plan.id
        let history = try #require(try Journal(library.environment).history(id))
        do {
            var journal = try Journal(library.environment).open(id)
            journal.append(.outcome(file: 0, .unknown, identity: history.steps[0].intent.identity))
            try journal.synchronize()
        }
        if !wasMoved { try FileSystem.rename(library.trash.appending("files/a.jpg"), to: photo) }
        let result = try library.undo()
        #expect(result?.files ?? 0 == (wasMoved ? 1 : 0))
        #expect(try library.snapshot() == before)
        #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty)
    }

    @Test func aFileChangedInTheTrashStaysThere() throws {
        let library = try TestLibrary()
        try library.delete([try library.add("a.jpg")])
        try FileDescriptor.open(library.trash.appending("files/a.jpg"), [.write, .append]).write([1])
        #expect(try library.undo()?.items.map(\.status) == [.changed])
    }

    @Test func worksWithoutAJournal() throws {
        let library = try TestLibrary()
        let photos = [try library.add("x/a.jpg"), try library.add("y/a.jpg")]
        let before = try library.snapshot()
        let id = try library.delete(photos).plan.id
        try FileSystem.remove(library.environment.state.appending("journal/\(id).journal"))
        let runs = try Undo(library.environment).runs()
        #expect(runs.map(\.id) == [id] && runs.map(\.state) == [.foreign])
        // By its ID alone, and after a question that shows where the files will go.
        #expect(try library.undo() == nil)
        #expect(try library.undo(id) == nil)
        #expect(try library.snapshot().isEmpty)
        var shown: [FilePath] = []
        let result = try Undo(library.environment).execute(id, Undo.Options()) { plan in
            shown = plan.items.flatMap(\.files)
            return true
        }
        #expect(shown == photos && result?.id == id)
        #expect(try library.snapshot() == before)
        #expect(library.trashed.info.isEmpty)
    }

    /// What a power cut can leave of a journal.
    @Test func theJournalCutAtAnyByte() throws {
        let library = try TestLibrary(inMemory: true)
        let photos = try (0..<3).map { try library.add("p\($0).jpg") }
        let before = try library.snapshot()
        var options = DeletionOptions()
        options.batchSize = 2
        let id = try library.delete(photos, options: options).plan.id
        let journal = library.environment.state.appending("journal/\(id).journal")
        let content = try FileSystem.contents(of: journal)
        let infos = try TestLibrary.snapshot(library.trash.appending("info"))
        for length in stride(from: content.count, through: 0, by: -1) {
            let file = try FileDescriptor.open(journal, [.write, .truncate])
            try file.write(Array(content[..<length]))
            #expect(try library.undo()?.files == 3, "cut at \(length)")
            #expect(try library.snapshot() == before, "cut at \(length)")
            #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty, "cut at \(length)")
            for photo in photos {
                try FileSystem.rename(photo, to: library.trash.appending("files").appending(photo.lastComponent))
            }
            for (path, info) in infos { try FileDescriptor.open(path, [.write, .create]).write(info.bytes) }
        }
    }

    /// A bad sector in the middle: the journal still ends as a finished one does, and only the trash knows the rest.
    @Test func aDamagedLineOfAFinishedJournalHidesNoFile() throws {
        let library = try TestLibrary(inMemory: true)
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try library.add(name) }
        let before = try library.snapshot()
        var damaged = 0
        while true {
            let id = try library.delete(before.keys.sorted()).plan.id
            let journal = library.environment.state.appending("journal/\(id).journal")
            var content = try FileSystem.contents(of: journal)
            let lines = content.indices.filter { $0 == 0 || content[$0 - 1] == UInt8(ascii: "\n") }
            if damaged < lines.count {
                content[lines[damaged] + 3] ^= 1
                let file = try FileDescriptor.open(journal, [.write, .truncate])
                try file.write(content)
            }
            _ = try library.undo()
            #expect(try library.snapshot() == before, "line \(damaged)")
            #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty, "line \(damaged)")
            if damaged >= lines.count { break }
            damaged += 1
        }
        #expect(damaged > 6)
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
                    try library.undo(nil, Undo.Options(directory: directory, isDryRun: isDryRun))
                    Issue.record("it was taken for a folder")
                } catch DeletionError.failed(let error) {
                    #expect(error.code == ENOTDIR && error.path == directory)
                }
            }
        }
        #expect(try library.undo(nil, Undo.Options(directory: library.root.appending("new/deep")))?.files == 1)
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

    /// Two home folders of one user share the trash of a disk.
    @Test func theLostRunsOfAnotherHomeAreItsOwn() throws {
        let library = try TestLibrary()
        let before = try library.add("a.jpg")
        let mine = library.environment
        let id = try library.delete([before]).plan.id
        let other = Environment(
            home: mine.home, data: mine.data, state: library.folder.path.appending("other/state"), cache: mine.cache)
        #expect(try Undo(other).runs().isEmpty)
        #expect(try Undo(other).execute(nil, Undo.Options()) == nil)
        #expect(!before.exists)
        // Named outright, and here without a journal.
        #expect(try Undo(other).execute(id, Undo.Options(), confirm: { _ in true })?.files == 1)
        #expect(before.exists)
    }

    /// What was written before the `.trashinfo` named the state folder.
    @Test func aLostRunWithoutTheKeyIsEverybodys() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let id = try library.delete([photo]).plan.id
        try FileSystem.remove(library.environment.state.appending("journal/\(id).journal"))
        let info = library.trash.appending("info/a.jpg.trashinfo")
        let lines = try FileSystem.contents(of: info).split(separator: UInt8(ascii: "\n"))
        let older = lines.filter { !$0.starts(with: "X-Phototidy-State=".utf8) }
        #expect(older.count == lines.count - 1)
        let file = try FileDescriptor.open(info, [.write, .truncate])
        try file.write(Array(older.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")])
        #expect(try Undo(library.environment).runs().map(\.id) == [id])
        #expect(try library.undo(id, answer: true)?.files == 1)
    }

    /// The same folder by another way is the same home.
    @Test func aHomeBehindALinkIsTheSame() throws {
        let library = try TestLibrary()
        let id = try library.delete([try library.add("a.jpg")]).plan.id
        let mine = library.environment
        try FileSystem.remove(mine.state.appending("journal/\(id).journal"))
        let link = library.folder.path.appending("link")
        try link.makeLink(to: mine.home)
        let linked = Environment(
            home: link, data: mine.data, state: link.appending("state"), cache: mine.cache)
        #expect(try Undo(linked).runs().map(\.id) == [id])
    }
}
