import Support
import Testing

@testable import TidyKit

@Suite struct JournalTests {
    private let id = RunID(ns: 1_700_000_000_123_000_000)
    private let identity = FileIdentity(device: 1, inode: .max, bytes: 3, modifiedNs: -4, changedNs: 5)

    private var entries: [JournalEntry] {
        let odd = FilePath([0x2F, 0x0A, 0x09, 0xFF, 0x25])
        let name = FilePath([0x0A, 0x09, 0xFF, 0x25])
        let replacement = JournalEntry.Replacement(
            path: odd, temporary: FilePath("/.phototidy-t"), identity: identity)
        return [
            .start(.init(timeNs: 7, action: "delete", root: odd)),
            .intent(
                .init(file: 0, unit: 0, operation: .move, path: odd, identity: identity)
                    .inTrash(FilePath("/trash"), name)),
            .intent(.init(file: 1, unit: 0, operation: .erase, path: odd, identity: identity)),
            .intent(
                .init(file: 2, unit: 1, operation: .replace, path: odd, identity: identity)
                    .inTrash(FilePath("/trash"), name).replaced(by: replacement)),
            .aside(file: 1, odd), .outcome(file: 1, .unknown, identity: identity),
            .outcome(file: 0, .trashed, identity: identity),
            .left(file: 0, selection: [0xFF, 0x09], index: 3, path: odd, after: nil),
            .left(file: 0, selection: [0x61], index: 3, path: odd, after: odd),
            .target(file: 0, odd), .copied(file: 0, identity: identity), .restored(file: 0), .stayed(file: 0),
            .settled(file: 0), .end,
        ]
    }

    @Test func everyEntryComesBack() {
        for entry in entries {
            var line: [UInt8] = []
            entry.write(to: &line, id: id)
            #expect(line.filter { $0 == 0x0A }.count == 1)
            #expect(JournalEntry(line: line.dropLast(), id: id) == entry)
        }
    }

    /// What older programs wrote is read for ever, so no word and no place of a field may change.
    @Test func everyEntryHasItsWords() {
        let identity = "1\t18446744073709551615\t3\t-4\t5"
        let odd = "/%0A%09%FF%25"
        let expected = [
            "start\t7\tdelete\t\(odd)", "intent\t0\t0\tmove\t\(identity)\t\(odd)\t/trash\t%0A%09%FF%25",
            "intent\t1\t0\terase\t\(identity)\t\(odd)\t\t",
            "intent\t2\t1\treplace\t\(identity)\t\(odd)\t/trash\t%0A%09%FF%25\t\(odd)\t/.phototidy-t\t\(identity)",
            "aside\t1\t\(odd)", "outcome\t1\tunknown\t\(identity)", "outcome\t0\ttrashed\t\(identity)",
            "left\t0\t%FF%09\t3\t\(odd)\t", "left\t0\ta\t3\t\(odd)\t\(odd)", "target\t0\t\(odd)",
            "copied\t0\t\(identity)",
            "returned\t0", "stayed\t0", "settled\t0", "end",
        ]
        let lines = entries.map { entry in
            var line: [UInt8] = []
            entry.write(to: &line, id: id)
            return String(decoding: line.dropLast(18), as: UTF8.self)
        }
        #expect(lines == expected)
        let words = [
            JournalEntry.Operation.copy.rawValue, JournalEntry.Outcome.erased.rawValue,
            JournalEntry.Outcome.kept.rawValue,
        ]
        #expect(words == ["copy", "erased", "kept"])
    }

