import Support
import Testing
import TidyKit

@Suite struct ListTests {
    private let program: BuiltProgram
    private let library: TemporaryFolder

    init() throws {
        program = try BuiltProgram()
        library = try TemporaryFolder()
    }

    /// A photo whose date is the day of May 2024.
    private func photo(_ name: String, day: Int) throws {
        try write(Array(name.utf8), day: day)
    }

    private func write(_ name: [UInt8], day: Int) throws {
        var exif = ExifFixture()
        exif.taken("2024:05:0\(day) 12:00:00", offset: "+02:00")
        let file = library.path.appending(name)
        try FileSystem.createFolders(file.directory)
        try AtomicFile.write(
            JPEGFixture(width: 48, height: 32).with(exif).bytes, to: file, replacing: false)
    }

    private func list(_ arguments: String...) throws -> BuiltProgram.Result {
        try program.run((["list"] + arguments).map { FilePath($0) }, in: library.path)
    }

    @Test func aPipeGetsTabSeparatedLinesNewestFirst() throws {
        try photo("a.jpg", day: 1)
        try photo("sub/b.jpg", day: 2)
        let result = try list()
        #expect(result.exitCode == 0)
        #expect(result.errors.isEmpty)
        #expect(result.lines.first?.hasPrefix("path\tkind\tformat\tbytes") == true)
        #expect(result.lines.dropFirst().map { $0.prefix { $0 != "\t" } } == ["sub/b.jpg", "a.jpg"])
    }

