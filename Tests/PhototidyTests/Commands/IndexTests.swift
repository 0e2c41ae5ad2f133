import Support
import Testing
import TidyKit

/// The index as a user sees it, and what needs no look into a file.
@Suite struct IndexTests {
    private let program: BuiltProgram
    private let library: TemporaryFolder
    private var index: FilePath { program.home.path.appending(".cache/phototidy/index.sqlite") }

    init() throws {
        program = try BuiltProgram()
        library = try TemporaryFolder()
        for name in ["a.jpg", "b.jpg", "sub/c.jpg"] { try library.write(name, JPEGFixture().bytes) }
        try library.write("a.xmp", "no rating")
    }

    private func run(_ arguments: String...) throws -> BuiltProgram.Result {
        try program.run(arguments.map { FilePath($0) }, in: library.path)
    }

    @Test func infoAndClearSayWhatThereIs() throws {
        #expect(try run("index", "--info").text == "path: \(index.displayText)\nsize: 0 B\nfiles: 0\nsignatures: 0\n")
        #expect(try run("index", "--clear").errorText.contains("There is no index to remove."))
        try program.home.write(".cache/phototidy/index.sqlite", String(repeating: "no database ", count: 200))
        let info = try run("index", "--info")
        #expect(info.exitCode == 0)
        #expect(info.lines.contains { $0.hasPrefix("files: unknown (") })
        #expect(index.exists)
        #expect(try run("list", "--json").output == run("list", "--json", "--no-index").output)
        try program.home.write(".cache/phototidy/index.sqlite", String(repeating: "no database ", count: 200))
        let cleared = try run("index", "--clear")
        #expect(cleared.exitCode == 0)
        #expect(cleared.errorText.contains("Removed the index"))
        #expect(!index.exists)
    }

    @Test func aDryRunNeitherMakesNorTouchesTheIndex() throws {
        #expect(try run("delete", "--all", ".", "-n").exitCode == 0)
        #expect(!index.directory.exists)
        try program.home.write(".cache/phototidy/index.sqlite", String(repeating: "no database ", count: 200))
        try FileSystem.setModified(index, ns: 1_000_000_000)
        let (content, status) = (try FileSystem.contents(of: index), try FileStatus.of(index))
        #expect(try run("delete", "--all", ".", "-n", "--json").exitCode == 0)
        #expect(try run("delete", ".", "--taken", "1990..", "--trust-mtime", "-n").exitCode == 0)
        #expect(try FileStatus.of(index) == status)
        #expect(try FileSystem.contents(of: index) == content)
        #expect(TemporaryFolder.names(in: index.directory).count == 1)
    }

    /// Four where a rating is asked for: the sidecar may hold one.
    @Test(arguments: [
        (["--name", "x*"], 0), (["--path", "other/*"], 0), (["--exclude", "*"], 0), (["--size", "10MB.."], 0),
        (["--offline"], 0), (["--has", "sidecar", "--name", "b*"], 0), (["--name", "x*", "--sort", "-taken"], 0),
        (["--size", "10MB..", "--rating", "5", "--json"], 0), (["--name", "x*", "--broken"], 0),
        (["--where", "size > 10MB"], 0), (["--where", "rating == 5 and name == \"x\""], 0),
        (["--where", "not (name ~ \"*.jpg\")", "--sort", "pixels"], 0),
        (["--name", "b*", "--sort", "size"], 1), (["--name", "b*", "--sort", "taken"], 1),
        (["--where", "name == \"b.jpg\" or rating == 5"], 4), (["--camera", "x"], 3),
    ])
    func whatANameOrASizeDecidesOpensNoFile(_ predicates: [String], opened: Int) throws {
        let words = ["filter"] + predicates + ["--stats", "--no-index", "--allow-empty"]
        let result = try program.run(words.map { FilePath($0) }, in: library.path)
        #expect(result.exitCode == 0)
        #expect(result.errorText.contains("files opened: \(opened)\n"), "\(result.errorText)")
        if opened == 0 { #expect(result.errorText.contains("bytes read: 0\n")) }
    }
}