    @Test func aLineThatIsCutOrChangedIsNoEntry() {
        for entry in entries {
            var line: [UInt8] = []
            entry.write(to: &line, id: id)
            line.removeLast()
            for length in 0..<line.count { #expect(JournalEntry(line: line[..<length], id: id) == nil) }
            for index in line.indices {
                var changed = line
                changed[index] ^= 1
                #expect(JournalEntry(line: changed[...], id: id) == nil)
            }
            #expect(JournalEntry(line: line[...], id: RunID(ns: 0)) == nil)
        }
    }

    @Test func readsBackEntriesAroundATornLine() throws {
        let library = try TestLibrary()
        let journal = Journal(library.environment)
        do {
            var file = try journal.open(id)
            for entry in entries { file.append(entry) }
            try file.synchronize()
        }
        let path = journal.folder.appending(id.text + ".journal")
        let whole = try FileSystem.contents(of: path)
        try path.truncate(to: Int64(whole.count - 5))
        do {
            var file = try journal.open(id)
            #expect(!file.history.isClosed)
            file.append(.settled(file: 2))
            file.append(.end)
            try file.synchronize()
        }
        let history = try #require(try journal.history(id))
        #expect(history.isClosed)
        #expect(history.steps.map(\.isSettled) == [true, false, true])
        #expect(history.steps[0].selections.map(\.order) == [0, 1])
    }

    /// A file that was set aside is looked for by undo, though it was to be erased, until it is known to be gone.
    @Test func whatWasSetAsideIsOpenUntilItIsErased() {
        let place = FilePath("/library/.phototidy-aside-x")
        var history = RunHistory(id: id)
        let intent = JournalEntry.Intent(
            file: 0, unit: 0, operation: .erase, path: FilePath("/library/a.jpg"), identity: identity)
        history.apply(.intent(intent))
        #expect(!history.steps[0].needsUndo && history.state == .erased)
        history.apply(.aside(file: 0, FilePath("/library/b.jpg")))
        #expect(history.steps[0].aside == nil, "no name of ours")
        history.apply(.aside(file: 0, place))
        history.apply(.intent(intent))
        #expect(history.steps[0].aside == place && history.steps[0].needsUndo && history.state == .interrupted)
        var unknown = history
        unknown.apply(.outcome(file: 0, .unknown, identity: identity))
        #expect(unknown.steps[0].needsUndo)
        history.apply(.outcome(file: 0, .erased, identity: identity))
        #expect(!history.steps[0].needsUndo && history.state == .erased)
    }

    @Test func aRunHasOneWriter() throws {
        let library = try TestLibrary()
        let journal = Journal(library.environment)
        let file = try journal.open(id)
        #expect(throws: JournalError.busy(id)) { _ = try journal.open(id) }
        #expect(try journal.history(id)?.isRunning == true)
        #expect(file.id == id)
    }

    @Test(arguments: ["", "../x", "a/b", "a b", "a.b", String(repeating: "a", count: 65)])
    func rejectsIDsThatLeadOutOfTheFolder(_ text: String) { #expect(RunID(Array(text.utf8)) == nil) }

    @Test func anIDTellsItsTime() {
        #expect(id.text.hasPrefix("20231114-221320-123"))
        #expect(RunHistory(id: id).timeNs == 1_700_000_000_123_000_000)
    }

    /// A journal may lie on a disk that came from elsewhere.
    @Test(arguments: [
        ("/library/a", "../../a", "/trash"), ("/library/../a", "a", "/trash"), ("library/a", "a", "/trash"),
        ("/library/a", "..", "/trash"), ("/library/a", "a", "/trash/.."), ("/library//a", "a", "/trash"),
    ])
    func rejectsNamesThatLeadElsewhere(_ path: String, _ name: String, _ trash: String) {
        var line: [UInt8] = []
        JournalEntry.intent(
            .init(file: 0, unit: 0, operation: .move, path: FilePath(path), identity: identity)
                .inTrash(FilePath(trash), FilePath(name))
        ).write(to: &line, id: id)
        #expect(JournalEntry(line: line.dropLast(), id: id) == nil)
    }

    @Test(arguments: [("/elsewhere/b", "/library/.phototidy-t"), ("/library/b", "/library/t"), ("/library/b", "/t")])
    func aNewFileStandsBesideTheOldOne(_ new: String, _ temporary: String) {
        var line: [UInt8] = []
        JournalEntry.intent(
            .init(file: 0, unit: 0, operation: .replace, path: FilePath("/library/a"), identity: identity)
                .replaced(by: .init(path: FilePath(new), temporary: FilePath(temporary), identity: identity))
        ).write(to: &line, id: id)
        #expect(JournalEntry(line: line.dropLast(), id: id) == nil)
    }

    /// A journal that is a pipe or a link is no journal, and nobody waits for it.
    @Test func aPipeOrALinkIsNoJournal() throws {
        let library = try TestLibrary()
        let journal = Journal(library.environment)
        try FileSystem.createFolders(journal.folder)
        let path = journal.folder.appending(id.text + ".journal")
        try path.makePipe()
        #expect(throws: JournalError.self) { _ = try journal.history(id) }
        #expect(throws: JournalError.self) { _ = try journal.open(id) }
        #expect(try journal.runs().isEmpty)
        try FileSystem.remove(path)
        try path.makeLink(to: try library.add("a.jpg"))
        #expect(throws: JournalError.self) { _ = try journal.history(id) }
        #expect(throws: JournalError.self) { _ = try journal.open(id) }
    }

    /// Whatever the clock says, the run that began last is the last; those of before the order was kept come behind.
    @Test func theOrderIsThatOfTheRuns() throws {
        let library = try TestLibrary()
        let journal = Journal(library.environment)
        let names = [
            "20300101-000000-000aa", "20200101-000000-000aa", "20250101-000000-000aa", "20280101-000000-000aa",
        ]
        let ids = names.compactMap { RunID($0.utf8) }
        for (index, id) in ids.enumerated() {
            var file = try journal.open(id, begins: index > 0)
            file.append(.start(.init(timeNs: 1, action: "delete", root: .root)))
            try file.synchronize()
        }
        #expect(try journal.entries().map(\.id) == [ids[3], ids[2], ids[1], ids[0]])
        let order = journal.folder.appending("order")
        let content = try FileSystem.contents(of: order)
        // Torn in the middle of its last line, which then counts for nothing, and swallows none.
        try order.truncate(to: Int64(content.count - 5))
        #expect(try journal.entries().prefix(2).map(\.id) == [ids[2], ids[1]])
        do { _ = try journal.open(ids[1], begins: true) }
        #expect(try journal.entries().prefix(2).map(\.id) == [ids[1], ids[2]])
    }
}

extension JournalEntry.Intent {
    func inTrash(_ trash: FilePath, _ name: FilePath) -> Self {
        var intent = self
        (intent.trash, intent.name) = (trash, name)
        return intent
    }

    func replaced(by replacement: JournalEntry.Replacement) -> Self {
        var intent = self
        intent.replacement = replacement
        return intent
    }
}
