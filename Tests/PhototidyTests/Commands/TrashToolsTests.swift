import Support
import Testing
import TidyKit

/// `trash-cli` and `gio` read our trash, and we read theirs.
@Suite struct TrashToolsTests {
    private static let trashCLI = FilePath("/usr/bin/trash-restore").exists && FilePath("/usr/bin/trash-list").exists
    /// `gio trash` moves files by itself; to list and restore it needs GVfs and a bus.
    private static let gio = FilePath("/usr/bin/gio").exists
    private static let names = ["plain.jpg", "a b%20 100%.jpg", "ümläut é.jpg", "[1] #2;$(x)'\".jpg"]

    private let program: BuiltProgram
    private let library: FilePath
    private let before: [FilePath: TestLibrary.Content]

    init() throws {
        program = try BuiltProgram()
        for name in Self.names {
            let path = try program.home.write("library/" + name, "content of \(name)")
            try FileSystem.setModified(path, ns: 1_500_000_000_123_456_789)
            try path.setPermissions(0o640)
        }
        library = program.home.path.appending("library")
        before = try TestLibrary.snapshot(library)
    }

    private func delete() throws {
        let words = ["delete", "--yes"] + Self.names.map { "library/" + $0 }
        #expect(try program.run(words.map { FilePath($0) }).exitCode == 0)
        #expect(try TestLibrary.snapshot(library).isEmpty)
    }

    private func names(_ part: String) -> [[UInt8]] {
        TemporaryFolder.names(in: program.home.path.appending(".local/share/Trash/" + part))
    }

    @Test(.enabled(if: trashCLI, "trash-cli is not installed"))
    func trashListShowsWhatWeDeleted() throws {
        try delete()
        let list = try program.runTool("/usr/bin/trash-list", [])
        #expect(list.exitCode == 0)
        for name in Self.names { #expect(list.text.contains(" \(library.displayText)/\(name)\n"), "\(name)") }
    }

    @Test(.enabled(if: trashCLI, "trash-cli is not installed"))
    func trashRestoreBringsBackWhatWeDeleted() throws {
        try delete()
        for _ in Self.names {
            let result = try program.runTool("/usr/bin/trash-restore", [library], input: "0\n", in: library)
            #expect(result.exitCode == 0, "\(result.text)\(result.errorText)")
        }
        #expect(try TestLibrary.snapshot(library) == before)
        #expect(names("files").isEmpty && names("info").isEmpty)
        // Our undo finds that nothing is left for it, and breaks nothing.
        #expect(try program.run("undo").exitCode == 1)
        #expect(try TestLibrary.snapshot(library) == before)
    }

    /// One of them restored by another tool: undo brings back the rest.
    @Test(.enabled(if: trashCLI, "trash-cli is not installed"))
    func undoBringsBackWhatTrashRestoreLeft() throws {
        try delete()
        #expect(try program.runTool("/usr/bin/trash-restore", [library], input: "1\n", in: library).exitCode == 0)
        #expect(try TestLibrary.snapshot(library).count == 1)
        #expect(try program.run("undo").exitCode == 0)
        #expect(try TestLibrary.snapshot(library) == before)
        #expect(names("info").isEmpty)
    }

    /// What others trashed is in nobody's way: not replaced, not restored, not counted by our undo.
    @Test(
        .enabled(if: trashCLI && gio, "trash-cli and gio are not both installed"),
        arguments: [["/usr/bin/trash-put"], ["/usr/bin/gio", "trash"]])
    func whatOthersTrashedStaysTheirs(_ tool: [String]) throws {
        let path = library.appending("plain.jpg")
        let words = tool.dropFirst().map { FilePath($0) } + [path]
        let result = try program.runTool(tool[0], words)
        guard result.exitCode == 0 else {
            try Test.cancel("\(tool.joined(separator: " ")) does not work here: \(result.errorText)")
        }
        try program.home.write("library/plain.jpg", "newcomer")
        let newcomer = try TestLibrary.snapshot(library)
        try delete()
        #expect(names("files").count == Self.names.count + 1)
        #expect(try program.run("undo").exitCode == 0)
        #expect(try TestLibrary.snapshot(library) == newcomer)
        #expect(names("files") == [Array("plain.jpg".utf8)] && names("info").count == 1)
        #expect(try program.run("undo").exitCode == 1)
        try FileSystem.remove(path)
        let back = try program.runTool("/usr/bin/trash-restore", [library], input: "0\n", in: library)
        #expect(back.exitCode == 0, "\(back.errorText)")
        #expect(try TestLibrary.snapshot(library) == before)
    }

    /// A trash that another program made, with names of ours taken in it.
    @Test(.enabled(if: trashCLI, "trash-cli is not installed"))
    func theTrashOfAnotherToolIsUsedAsItIs() throws {
        let other = try program.home.write("other/plain.jpg", "other")
        #expect(try program.runTool("/usr/bin/trash-put", [other]).exitCode == 0)
        try delete()
        #expect(try program.runTool("/usr/bin/trash-list", []).lines.count == Self.names.count + 1)
        #expect(try program.run("undo").exitCode == 0)
        #expect(try TestLibrary.snapshot(library) == before)
    }

    /// `gio list trash:` needs GVfs and a bus, which few test machines have.
    @Test(.enabled(if: gio && FilePath("/usr/bin/dbus-run-session").exists, "gio or dbus-run-session is not installed"))
    func gioListsAndRestoresWhatWeDeleted() throws {
        try delete()
        let list = try program.runTool(
            "/usr/bin/dbus-run-session", ["--", "/usr/bin/gio", "trash", "--list"].map { FilePath($0) })
        guard list.exitCode == 0, !list.text.isEmpty else {
            try Test.cancel("gio cannot list a trash here, GVfs is missing: \(list.errorText)")
        }
        #expect(list.lines.count == Self.names.count)
        #expect(list.text.contains("trash:///plain.jpg\t\(library.displayText)/plain.jpg\n"))
        // gio gives a name that is not ASCII back in escapes, whoever trashed it: that one is left to undo.
        let addresses = list.lines.compactMap { $0.split(separator: "\t").first.map(String.init) }
            .filter { !$0.contains("%C3") }.map { FilePath($0) }
        #expect(addresses.count == Self.names.count - 1)
        let words = ["--", "/usr/bin/gio", "trash", "--restore"].map { FilePath($0) } + addresses
        let restored = try program.runTool("/usr/bin/dbus-run-session", words)
        #expect(restored.exitCode == 0, "\(restored.errorText)")
        #expect(names("files").count == 1 && names("info").count == 1)
        #expect(try program.run("undo").exitCode == 0)
        #expect(try TestLibrary.snapshot(library) == before)
        #expect(names("files").isEmpty && names("info").isEmpty)
        #expect(try program.run("undo").exitCode == 1)
    }
}
