import Glibc
import Support
import Testing

@testable import TidyKit

/// What undo makes of runs that were killed, and of journals that are damaged or lost.
extension UndoTests {
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
    @Test func putsBackTheOriginalOfACopy() throws {
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
        try photo.setPermissions(0)
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
        let aside = PrivateName.ofUndo(RunID(ns: 0), 0)
        try FileDescriptor.open(library.root.appending(aside.name.bytes), [.write, .create]).write([])
        let folder = try FileDescriptor.open(library.root, [.read, .directory])
        aside.recover(FilePath(photo.lastComponent), in: folder)
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
