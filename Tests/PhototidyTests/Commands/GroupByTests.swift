import Support
import Testing
import TidyKit

/// `list --group-by`: what takes the space.
@Suite struct GroupByTests {
    private let program: BuiltProgram
    private let library: TemporaryFolder

    init() throws {
        program = try BuiltProgram()
        library = try TemporaryFolder()
        try photo("a/one.jpg", "2024:05:01 12:00:00", model: "Small", padding: 0)
        try photo("a/two.jpg", "2024:05:31 23:59:59", model: "Large", padding: 40_000)
        try photo("b/three.jpg", "2023:01:02 03:04:05", model: "Small", padding: 10)
        _ = try library.write("a/one.xmp", "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>")
    }

    private func photo(_ name: String, _ taken: String, model: String, padding: Int) throws {
        var exif = ExifFixture()
        exif.taken(taken)
        exif.camera(make: "Acme", model: model)
        let bytes = JPEGFixture(width: 48, height: 32).with(exif).bytes + [UInt8](repeating: 0, count: padding)
        _ = try library.write(name, bytes)
    }

    private func list(_ arguments: String...) throws -> BuiltProgram.Result {
        try program.run((["list"] + arguments).map { FilePath($0) }, in: library.path)
    }

    private func size(_ names: String...) throws -> Int64 {
        try names.reduce(0) { try $0 + FileStatus.of(library.path.appending($1)).identity.bytes }
    }

    @Test func monthsAddUpPhotosFilesAndBytesInTheirOrder() throws {
        let result = try list("--group-by", "month", "--ndjson")
        #expect(result.exitCode == 0)
        let may = try size("a/one.jpg", "a/two.jpg", "a/one.xmp")
        let january = try size("b/three.jpg")
        #expect(
            result.lines == [
                #"{"schema":"phototidy.sum/1","by":"month","key":"2023-01","photos":1,"files":1,"bytes":\#(january),"#
                    + #""first":"2023-01-02T03:04:05","last":"2023-01-02T03:04:05"}"#,
                #"{"schema":"phototidy.sum/1","by":"month","key":"2024-05","photos":2,"files":3,"bytes":\#(may),"#
                    + #""first":"2024-05-01T12:00:00","last":"2024-05-31T23:59:59"}"#,
            ])
    }

    @Test(arguments: [
        ("year", ["2023", "2024"]), ("day", ["2023-01-02", "2024-05-01", "2024-05-31"]), ("folder", ["a", "b"]),
        ("camera", ["Acme Large", "Acme Small"]), ("type", ["jpeg"]), ("kind", ["photo"]),
    ])
    func everyKeyHasItsRows(_ key: String, _ rows: [String]) throws {
        let lines = try list("--group-by", key, "--tsv").lines
        #expect(lines.first == "\(key)\tphotos\tfiles\tbytes\tfirst\tlast")
        #expect(lines.dropFirst().map { String($0.prefix { $0 != "\t" }) } == rows)
    }

    @Test func theLargestComesFirstAndALimitKeepsIt() throws {
        let sorted = try list("--group-by", "camera", "--sort", "-size", "--csv", "--limit", "1")
        #expect(sorted.text.hasPrefix("camera,photos,files,bytes,first,last\r\nAcme Large,1,1,"))
        #expect(sorted.text.split(separator: "\r\n").count == 2)
    }

    @Test func whatIsUnknownIsNullAndComesLast() throws {
        _ = try library.write("c.jpg", JPEGFixture(width: 48, height: 32).bytes)
        let lines = try list("--group-by", "camera", "--ndjson").lines
        #expect(lines.last?.contains(#""key":null,"photos":1"#) == true)
        #expect(lines.count == 3)
    }

    @Test func filtersCountBeforeItAddsUp() throws {
        #expect(try list("--group-by", "folder", "--camera", "small", "--ndjson").lines.count == 2)
        #expect(try list("--group-by", "folder", "--camera", "nothing", "--json").text == "[]\n")
    }

    @Test(.enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"))
    func aTerminalGetsBarsAndATotal() throws {
        let arguments = ["list", "--group-by", "folder", "--progress", "never"]
        let lines = try program.runAtTerminal(arguments, in: library.path).screen.split(separator: "\r\n")
        #expect(lines.count == 4)
        #expect(lines[1].hasPrefix("a") && lines[1].hasSuffix(String(repeating: "█", count: 20)))
        #expect(lines[2].hasSuffix("  █"))
        #expect(lines[3].hasPrefix("total") && lines[3].contains("  3      4  "))
    }

    @Test(arguments: ["--fields=path", "--count", "-0", "--html=x", "--watch", "--sort=pixels", "--explain=a/one.jpg"])
    func whatNeedsPhotosIsAUsageError(_ option: String) throws {
        #expect(try list("--group-by", "month", option).exitCode == 64)
    }
}
