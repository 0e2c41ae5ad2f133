import Support
import Testing

@testable import TidyKit

/// What only a disk tells of: listed as such, undone by its ID alone after a question, and never outside its top folder.
@Suite struct TrashBoundaryTests {
    private let library: TestLibrary
    private let id = RunID(ns: 1_700_000_000_000_000_000)

    init() throws { library = try TestLibrary() }

    /// A file in the home trash that claims to be one of our runs.
    private func plant(_ name: String, path: String, operation: String = "move", file: Int = 0) throws {
        let trash = library.trash
        let content = try library.folder.write("home/data/Trash/files/\(name)", "evil")
        let identity = try FileStatus.of(content).identity
        let words = "\(file) \(file) \(operation) \(identity.device) \(identity.inode) \(identity.bytes) "
        try library.folder.write(
            "home/data/Trash/info/\(name).trashinfo",
            "[Trash Info]\nPath=\(path)\nDeletionDate=2024-01-01T00:00:00\nX-Phototidy-Run=\(id)\n"
                + "X-Phototidy-File=\(words)\(identity.modifiedNs) \(identity.changedNs)\n")
        #expect(trash.appending("files/\(name)").exists)
    }

    @Test(arguments: ["move", "copy", "replace", "erase"])
    func nothingOfItIsRunUnasked(_ operation: String) throws {
        let target = library.root.appending("planted.jpg")
        try plant("a", path: target.displayText, operation: operation)
        #expect(try Undo(library.environment).runs().map(\.state) == [.foreign])
        #expect(try library.undo() == nil)
        #expect(try library.undo(id) == nil)
        #expect(!target.exists && library.trashed.files == ["a"])
        #expect(try library.undo(id, Undo.Options(isDryRun: true))?.files == 1)
        #expect(!target.exists)
        #expect(try library.undo(id, answer: true)?.files == 1)
        #expect(target.exists)
    }

    @Test(arguments: ["planted.jpg", "../planted.jpg", "/library/../planted.jpg", "/a//b", "/planted%00.jpg"])
    func aPathThatTheSpecificationForbidsIsNone(_ path: String) throws {
        try plant("a", path: path)
        #expect(try Undo(library.environment).runs().isEmpty)
        #expect(throws: DeletionError.unknownRun(id)) { try library.undo(id, answer: true) }
        #expect(library.trashed.files == ["a"])
    }

    /// It never overwrites, and follows no link on the way.
    @Test func aLinkOnTheWayIsNotFollowed() throws {
        let outside = library.folder.path.appending("outside")
        try FileSystem.createFolder(outside)
        try library.root.appending("link").makeLink(to: outside)
        try plant("a", path: library.root.appending("link/planted.jpg").displayText)
        #expect(try library.undo(id, answer: true)?.items.map(\.status) == [.failed])
        #expect(TemporaryFolder.names(in: outside).isEmpty)
        #expect(library.trashed.files == ["a"])
    }

    /// Of a run that has a journal, another disk adds nothing; two files of one number are two files.
    @Test func twoFilesOfOneNumberAreTwo() throws {
        for name in ["a", "b"] { try plant(name, path: library.root.appending(name + ".jpg").displayText) }
        #expect(try library.undo(id, answer: true)?.files == 2)
        #expect(library.trashed.files.isEmpty)
    }

    @Test(arguments: ["pipe", "link", "huge"]) func aTrashInfoIsASmallFile(_ kind: String) throws {
        try plant("a", path: library.root.appending("planted.jpg").displayText)
        let info = library.trash.appending("info/a.trashinfo")
        let content = try FileSystem.contents(of: info)
        try FileSystem.remove(info)
        switch kind {
        case "pipe": try info.makePipe()
        case "link":
            let other = try library.folder.write("other", content)
            try info.makeLink(to: other)
        default:
            try FileDescriptor.open(info, [.write, .create])
                .write(content + [UInt8](repeating: 0x0A, count: 100_000))
        }
        #expect(try Undo(library.environment).runs().isEmpty)
    }

    /// A journal on a disk that came from elsewhere carries nothing out of the top folder of a trash.
    @Test func aJournalLeadsNowhereElse() throws {
        let top = library.folder.path.appending("stick")
        let trash = top.appending(".Trash-\(FileSystem.realUser)")
        for part in ["files", "info"] { try FileSystem.createFolders(trash.appending(part)) }
        let file = try library.folder.write("stick/.Trash-\(FileSystem.realUser)/files/a", "evil")
        let target = library.root.appending("planted.jpg")
        let identity = try FileStatus.of(file).identity
        do {
            var journal = try Journal(library.environment).open(id, begins: true)
            journal.append(.start(.init(timeNs: 0, action: "delete", root: library.root)))
            journal.append(
                .intent(
                    .init(file: 0, unit: 0, operation: .copy, path: target, identity: identity)
                        .inTrash(trash, FilePath("a"))))
            journal.append(.outcome(file: 0, .trashed, identity: identity))
            journal.append(.end)
            try journal.synchronize()
        }
        #expect(try library.undo()?.items.map(\.status) == [.failed])
        #expect(!target.exists && file.exists)
    }
}
