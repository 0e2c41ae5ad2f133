import Support
import Testing
import TidyKit

@Suite struct ExplainTests {
    private let program: BuiltProgram
    private let library: TemporaryFolder

    init() throws {
        program = try BuiltProgram()
        library = try TemporaryFolder()
        var exif = ExifFixture()
        exif.taken("2024:05:01 12:00:00")
        let photo = JPEGFixture(width: 64, height: 48).with(exif).bytes
        for name in ["a.jpg", ".hidden.jpg", "@eaDir/t.jpg", ".secret/b.jpg"] { try library.write(name, photo) }
        try library.write("a.AAE", "<plist/>")
        try library.write("note.jpg", "no picture")
        try FileSystem.createFolder(library.path.appending("folder"))
    }

    private func explain(_ arguments: String...) throws -> BuiltProgram.Result {
        try program.run(arguments.map { FilePath($0) }, in: library.path)
    }

    @Test func everyPredicateHasItsAnswer() throws {
        let result = try explain(
            "filter", "--explain", "a.jpg", "--type", "jpeg", "--taken", "2023", "--rating", "4..", "--duplicate")
        #expect(result.exitCode == 1)
        #expect(
            result.text == """
                a.jpg: kept out
                  with a.AAE
                  yes      --type jpeg
                  no       --taken 2023
                  unknown  --rating 4..
                  no       --duplicate

                """)
        let inside = try explain("filter", "--explain", "./a.jpg", "--taken", "2024-05")
        #expect(inside.exitCode == 0)
        #expect(inside.text == "./a.jpg: in\n  with a.AAE\n  yes      --taken 2024-05\n")
    }

    @Test func aSetSaysWhyItIsKept() throws {
        for (index, bias) in ([0, -2, 2] as [Int32]).enumerated() {
            var exif = ExifFixture()
            exif.camera(make: "Acme", model: "One")
            exif.taken("2024:05:01 12:00:00", subseconds: "\(index)")
            exif.set(.exif, 0x9204, .signedRational([(bias, Int32(1))]))
            try library.write(
                "set/\(index).jpg", JPEGFixture(width: 64, height: 48, seed: UInt64(index)).with(exif).bytes)
        }
        let result = try explain("list", "set", "--burst", "--explain", "set/1.jpg")
        #expect(result.text == "set/1.jpg: kept out\n  no       --burst (all 3 stay: an exposure bracket)\n")
        #expect(try explain("filter", "set", "--burst").exitCode == 1)
    }

    @Test(arguments: [
        ("a.AAE", "a.AAE: no row of its own; it belongs to a.jpg (--no-units splits them)"),
        (".hidden.jpg", ".hidden.jpg: skipped as 'hidden' at "),
        (".secret/b.jpg", ".secret (--hidden lifts that)"), ("@eaDir/t.jpg", "skipped as 'NAS folder' at "),
        ("note.jpg", "note.jpg: skipped as 'no media' at note.jpg"), ("folder", "folder: a folder"),
        ("/etc/passwd", "/etc/passwd: not below the folders and files that are searched"),
    ])
    func whatIsNoPhotoHasItsReason(_ file: String, _ reason: String) throws {
        let result = try explain("list", "--explain", file)
        #expect(result.exitCode == 0)
        #expect(result.text.contains(reason))
    }

    @Test func hiddenFilesAreInWhereTheyAreAskedFor() throws {
        #expect(try explain("list", "--hidden", "--explain", ".secret/b.jpg").text == ".secret/b.jpg: in\n")
    }

    @Test func aMissingFileIsMissing() throws {
        let result = try explain("list", "--explain", "gone.jpg")
        #expect(result.exitCode == 5)
        #expect(result.errorText.contains("gone.jpg: no such file or folder"))
    }
}