    @Test(.enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"))
    func aTerminalGetsATableThatFits() throws {
        try photo("a folder with a rather long name that does not fit/b.jpg", day: 2)
        let (code, screen) = try program.runAtTerminal(["list"], columns: 60, in: library.path)
        #expect(code == 0)
        #expect(screen.contains("2024-05-02 12:00  jpeg"))
        #expect(screen.contains("…"))
        #expect(screen.contains("fit/b.jpg\r\n"))
        #expect(screen.contains("1 photo, "))
    }

    @Test(.enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"))
    func escapesControlCharactersOnlyOnTerminals() throws {
        try photo("\u{1B}[31mred.jpg", day: 1)
        #expect(try program.runAtTerminal(["list"], in: library.path).screen.contains("\\x1B[31mred.jpg"))
        let paths = ["filter", "--type", "jpeg", "--progress", "never"]
        #expect(try program.runAtTerminal(paths, in: library.path).screen == "\\x1B[31mred.jpg\r\n")
        #expect(try list("-0").text == "\u{1B}[31mred.jpg\0")
        #expect(try list("--format", "paths").text == "\u{1B}[31mred.jpg\n")
    }

    @Test func nothingFoundIsNoFault() throws {
        #expect(try list("--json").text == "[]\n")
        for format in ["--ndjson", "-0"] { #expect(try list(format).output.isEmpty) }
        #expect(try list("--format", "paths").output.isEmpty)
        #expect(try list("--count").text == "0\n")
        #expect(try list("--csv", "--fields", "path,size").text == "path,size\r\n")
        #expect(try list("--json").exitCode == 0)
    }

    @Test func fieldsChooseColumnsAndKeysInTheirOrder() throws {
        try photo("a,b.jpg", day: 3)
        let fields = ["--fields", "taken,path,megapixels,longEdge,name,rating,favorite"]
        #expect(
            try program.run((["list", "--csv"] + fields).map { FilePath($0) }, in: library.path).text
                == "taken,path,megapixels,longEdge,name,rating,favorite\r\n"
                + "2024-05-03T12:00:00+02:00,\"a,b.jpg\",0.001536,48,\"a,b.jpg\",,false\r\n")
        #expect(
            try program.run((["list", "--ndjson"] + fields).map { FilePath($0) }, in: library.path).text
                == #"{"taken":"2024-05-03T12:00:00+02:00","path":"a,b.jpg","megapixels":0.001536,"longEdge":48,"#
                + #""name":"a,b.jpg","rating":null,"favorite":false}"# + "\n")
    }

    @Test func aNameThatIsNoTextComesThrough() throws {
        try write(Array("caf".utf8) + [0xE9] + Array(".jpg".utf8), day: 1)
        let json = try list("--json", "--fields", "path").text
        #expect(json == "[\n{\"path\":\"caf\u{FFFD}.jpg\",\"pathBase64\":\"Y2Fm6S5qcGc=\"}\n]\n")
        #expect(try list("-0").output == Array("caf".utf8) + [0xE9] + Array(".jpg\0".utf8))
        #expect(try list("--tsv", "--fields", "path").output.contains(0xE9))
    }

    @Test func aNewlineInANameIsLeftOutOfPathsWithAnError() throws {
        try photo("a\nb.jpg", day: 1)
        try photo("c.jpg", day: 2)
        let result = try list("--format", "paths")
        #expect(result.exitCode == 3)
        #expect(result.text == "c.jpg\n")
        #expect(result.errorText.contains("a\\nb.jpg") && result.errorText.contains("-0"))
        #expect(try list("-0", "--sort", "path").text == "a\nb.jpg\0c.jpg\0")
        #expect(try list("--tsv", "--fields", "path", "--sort", "path").text == "path\na\\nb.jpg\nc.jpg\n")
    }

    @Test func withoutAnOrderItStreamsTheSame() throws {
        for day in 1...4 { try photo("\(day).jpg", day: day) }
        for format in ["--json", "--ndjson", "--csv", "--tsv", "-0", "--count"] {
            let sorted = try list(format, "--sort", "path")
            let streamed = try list(format, "--sort", "none")
            #expect(streamed.output.sorted() == sorted.output.sorted())
            #expect(streamed.exitCode == 0)
        }
        #expect(try list("--ndjson", "--sort", "none", "--limit", "2").lines.count == 2)
        #expect(try list("--count", "--sort", "none", "--limit", "0").text == "0\n")
    }

    @Test func statisticsStandOnStandardError() throws {
        try photo("a.jpg", day: 1)
        let result = try list("--stats", "--count", "--no-index")
        #expect(result.text == "1\n")
        #expect(result.errorText.contains("files seen: 1\nfiles opened: 1\n"))
    }

    @Test func aMissingOperandIsNamedAndNothingIsListed() throws {
        try photo("a.jpg", day: 1)
        let result = try list(".", "no\nwhere")
        #expect(result.exitCode == 5)
        #expect(result.output.isEmpty)
        #expect(result.errorText.contains("no\\nwhere: no such file or folder"))
    }

    @Test func reportsAnUnreadableFolderAndGoesOn() throws {
        try photo("open/a.jpg", day: 1)
        try photo("closed/b.jpg", day: 1)
        let closed = library.path.appending("closed")
        try FileDescriptor.open(library.path, [.read, .directory]).setPermissions(0o755)
        try FileDescriptor.open(closed, [.read, .directory]).setPermissions(0)
        let result = try program.runUnprivileged("list", "--json", "--no-index", library.path.displayText)
        try FileDescriptor.open(closed, [.read, .directory]).setPermissions(0o755)
        guard let result else { try Test.cancel("nobody cannot run the built program here") }
        #expect(result.exitCode == 3)
        #expect(result.errorText.contains("closed: Permission denied"))
        #expect(result.text.hasPrefix("[\n{") && result.text.hasSuffix("}\n]\n"))
        #expect(result.text.contains("open/a.jpg") && !result.text.contains("b.jpg"))
    }

    @Test func aFullDiskIsNeverSilent() throws {
        try photo("a.jpg", day: 1)
        for format in ["--json", "--ndjson", "--csv", "-0", "--count"] {
            let result = try program.run(
                ["list", format].map { FilePath($0) }, in: library.path, output: .file(FilePath("/dev/full")))
            #expect(result.exitCode == 5)
            #expect(result.errorText.contains("No space left on device"))
        }
    }
}
