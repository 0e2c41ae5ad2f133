import Glibc
import Support
import Testing

@testable import TidyKit

@Suite struct InPlaceRunTests {
    private func replace(
        _ library: TestLibrary, _ path: FilePath, with text: String, as newPath: FilePath? = nil
    ) throws -> RunID {
        let run = InPlaceRun(root: library.root, environment: library.environment)
        _ = try run.replace(
            path, with: Array(text.utf8), expecting: FileStatus.of(path).identity, as: newPath)
        try run.finish()
        return run.id
    }

    @Test func theNewFileStandsInForTheOldOne() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg", "original")
        try photo.setPermissions(0o640)
        let before = try library.snapshot()
        let id = try replace(library, photo, with: "small")
        let after = try #require(try library.snapshot()[photo])
        #expect(after.bytes == Array("small".utf8))
        #expect(after.permissions == 0o640 && after.modifiedNs == before[photo]?.modifiedNs)
        #expect(try library.snapshot().count == 1)
        #expect(library.trashed.files == ["a.jpg"])
        let undone = try library.undo()
        #expect(undone?.id == id && undone?.action == "compress")
        #expect(try library.snapshot() == before)
        #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty)
    }

    /// Killed right after the exchange, the temporary name holds the original as well.
    @Test func undoLeavesNoSecondNameOfTheOriginal() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg", "original")
        let before = try library.snapshot()
        let id = try replace(library, photo, with: "small")
        let step = try #require(try Journal(library.environment).history(id)?.steps.first)
        let temporary = try #require(step.intent.replacement?.temporary)
        let original = library.trash.appending("files/a.jpg")
        #expect(original.withCString { from in temporary.withCString { link(from, $0) } } == 0)
        try library.undo()
        #expect(try library.snapshot() == before)
    }

    @Test func aNewExtensionIsUndoneToo() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.png", "original")
        let before = try library.snapshot()
        _ = try replace(library, photo, with: "small", as: library.root.appending("a.jpg"))
        #expect(try library.snapshot().keys.map(\.displayText) == [library.root.appending("a.jpg").displayText])
        try library.undo()
        #expect(try library.snapshot() == before)
    }

    @Test func aTakenNameKeepsTheOriginal() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.png", "original")
        try library.add("a.jpg", "somebody else")
        let before = try library.snapshot()
        #expect(throws: DeletionError.self) {
            try replace(library, photo, with: "small", as: library.root.appending("a.jpg"))
        }
        #expect(try library.snapshot() == before)
        #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty)
    }

    @Test func aChangeOfTheUserIsNeverLost() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg", "original")
        _ = try replace(library, photo, with: "small")
        try FileDescriptor.open(photo, [.write, .truncate]).write(Array("edited".utf8))
        #expect(try library.undo()?.items.map(\.status) == [.conflict])
        #expect(try FileSystem.contents(of: photo) == Array("edited".utf8))
        #expect(try library.undo(nil, Undo.Options(renames: true))?.isComplete == true)
        #expect(try FileSystem.contents(of: photo) == Array("edited".utf8))
        #expect(try FileSystem.contents(of: library.root.appending("a (2).jpg")) == Array("original".utf8))
    }

    @Test func aFileThatChangedSinceItWasReadStays() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg", "original")
        let old = try FileStatus.of(photo).identity
        try FileDescriptor.open(photo, [.write, .append]).write([0x21])
        let before = try library.snapshot()
        let run = InPlaceRun(root: library.root, environment: library.environment)
        #expect(throws: DeletionError.self) { try run.replace(photo, with: [1], expecting: old) }
        try run.finish()
        #expect(try library.snapshot() == before)
        #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty)
        #expect(try library.undo() == nil)
    }

    @Test func selectionsFollow() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg", "original")
        let store = SelectionStore(library.environment)
        try store.change([0x61]) { (selection) throws(SelectionError) in
            try selection.add(try SelectionMembers.members([photo]))
        }
        _ = try replace(library, photo, with: "small")
        let member = try #require(try store.selection([0x61])?.members.first)
        #expect(SelectionMembers.state(of: member) == .same)
        try library.undo()
        let back = try #require(try store.selection([0x61])?.members.first)
        #expect(SelectionMembers.state(of: back) == .same)
    }

    /// Each name becomes a file of its own, as two runs one after the other would make it.
    @Test func twoNamesOfOneFileAreReplacedInOneRun() throws {
        let library = try TestLibrary()
        let first = try library.add("a.jpg", "original")
        let second = library.root.appending("b.jpg")
        let folder = try FileDescriptor.open(library.root, [.read, .directory])
        try FileSystem.link(FilePath("a.jpg"), in: folder, to: FilePath("b.jpg"), in: folder)
        let before = try library.snapshot()
        let run = InPlaceRun(root: library.root, environment: library.environment)
        let identity = try FileStatus.of(first).identity
        for path in [first, second] { _ = try run.replace(path, with: Array("small".utf8), expecting: identity) }
        try run.finish()
        #expect(try library.snapshot().values.allSatisfy { $0.bytes == Array("small".utf8) })
        #expect(try FileStatus.of(first).identity.inode != FileStatus.of(second).identity.inode)
        #expect(try library.undo()?.files == 2)
        #expect(try library.snapshot() == before)
        for path in [first, second] { #expect(try FileStatus.of(path).identity.inode == identity.inode) }
    }

    @Test func aDamagedLineOfTheJournalHidesNoOriginal() throws {
        var damaged = 0
        while true {
            let library = try TestLibrary(inMemory: true)
            let photo = try library.add("a.jpg", "original")
            let id = try replace(library, photo, with: "small")
            let journal = library.environment.state.appending("journal/\(id).journal")
            var content = try FileSystem.contents(of: journal)
            let lines = content.indices.filter { $0 == 0 || content[$0 - 1] == UInt8(ascii: "\n") }
            guard damaged < lines.count else { break }
            content[lines[damaged] + 3] ^= 1
            try FileDescriptor.open(journal, [.write, .truncate]).write(content)
            _ = try library.undo(nil, Undo.Options(renames: true))
            #expect(
                try library.snapshot().values.contains { $0.bytes == Array("original".utf8) }, "line \(damaged)")
            damaged += 1
        }
        #expect(damaged > 3)
    }

    /// Photos of one name in two folders: undo follows each in the selections.
    @Test func selectionsFollowPhotosOfOneNameInSeveralFolders() throws {
        let library = try TestLibrary()
        let photos = [try library.add("one/a.png", "first"), try library.add("two/a.png", "second")]
        let store = SelectionStore(library.environment)
        try store.change(Array("s".utf8)) { (selection) throws(SelectionError) in
            try selection.add(try SelectionMembers.members(photos))
        }
        let run = InPlaceRun(root: library.root, environment: library.environment)
        for photo in photos {
            _ = try run.replace(
                photo, with: Array("small".utf8), expecting: FileStatus.of(photo).identity,
                as: photo.directory.appending("a.jpg"))
        }
        try run.finish()
        #expect(
            try store.selection(Array("s".utf8))?.members.map(\.path)
                == photos.map { $0.directory.appending("a.jpg") })
        // A selection that cannot be read: the next undo brings the others up to date.
        let damaged = library.environment.state.appending("selections/t.selection")
        try FileDescriptor.open(damaged, [.write, .create]).write(Array("?".utf8))
        #expect(try library.undo()?.isComplete == false)
        try FileSystem.remove(damaged)
        #expect(try library.undo()?.isOnlyFinished == true)
        #expect(try store.selection(Array("s".utf8))?.members.map(\.path) == photos)
        #expect(try library.undo() == nil)
    }
}
