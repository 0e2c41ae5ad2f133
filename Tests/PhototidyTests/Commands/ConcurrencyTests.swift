import Support
import Testing
import TidyKit

/// Two programs at work on one library and one trash: nothing lost, nothing doubled, whoever comes first.
@Suite struct ConcurrencyTests {
    private let program: BuiltProgram
    private let library: FilePath
    private let names: [String]
    private let before: [FilePath: TestLibrary.Content]

    init() throws {
        program = try BuiltProgram()
        names = (0..<120).map { "library/\($0 % 3)/p\($0 / 3).jpg" }
        for name in names { try program.home.write(name, "content of \(name)") }
        library = program.home.path.appending("library")
        before = try TestLibrary.snapshot(library)
        try program.home.write("names", names.map { $0 + "\n" }.joined())
        try program.home.write("backwards", names.reversed().map { $0 + "\n" }.joined())
    }

    private var trash: FilePath { program.home.path.appending(".local/share/Trash") }

    private func expectEachOnce(_ mark: Comment) throws {
        let files = trash.appending("files")
        let trashed = files.exists ? try TestLibrary.snapshot(files) : [:]
        func sorted(_ contents: some Sequence<TestLibrary.Content>) -> [[UInt8]] {
            contents.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
        }
        let all = Array(try TestLibrary.snapshot(library).values) + Array(trashed.values)
        #expect(sorted(all) == sorted(before.values), mark)
        #expect(TemporaryFolder.names(in: trash.appending("info")).count == trashed.count, mark)
    }

    private func undoAll() throws {
        for _ in 0..<20 {
            let code = try program.run("undo").exitCode
            if code == 1 { break }
            #expect(code == 0)
        }
        #expect(try TestLibrary.snapshot(library) == before)
        #expect(TemporaryFolder.names(in: trash.appending("files")).isEmpty)
        #expect(TemporaryFolder.names(in: trash.appending("info")).isEmpty)
    }

    private func delete(_ list: String, _ options: String...) throws -> RunningProgram {
        try program.start((["delete", "--from", list, "--yes", "--batch-size", "7"] + options).map { FilePath($0) })
    }

    @Test(arguments: [["names", "names"], ["names", "backwards"]])
    func twoDeletesOfTheSamePhotos(_ lists: [String]) throws {
        let runs = try lists.map { try delete($0) }
        for run in runs {
            // The one that finds files gone says so: 3, or 5 where not one was left to it.
            #expect([0, 3, 5].contains(try run.wait()))
        }
        #expect(try TestLibrary.snapshot(library).isEmpty)
        try expectEachOnce("after two deletes")
        try undoAll()
    }

    /// One plan, twice at once: the journal of a run has one writer.
    @Test func onePlanTwiceAtOnce() throws {
        #expect(try program.run("delete", "--from", "names", "-n", "--save-plan", "plan").exitCode == 0)
        let words = ["delete", "--plan", "plan", "--yes"].map { FilePath($0) }
        let runs = [try program.start(words), try program.start(words)]
        let codes = try runs.map { try $0.wait() }
        #expect(codes.contains(0), "\(codes)")
        try expectEachOnce("after both")
        #expect(try TestLibrary.snapshot(library).isEmpty)
        try undoAll()
    }

    @Test func aDeleteBesideAnUndo() throws {
        let half = names.prefix(60).map { $0 + "\n" }.joined()
        try program.home.write("half", half)
        #expect(try delete("half").wait() == 0)
        let id = try program.run("undo", "--list", "--json").text.split(separator: "\"").first { $0.contains("-") }
        let undo = try program.start(["undo", String(id ?? "")].map { FilePath($0) })
        let other = try delete("backwards")
        #expect([0, 3].contains(try undo.wait()))
        #expect([0, 3].contains(try other.wait()))
        try expectEachOnce("after both")
        try undoAll()
    }

    @Test func twoUndosOfOneRun() throws {
        #expect(try delete("names").wait() == 0)
        let undos = [try program.start([FilePath("undo")]), try program.start([FilePath("undo")])]
        let codes = try undos.map { try $0.wait() }
        #expect(codes.contains(0), "\(codes)")
        try expectEachOnce("after both")
        try undoAll()
    }

    /// Members come and go while photos leave: in the end every photo is in the selection once, in its order.
    @Test func aSelectionBesideADelete() throws {
        let first = names.prefix(80).map { $0 + "\n" }.joined()
        let second = names.suffix(40).map { $0 + "\n" }.joined()
        try program.home.write("first", first)
        try program.home.write("second", second)
        #expect(try program.run("select", "add", "--from", "first").exitCode == 0)
        let run = try delete("first")
        let select = try program.start(["select", "add", "--from", "second"].map { FilePath($0) })
        #expect(try run.wait() == 0)
        #expect(try select.wait() == 0)
        func members() throws -> [String] {
            try program.run("select", "show", "--format", "paths").lines.map {
                String($0.dropFirst(program.home.path.bytes.count + 1))
            }
        }
        #expect(try members() == Array(names.suffix(40)))
        try undoAll()
        let after = try members()
        #expect(after.count == 120 && Set(after) == Set(names))
        #expect(after.filter { names.prefix(80).contains($0) } == Array(names.prefix(80)))
    }
}
