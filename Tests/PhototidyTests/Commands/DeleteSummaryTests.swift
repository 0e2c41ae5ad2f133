import Support
import Testing
import TidyKit

/// What the closing line says must be what this run did.
@Suite struct DeleteSummaryTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 32, height: 24).jpeg()
        for name in ["a.jpg", "b.jpg"] { try program.home.write("album/\(name)", picture) }
    }

    @Test func aFinishedPlanThatRunsAgainMovesNothingAndSaysSo() throws {
        _ = try run("delete", "album/a.jpg", "album/b.jpg", "-n", "--save-plan", "plan")
        let first = try run("delete", "--plan", "plan", "--yes")
        #expect(first.exitCode == 0)
        #expect(first.errorText.contains("Moved 2 photos"))
        let second = try run("delete", "--plan", "plan", "--yes")
        #expect(second.exitCode == 0)
        #expect(second.errorText.contains("Moved 0 photos (0 files, 0 B)"))
        #expect(second.errorText.contains("2 photos of the plan were moved by an earlier run"))
    }

    /// A file frees its bytes with its last name, and once: the dry run and the run say so. In `--json` the total is the sum
    /// over the items.
    @Test func hardLinksFreeTheirBytesOnce() throws {
        let one = home.path.appending("album/a.jpg")
        for name in ["c.jpg", "d.jpg"] { try FileSystem.link(one, as: home.path.appending("album/\(name)")) }
        let bytes = try FileStatus.of(one).identity.bytes
        let text = ByteSize.describe(bytes)
        func erase(_ names: [String], _ words: String) throws {
            let sum = bytes * Int64(names.count)
            let files = names.map { "album/\($0).jpg" }
            let dry = try program.run((["delete", "--permanent", "-n", "--json"] + files).map { FilePath($0) })
            #expect(dry.text.contains("\"files\":\(files.count),\"bytes\":\(sum),\"items\""), "\(dry.text)")
            #expect(words.isEmpty || dry.errorText.contains("; " + words), "\(dry.errorText)")
            let real = try program.run((["delete", "--permanent", "--yes", "--json"] + files).map { FilePath($0) })
            #expect(real.text.contains("\"files\":\(files.count),\"bytes\":\(sum),\"items\""), "\(real.text)")
            #expect(real.errorText.contains("; " + (words.isEmpty ? "\(text) freed." : words)), "\(real.errorText)")
        }
        try erase(["a"], "0 B freed, as hard links share their bytes")
        try erase(["c", "d"], "\(text) freed, as hard links share their bytes")
        try erase(["b"], "")
    }

    /// Photos that an earlier run of the plan did not move are checked again.
    @Test func theLastNameOfASavedPlanFrees() throws {
        let one = home.path.appending("album/a.jpg")
        try FileSystem.link(one, as: home.path.appending("album/c.jpg"))
        let text = ByteSize.describe(try FileStatus.of(one).identity.bytes)
        _ = try run("delete", "--permanent", "album/a.jpg", "album/c.jpg", "-n", "--save-plan", "plan")
        let result = try run("delete", "--plan", "plan", "--yes")
        #expect(result.errorText.contains("; \(text) freed, as hard links share their bytes"), "\(result.errorText)")
        try FileSystem.link(home.path.appending("album/b.jpg"), as: home.path.appending("album/c.jpg"))
        let trash = try run("delete", "album/b.jpg", "album/c.jpg", "--yes")
        #expect(trash.errorText.contains("; \(text) pending there, 0 B freed yet"), "\(trash.errorText)")
    }

    @Test func aSelectionThatIsNotThereIsNotCalledEmpty() throws {
        let result = try run("select", "show", "-s", "psot")
        #expect(result.exitCode == 1)
        #expect(result.text.isEmpty)
        #expect(result.errorText.contains("no such selection"))
    }

    @Test func noBatchesAreCountedOfNothing() throws {
        let result = try run("delete", "-n", "gone.jpg")
        #expect(result.errorText.contains("Would move 0 photos (0 files, 0 B) to the trash;"))
    }

    @Test func aPlanThatCannotBeSavedNamesTheFileOfTheUser() throws {
        let result = try run("delete", "-n", "album/a.jpg", "--save-plan", "nowhere/plan")
        #expect(result.exitCode == 5)
        #expect(result.errorText.contains("nowhere/plan") && !result.errorText.contains(".phototidy-"))
        let dash = try run("delete", "-n", "album/a.jpg", "--save-plan", "-")
        #expect(dash.exitCode == 64)
        #expect(dash.errorText.contains("--save-plan"))
    }

    @Test(arguments: ["album/a.jpg\r\nalbum/b.jpg\r\n", "\u{FEFF}album/a.jpg\n", "\u{FEFF}album/a.jpg\r\n"])
    func aListOfAnotherSystemIsToldAndNotRepaired(list: String) throws {
        let result = try program.run("delete", "--yes", "--from", "-", input: list)
        #expect(result.exitCode == 5)
        #expect(result.errorText.contains("a file without it exists"))
        #expect(program.home.path.appending("album/a.jpg").exists)
    }

    /// The layout of `jq` without `-c`; the line with a closing brace is not a name.
    @Test func recordsOverSeveralLinesAreRecords() throws {
        try program.home.write("}", DrawnPicture(width: 32, height: 24).jpeg())
        let pretty = try run("list", "--ndjson", "album").text.map { letter in
            switch letter {
            case "{", ",": "\(letter)\n  "
            case "}": "\n}"
            default: "\(letter)"
            }
        }
        .joined()
        #expect(pretty.contains("\n}\n{\n"))
        // Behind a cut nothing is done, not even with what is whole.
        for broken in [String(pretty.dropLast(8)), "{\n" + pretty, pretty + "album/a.jpg\n"] {
            let result = try program.run("delete", "--yes", "--from", "-", input: broken)
            #expect(result.exitCode == 64)
            #expect(result.errorText.contains("-0") && result.errorText.contains("nothing was done"))
        }
        for name in ["}", "album/a.jpg", "album/b.jpg"] { #expect(program.home.path.appending(name).exists) }
        #expect(try program.run("delete", "--yes", "--from", "-", input: pretty).exitCode == 0)
        #expect(program.home.path.appending("}").exists)
        for name in ["album/a.jpg", "album/b.jpg"] { #expect(!program.home.path.appending(name).exists) }
    }

    /// ENOSPC is 28.
    @Test(arguments: [["--in-place", "--yes"], ["-o", "out"]])
    func aFullDiskIsOneOfTheEnvironment(place: [String]) throws {
        let result = try program.run(
            (["compress", "--max-edge", "10", "--min-edge", "5", "album/a.jpg"] + place).map { FilePath($0) },
            environment: ["PHOTOTIDY_FAULT": "fsync:0:28"])
        #expect(result.exitCode == 5, "\(result.errorText)")
    }

    /// A file that is not a photo, by neither its name nor its content, stays; a damaged photo is deleted.
    @Test func whatIsNoPhotoIsDeniedOneByOne() throws {
        for name in ["notes.txt", "b.jpg.txt", "data.json"] { try program.home.write("album/\(name)", "no photo") }
        try program.home.write("album/hurt.jpg", "no photo any more")
        try program.home.write("album/lost.xmp", "<x/>")
        try program.home.write("album/named.dat", DrawnPicture(width: 32, height: 24).jpeg())
        let all = ["a.jpg", "notes.txt", "b.jpg.txt", "data.json", "hurt.jpg", "lost.xmp", "named.dat"]
        let words = ["delete"] + all.map { "album/" + $0 }
        let dry = try program.run((words + ["-n"]).map { FilePath($0) })
        #expect(dry.exitCode == 3)
        let result = try program.run((words + ["--yes"]).map { FilePath($0) })
        #expect(result.exitCode == 3)
        for name in ["notes.txt", "b.jpg.txt", "data.json"] {
            #expect(program.home.path.appending("album/\(name)").exists)
            for text in [dry.text, result.errorText] {
                #expect(text.contains("album/\(name)") && text.contains("not a photo or video"), "\(text)")
            }
        }
        for name in ["a.jpg", "hurt.jpg", "lost.xmp", "named.dat"] {
            #expect(!program.home.path.appending("album/\(name)").exists, "\(name) stayed")
        }
        #expect(result.errorText.contains("Moved 4 photos"))
    }

    /// The length of a link's text, or of a folder's list, is not the size of a photo.
    @Test func aLinkAndAFolderWeighNothing() throws {
        try program.home.path.appending("link.jpg").makeLink(to: FilePath("album/a.jpg"))
        let link = try run("delete", "-n", "--json", "link.jpg")
        #expect(link.text.contains("\"bytes\":0,\"batch\"") && link.text.contains("\"denied\""), "\(link.text)")
        #expect(try run("delete", "-n", "link.jpg").errorText.contains("0 B"))
        try program.home.write("list", "album\n")
        let folder = try run("delete", "-n", "--json", "--from", "list")
        #expect(folder.text.contains("\"bytes\":0,\"batch\"") && folder.text.contains("\"denied\""), "\(folder.text)")
    }
}
