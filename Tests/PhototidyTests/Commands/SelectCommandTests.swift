import Support
import Testing
import TidyKit

@Suite struct SelectCommandTests {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 32, height: 24).jpeg()
        for name in ["album/a.jpg", "album/b.jpg", "album/sub/c.jpg", "d.jpg"] { try program.home.write(name, picture) }
        for (seconds, name) in ["album/a.jpg", "album/b.jpg", "album/sub/c.jpg"].enumerated() {
            try FileSystem.setModified(
                program.home.path.appending(name), ns: 1_500_000_000_000_000_000 + Int64(seconds) * 1_000_000_000)
        }
        try program.home.write("album/notes.txt", "no photo")
    }

    func select(_ arguments: String..., input: String = "") throws -> BuiltProgram.Result {
        try program.run((["select"] + arguments).map { FilePath($0) }, input: Array(input.utf8))
    }

    func members() throws -> [String] {
        let home = program.home.path.displayText + "/"
        return try select("show").lines.map { String($0.dropFirst(home.count)) }
    }

    /// What a command that failed leaves in a pipe.
    @Test(arguments: ["set", "add", "toggle", "remove"], ["", "\n", "[]"])
    func anEmptyListChangesNothing(verb: String, list: String) throws {
        #expect(try select("add", "album/a.jpg", "d.jpg").exitCode == 0)
        let result = try select(verb, "--from", "-", input: list)
        #expect(result.exitCode == 1)
        #expect(try members() == ["album/a.jpg", "d.jpg"])
        if verb == "set" { #expect(result.errorText.contains("phototidy select clear")) }
    }

    @Test func aFolderStandsForThePhotosInIt() throws {
        #expect(try select("add", "d.jpg", "album").exitCode == 0)
        #expect(try members() == ["d.jpg", "album/sub/c.jpg", "album/b.jpg", "album/a.jpg"])
        #expect(try select("toggle", "album/sub").exitCode == 0)
        #expect(try members() == ["d.jpg", "album/b.jpg", "album/a.jpg"])
        #expect(try select("set", "album/").exitCode == 0)
        #expect(try members() == ["album/sub/c.jpg", "album/b.jpg", "album/a.jpg"])
    }

    @Test func overTheLimitNothingChanges() throws {
        #expect(try select("set", "--limit", "2", "d.jpg", "album/b.jpg").exitCode == 0)
        for words in [["set", "album"], ["toggle", "album/a.jpg"], ["add", "album/a.jpg"]] {
            let result = try program.run((["select"] + words).map { FilePath($0) })
            #expect(result.exitCode != 0 && result.errorText.contains("2"), "\(words): \(result.errorText)")
            #expect(try members() == ["d.jpg", "album/b.jpg"])
        }
        // What leaves makes room; the limit stays.
        #expect(try select("toggle", "d.jpg", "album/a.jpg").exitCode == 0)
        #expect(try select("set", "album/a.jpg", "d.jpg").exitCode == 0)
        #expect(try members() == ["album/a.jpg", "d.jpg"])
    }

    @Test func aFolderTakesOutWhatIsGoneToo() throws {
        _ = try select("add", "album", "d.jpg")
        try FileSystem.remove(program.home.path.appending("album/a.jpg"))
        #expect(try select("remove", "album").exitCode == 0)
        #expect(try members() == ["d.jpg"])
    }

    @Test(arguments: [["remove", "d.jpg"], ["toggle", "d.jpg"], ["clear"]])
    func anEmptiedSelectionIsEmptyAndNotUnknown(_ words: [String]) throws {
        _ = try select("add", "d.jpg")
        #expect(try program.run((["select"] + words).map { FilePath($0) }).exitCode == 0)
        let shown = try select("show")
        #expect(shown.exitCode == 1)
        #expect(shown.text.isEmpty)
        #expect(shown.errorText.contains("'default' is empty (0 photos)"), "\(shown.errorText)")
        #expect(try select("show", "--json").text == "[]\n")
        #expect(try select("show", "--count").text == "0\n")
        #expect(try select("names").lines.isEmpty)
        // Another name is none.
        #expect(try select("show", "-s", "dfault").errorText.contains("no such selection"))
        #expect(try select("show", "-s", "dfault", "--json").text == "[]\n")
        // A name that was mistyped empties no contact sheet.
        let sheet = program.home.path.appending("sheet.html")
        _ = try program.run("list", "album", "--html", "sheet.html")
        let before = try FileSystem.contents(of: sheet)
        #expect(try select("show", "-s", "dfault", "--html", "sheet.html").exitCode == 1)
        #expect(try FileSystem.contents(of: sheet) == before)
    }

    @Test func aFolderWithoutPhotosAddsNothing() throws {
        try FileSystem.createFolders(program.home.path.appending("empty"))
        #expect(try select("add", "empty").exitCode == 1)
    }

    @Test func whatIsNoPhotoIsRefused() throws {
        let result = try select("add", "d.jpg", "album/notes.txt")
        #expect(result.exitCode != 0)
        #expect(result.errorText.contains("album/notes.txt is not a photo or video; nothing was added"))
        #expect(try select("show").lines.isEmpty)
    }
}
