import Support
import Testing
import TidyKit

/// State of an older program, as version 0.1.0 wrote it, word by word: what is on people's disks is read for ever. Only what
/// differs from machine to machine is filled in, and checksums over such lines are computed here.
@Suite struct OlderStateTests: ProgramSuite {
    let program: BuiltProgram
    private static let id = "20261201-101429-746rk"

    init() throws { program = try BuiltProgram() }

    /// FNV-1a of the seed, a zero byte and the line, as 16 hexadecimal digits.
    private static func check(_ line: String, seed: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Array(seed.utf8) + [0] + Array(line.utf8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Lines of tabs, each with its checksum behind it.
    private static func lines(_ lines: [String], seed: String = id) -> String {
        lines.map { $0 + "\t" + check($0 + "\t", seed: seed) + "\n" }.joined()
    }

    private var path: String { home.path.displayText }

    private func numbers(_ name: String) throws -> [String] {
        let identity = try FileStatus.of(home.path.appending(name)).identity
        return [
            "\(identity.device)", "\(identity.inode)", "\(identity.bytes)", "\(identity.modifiedNs)",
            "\(identity.changedNs)",
        ]
    }

    private func tabs(_ name: String) throws -> String { try numbers(name).joined(separator: "\t") }

    private func files(_ folder: String) throws -> [String: String] {
        let root = home.path.appending(folder)
        return Dictionary(
            uniqueKeysWithValues: try TestLibrary.snapshot(root).map {
                (String($0.displayText.dropFirst(root.bytes.count + 1)), String(decoding: $1.bytes, as: UTF8.self))
            })
    }

    /// Two photos of three files that left `album` and the first two places of a selection.
    private func deletedPhotos() throws -> [String] {
        try FileSystem.createFolders(home.path.appending("album"))
        let trash = ".local/share/Trash"
        for (name, content) in [("a b.jpg", "sea"), ("c.jpg", "dog"), ("c.xmp", "<x/>")] {
            try home.write("\(trash)/files/\(name)", content)
        }
        return try ["a b.jpg", "c.jpg", "c.xmp"].map { try tabs("\(trash)/files/\($0)") }
    }

    /// The `.trashinfo` of a file in the trash.
    private func note(
        _ name: String, _ number: Int, _ unit: Int, _ operation: String, _ gone: String,
        hasState: Bool = true
    ) throws {
        try home.write(
            ".local/share/Trash/info/\(name.replacing("%20", with: " ")).trashinfo",
            """
            [Trash Info]
            Path=\(path)/album/\(name)
            DeletionDate=2026-12-01T10:14:29
            X-Phototidy-Run=\(Self.id)
            X-Phototidy-File=\(number) \(unit) \(operation) \(gone.replacing("\t", with: " "))

            """ + (hasState ? "X-Phototidy-State=\(path)/.local/state/phototidy\n" : ""))
    }

    private func expectBack() throws {
        #expect(try files("album") == ["a b.jpg": "sea", "c.jpg": "dog", "c.xmp": "<x/>"])
        #expect(try files(".local/share/Trash").isEmpty)
    }

    @Test func aJournalIsUndone() throws {
        let gone = try deletedPhotos()
        let trash = "\(path)/.local/share/Trash"
        let other = try home.write("e.jpg", "tree")
        for (number, name) in ["a%20b.jpg", "c.jpg", "c.xmp"].enumerated() {
            try note(name, number, min(number, 1), "move", gone[number])
        }
        try home.write(
            ".local/state/phototidy/journal/\(Self.id).journal",
            Self.lines([
                "start\t1796120069783601286\tdelete\t\(path)/album",
                "intent\t0\t0\tmove\t\(gone[0])\t\(path)/album/a%20b.jpg\t\(trash)\ta%20b.jpg",
                "intent\t1\t1\tmove\t\(gone[1])\t\(path)/album/c.jpg\t\(trash)\tc.jpg",
                "intent\t2\t1\tmove\t\(gone[2])\t\(path)/album/c.xmp\t\(trash)\tc.xmp",
                "outcome\t0\ttrashed\t\(gone[0])", "outcome\t1\ttrashed\t\(gone[1])", "outcome\t2\ttrashed\t\(gone[2])",
                "left\t0\tmy%20trip\t0\t\(path)/album/a%20b.jpg\t", "left\t1\tmy%20trip\t0\t\(path)/album/c.jpg\t",
            ]) + "end\tee9e41614f0c541e\n")
        try home.write(".local/state/phototidy/journal/order", "\(Self.id)\tfc81927707535941\n")
        try home.write(
            ".local/state/phototidy/selections/my%20trip.selection",
            Self.lines(["selection\tmy%20trip\t9\t1", "photo\t\(try tabs("e.jpg"))\t\(path)/e.jpg"], seed: "my trip"))
        let list = try run("undo", "--list").text
        #expect(list.contains("2026-12-01 10:14  \(Self.id)  delete       2"), "\(list)")
        #expect(list.contains("can be undone") && list.contains(" \(path)/album\n"), "\(list)")
        let result = try run("undo")
        #expect(result.exitCode == 0, "\(result.errorText)")
        try expectBack()
        let shown = try run("select", "show", "-s", "my trip", "--format", "paths")
        #expect(shown.lines == ["\(path)/album/a b.jpg", "\(path)/album/c.jpg", other.displayText])
        #expect(try run("undo").exitCode == 1)
    }

    /// The journal is lost; the last line came later than the others.
    @Test(arguments: [true, false]) func aTrashInfoIsUndone(hasState: Bool) throws {
        let gone = try deletedPhotos()
        for number in gone.indices {
            let name = ["a%20b.jpg", "c.jpg", "c.xmp"][number]
            try note(name, number, min(number, 1), "move", gone[number], hasState: hasState)
        }
        let result = try run("undo", Self.id, "--yes")
        #expect(result.exitCode == 0, "\(result.errorText)")
        try expectBack()
    }

    /// `compress --in-place`, whose first intent was written before the new file was.
    @Test func aReplacedPhotoComesBack() throws {
        try home.write("album/d.jpg", "small")
        try home.write(".local/share/Trash/files/d.jpg", "large and old")
        let (new, old) = (try tabs("album/d.jpg"), try tabs(".local/share/Trash/files/d.jpg"))
        try note("d.jpg", 0, 0, "replace", old)
        let places = "\(path)/album/d.jpg\t\(path)/album/.phototidy-\(Self.id)-0"
        try home.write(
            ".local/state/phototidy/journal/\(Self.id).journal",
            Self.lines([
                "start\t1796120082215291873\tcompress\t\(path)/album",
                "intent\t0\t0\treplace\t\(old)\t\(path)/album/d.jpg\t\t\t\(places)\t0\t0\t0\t0\t0",
                "intent\t0\t0\treplace\t\(old)\t\(path)/album/d.jpg\t\(path)/.local/share/Trash\td.jpg\t\(places)\t\(new)",
                "outcome\t0\ttrashed\t\(old)", "end",
            ]))
        let result = try run("undo")
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(try files("album") == ["d.jpg": "large and old"])
    }

    /// A file that a run was about to erase when it was killed has a private name.
    @Test func whatWasSetAsideHasItsNameAgain() throws {
        let aside = ".phototidy-aside-\(Self.id)-0"
        try home.write("album/\(aside)", "sea")
        try home.write(
            ".local/state/phototidy/journal/\(Self.id).journal",
            Self.lines([
                "start\t1796120082311463091\tdelete\t\(path)/album",
                "intent\t0\t0\terase\t\(try tabs("album/\(aside)"))\t\(path)/album/a.jpg\t\t",
                "aside\t0\t\(path)/album/\(aside)",
            ]))
        let result = try run("undo")
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(try files("album") == ["a.jpg": "sea"])
    }

    @Test func aSelectionIsShown() throws {
        try home.write("a b.jpg", "sea")
        try home.write(
            ".local/state/phototidy/selections/my%20trip.selection",
            Self.lines(
                ["selection\tmy%20trip\t2\t1", "photo\t\(try tabs("a b.jpg"))\t\(path)/a%20b.jpg"], seed: "my trip"))
        // Of the same program, and empty: no line of it differs from machine to machine.
        try home.write(".local/state/phototidy/selections/old.selection", "selection\told\t0\t0\ta87dc6aab2bf05ab\n")
        #expect(try run("select", "names").lines == ["my trip"])
        let shown = try run("select", "show", "-s", "my trip", "--fields", "path,problems", "--csv")
        #expect(shown.text == "path,problems\r\n\(path)/a b.jpg,[]\r\n", "\(shown.text) \(shown.errorText)")
        for name in ["b.jpg", "c.jpg"] { try home.write(name, name) }
        let added = try run("select", "add", "-s", "my trip", "b.jpg", "c.jpg")
        #expect(added.exitCode != 0, "a limit that was kept")
    }

    @Test func aPlanIsRun() throws {
        for (name, content) in [("a b.jpg", "sea"), ("c.jpg", "dog"), ("c.xmp", "<x/>"), ("k.jpg", "kept")] {
            try home.write("album/\(name)", content)
        }
        let hashes = [
            "a b.jpg": "SmnxnIwmSFDQ8Pyh182KwNB3ccuar1kjwsYho+D3RHU=",
            "c.jpg": "zWNX792WbejAyy+HbMiex0zjXwlo4RdDmHCEvUL7iUQ=",
            "c.xmp": "KjH0TaS9fey70939GjeuBNAuxmXiwmiIFszGVjFYbtE=",
        ]
        func file(_ name: String) throws -> String {
            let numbers = try numbers("album/\(name)")
            let hash = hashes[name].map { #","sha256":"\#($0)""# } ?? ""
            return #"{"path":"\#(path)/album/\#(name)","named":"album/\#(name)","identity":{"device":\#(numbers[0]),"#
                + #""inode":\#(numbers[1]),"bytes":\#(numbers[2]),"modifiedNs":\#(numbers[3]),"changedNs":\#(numbers[4])}\#(hash)}"#
        }
        let lines = [
            #"{"schema":"phototidy.plan/1","id":"\#(Self.id)","time":"2026-12-01T10:14:29Z","root":"\#(path)/album","#
                + #""mode":"trash","verify":"hash","batchSize":20,"photos":2,"files":3,"bytes":10,"copyToHomeTrash":false,"#
                + #""protected":[{"path":"\#(path)/album/k.jpg"}]"#,
            #"{"path":"album/a b.jpg","status":"ready","reason":null,"bytes":3,"taken":"2024-05-01T12:00:00","#
                + #""takenSource":"exif.DateTimeOriginal","files":[\#(try file("a b.jpg"))]"#,
            #"{"path":"album/c.jpg","status":"ready","reason":null,"bytes":7,"taken":null,"takenSource":null,"#
                + #""files":[\#(try file("c.jpg")),\#(try file("c.xmp"))]"#,
            #"{"path":"album/k.jpg","status":"protected","reason":"below a protected path","bytes":4,"taken":null,"#
                + #""takenSource":null,"files":[\#(try file("k.jpg"))]"#,
        ]
        let text = lines.map { #"\#($0),"check":"\#(Self.check($0, seed: Self.id))"}"# + "\n" }.joined()
        let plan = try home.write("old.plan", text)
        let result = try run("delete", "--plan", plan.displayText, "--yes")
        // The protected one stays.
        #expect(result.exitCode == 3, "\(result.errorText)")
        #expect(try files("album") == ["k.jpg": "kept"])
        #expect(try files(".local/share/Trash/files") == ["a b.jpg": "sea", "c.jpg": "dog", "c.xmp": "<x/>"])
        #expect(try run("undo", Self.id).exitCode == 0)
        #expect(try files("album").count == 4)
    }
}
