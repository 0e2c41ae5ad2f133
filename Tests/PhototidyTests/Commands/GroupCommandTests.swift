import Support
import Testing
import TidyKit

/// Groups as people see them: tables, plans, questions and explanations.
@Suite struct GroupCommandTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 640, height: 480, grain: 24)
        var exif = ExifFixture()
        exif.camera(make: "Acme", model: "One")
        exif.taken("2024:05:01 10:00:00")
        let own = JPEGFixture(picture: picture.jpeg(quality: 80)).with(exif).bytes
        try home.write("album/own.jpg", own)
        try home.write("album/WhatsApp/resaved.jpg", picture.jpeg(quality: 97))
        try home.write("card/own.jpg", own)
        try home.write("card/new.jpg", DrawnPicture(width: 640, height: 480, seed: 5, grain: 24).jpeg())
    }

    /// Photos within a second.
    private func burst(_ names: String...) throws {
        for (index, name) in names.enumerated() {
            var exif = ExifFixture()
            exif.camera(make: "Acme", model: "One")
            exif.taken("2024:05:01 10:00:00", subseconds: "\(index)")
            try home.write("burst/\(name).jpg", JPEGFixture(width: 64, height: 48).with(exif).bytes)
        }
    }

    @Test func aPlanNamesWhatStaysAndWhy() throws {
        let result = try run("delete", "album", "--similar", "-n")
        #expect(result.exitCode == 0)
        let words = "--similar; the photo that stays: album/own.jpg (from the camera (EXIF))"
        #expect(result.text.contains("album/WhatsApp/resaved.jpg\t\(words)"))
    }

    @Test func explainNamesTheGroup() throws {
        let goes = try run("list", "album", "--similar", "--explain", "album/WhatsApp/resaved.jpg").text
        #expect(goes.contains("yes      --similar (the photo that stays: album/own.jpg, "))
        #expect(goes.contains(" of 256 bits apart; from the camera (EXIF))"))
        let stays = try run("list", "album", "--similar", "--explain", "album/own.jpg").text
        #expect(stays.contains("no       --similar (this is the photo that stays; from the camera (EXIF))"))
        let safe = try run(
            "list", "album", "--duplicate", "--against", "card", "--keep", "newest", "--explain", "card/own.jpg")
        #expect(safe.text.contains("(this is the copy that stays; in a protected place)"))
    }

    /// A typing mistake in a glob would decide otherwise what goes.
    @Test func aPreferredPlaceWithoutPhotosIsAWarning() throws {
        try FileSystem.createFolder(home.path.appending("empty"))
        let places = ["--prefer", "*/Whatsup/*", "--prefer", "album", "--prefer", "*/own.jpg", "--prefer", "empty"]
        let warnings = ["*/Whatsup/*", "empty"].map {
            "phototidy: warning: --prefer \($0) matches no photo, so it has no effect"
        }
        for words in [
            ["list", "album", "--similar"], ["delete", "album", "--similar", "-n"],
            ["list", "album", "--duplicate", "--group-by", "year"],
        ] {
            let lines = try run(words + places).errorText.split(separator: "\n").map(String.init)
            #expect(lines.filter { $0.contains("--prefer") } == warnings)
        }
    }

    /// What stays depends on the other filters, so an explanation must look at them too.
    @Test func explainObeysTheOtherFilters() throws {
        let arguments = ["--similar", "--path", "*/own.jpg", "--explain"]
        let own = try run(["filter", "album"] + arguments + ["album/own.jpg"])
        #expect(own.exitCode == 0)
        #expect(own.text.contains("album/WhatsApp/resaved.jpg"))
        let other = try run(["filter", "album"] + arguments + ["album/WhatsApp/resaved.jpg"])
        #expect(other.exitCode == 1)
        #expect(other.text.contains("this is the photo that stays; not matched by the other filters"))
    }

    private func run(_ words: [String]) throws -> BuiltProgram.Result {
        try program.run(words.map { FilePath($0) })
    }

    @Test func explainSaysWhyAPanoramaStays() throws {
        try burst("STA_0001", "STB_0002", "STC_0003")
        #expect(try run("filter", "burst", "--burst").exitCode == 1)
        let text = try run("list", "burst", "--burst", "--explain", "burst/STB_0002.jpg").text
        #expect(text.contains("no       --burst (all 3 stay: parts of a panorama)"))
    }

    @Test func aRatedOrSelectedPhotoThatWouldGoIsNamed() throws {
        #expect(try run("select", "add", "-s", "trip", "album/WhatsApp/resaved.jpg").exitCode == 0)
        #expect(try run("filter", "album", "--similar").lines == ["album/own.jpg"], "what is selected stays")
        let forced = try run("delete", "album", "--similar", "--path", "*/WhatsApp/*", "-n")
        #expect(forced.text.contains("(not matched by the other filters); this one is in a selection"))
        #expect(forced.errorText.contains("Among them is 1 photo that is rated or in a selection."))
    }

    /// The disk and the selections say so, not the list, which may be older.
    @Test func aRatedOrSelectedPhotoOfAListIsNamedToo() throws {
        let words = ["filter", "album", "--similar", "--path", "*/WhatsApp/*", "--ndjson"]
        let records = try run(words).output
        #expect(try run("select", "add", "-s", "trip", "album/WhatsApp/resaved.jpg").exitCode == 0)
        func delete(_ words: String...) throws -> BuiltProgram.Result {
            try program.run((["delete"] + words).map { FilePath($0) }, input: records)
        }
        let plan = try delete("--from", "-", "-n", "--save-plan", "p.plan")
        #expect(plan.text.contains("the photo that stays: album/own.jpg; this one is in a selection"))
        #expect(plan.errorText.contains("Among them is 1 photo that is rated or in a selection."))
        let saved = try delete("--plan", "p.plan", "-n")
        #expect(saved.errorText.contains("Among them is 1 photo that is rated or in a selection."))
        #expect(try run("select", "clear", "-s", "trip").exitCode == 0)
        let rating =
            #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
            + #"<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>"#
        try home.write("album/WhatsApp/resaved.xmp", rating)
        #expect(try delete("--from", "-", "-n").text.contains("; this one is rated 4"))
    }

    @Test func aDeletionSaysWhatWasNotCompared() throws {
        try home.write("album/x.jxl", [0, 0, 0, 12] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A])
        let note = "1 file was not compared: JPEG XL and JPEG 2000 are not read (1)."
        #expect(try run("list", "album", "--similar").errorText.contains(note))
        #expect(try run("delete", "album", "--similar", "-n").errorText.contains(note))
        #expect(try run("delete", "album", "--similar", "--yes").errorText.contains(note))
    }

    @Test(.enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"))
    func theQuestionNamesWhatStaysAndWhatIsDear() throws {
        #expect(try run("select", "add", "-s", "trip", "album/WhatsApp/resaved.jpg").exitCode == 0)
        let words = ["delete", "album", "--similar", "--path", "*/WhatsApp/*"]
        let end = try program.runAtTerminal(words, question: "[y/N]", answer: "n")
        #expect(end.exitCode == 1)
        #expect(end.screen.contains("the photo that stays: album/own.jpg"))
        #expect(end.screen.contains("1 of these photos is rated or in a selection:"))
        #expect(end.screen.contains("  album/WhatsApp/resaved.jpg: in a selection"))
    }

    @Test(.enabled(if: PseudoTerminal.isAvailable, "\(PseudoTerminal.obstacle ?? "")"))
    func aTerminalShowsEachGroupWithWhatStaysFirst() throws {
        let screen = try program.runAtTerminal(["list", "album", "--similar", "--groups"], columns: 140).screen
        let lines = screen.split(separator: "\r\n").map(String.init)
        #expect(lines.contains { $0.contains("STAYS BECAUSE") })
        let first = lines.firstIndex { $0.contains("album/own.jpg") && $0.contains("from the camera (EXIF)") }
        let second = lines.firstIndex { $0.hasPrefix("  album/WhatsApp/resaved.jpg") && $0.contains("(+") }
        #expect(first != nil && second == first.map { $0 + 1 })
        #expect(screen.contains("1 group; 1 photo could go ("))
        let narrow = try program.runAtTerminal(["list", "album", "--similar", "--groups"], columns: 40).screen
        #expect(narrow.split(separator: "\r\n").contains { $0.hasPrefix("  …") && $0.contains("resaved.jpg") })
        #expect(narrow.contains("    stays: from the camera (EXIF)"))
    }

    @Test func aContactSheetOfGroupsMarksWhatStays() throws {
        let page = try run("list", "album", "--similar", "--groups", "--html", "-").text
        #expect(page.contains("<h2>1. own.jpg stays: from the camera (EXIF)</h2>"))
        #expect(page.contains("<figure class=\"stays\"><a href=\"album/own.jpg\">"))
        #expect(page.contains("<figure><a href=\"album/WhatsApp/resaved.jpg\">"))
        #expect(page.contains("<small>could go, "))
        #expect(try !run("list", "album", "--html", "-").text.contains("<h2>"))
    }

    @Test func spreadsheetsGetTheGroup() throws {
        let csv = try run("list", "album", "--similar", "--groups", "--csv").text.split(separator: "\r\n")
        #expect(csv.first?.hasSuffix(",group") == true && csv.last?.contains("redundant") == true)
        let fields = "path,group.id,group.role,group.keep,group.distance,group.reason"
        let lines = try run("list", "album", "--similar", "--groups", "--csv", "--fields", fields).text
        let rows = lines.split(separator: "\r\n").map(String.init)
        #expect(rows.first == fields)
        #expect(rows.contains("album/own.jpg,1,keep,album/own.jpg,0,from the camera (EXIF)"))
        #expect(rows.last?.hasPrefix("album/WhatsApp/resaved.jpg,1,redundant,album/own.jpg,") == true)
        #expect(try run("list", "album", "--fields", "path,group.id").lines.contains("album/own.jpg\t"))
    }

    /// Without an order, photos are passed on as they are found, but groups have their numbers all the same.
    @Test func groupsAreNumberedWithoutAnOrder() throws {
        let lines = try run("filter", "album", "--similar", "--sort", "none", "--fields", "group.id").lines
        #expect(lines == ["group.id", "1"])
    }

    @Test func pathsInAPipeComeWithAWarning() throws {
        let words = "do not say what stays"
        #expect(try run("filter", "album", "--similar").errorText.contains(words))
        #expect(try !run("filter", "album", "--similar", "--ndjson").errorText.contains(words))
        #expect(try !run("filter", "card", "--duplicate", "--unique", "--against", "album").errorText.contains(words))
    }

    @Test func aValueWithoutItsSignIsExplained() throws {
        for (option, value) in [("--similar", "5"), ("--burst", "2.5"), ("--duplicate", "pixels"), ("--blurry", "20")] {
            let result = try run("filter", option, value, "album")
            #expect(result.exitCode == 64)
            #expect(result.errorText.contains("there is no file '\(value)'; as a value, write \(option)=\(value)"))
        }
        try home.write("5/a.jpg", JPEGFixture().bytes)
        #expect(try run("filter", "--similar", "5").exitCode == 1)
    }

    // MARK: The recipes of the Cookbook

    @Test func copiesOfTheMessengerGo() throws {
        try home.write("album/WhatsApp/own.jpg", FileSystem.contents(of: home.path.appending("album/own.jpg")))
        let result = try run("delete", "album", "--duplicate", "--path", "*/WhatsApp/*", "-n", "--json")
        #expect(result.text.contains(#""photos":1"#) && result.text.contains(#""path":"album/WhatsApp/own.jpg""#))
    }

    @Test func whatIsOnACardAndNotInTheLibraryIsFound() throws {
        let result = try run("filter", "card", "--duplicate", "--unique", "--against", "album")
        #expect(result.lines == ["card/new.jpg"])
    }

    /// Both go to the library: a list without them would lose them with the card.
    @Test(arguments: ["--duplicate", "--duplicate=pixels", "--similar"])
    func copiesOfOnePhotoOnACardAreBothNotInTheLibrary(_ kind: String) throws {
        let new = try FileSystem.contents(of: home.path.appending("card/new.jpg"))
        try home.write("card/again.jpg", new)
        let lines = try run("filter", "card", kind, "--unique", "--against", "album").lines
        #expect(lines == ["card/again.jpg", "card/new.jpg"])
        #expect(try run("filter", "card", kind, "--unique").lines == ["card/own.jpg"])
    }

    @Test(arguments: ["list", "filter"])
    func pathsOfWholeGroupsAreWarnedOf(_ command: String) throws {
        let words = "include the photos that stay"
        #expect(try run(command, ".", "--duplicate", "--groups", "--format", "paths").errorText.contains(words))
        #expect(try run(command, ".", "--duplicate", "--groups", "-0").errorText.contains(words))
        #expect(try !run(command, ".", "--duplicate", "--groups", "--ndjson").errorText.contains(words))
        #expect(try !run(command, ".", "--duplicate", "--format", "paths").errorText.contains(words))
    }

    /// A second name is in no group, and is no photo of its own.
    @Test(arguments: ["--duplicate", "--duplicate=pixels", "--similar"])
    func aSecondNameOfAFileHasThePartnersOfTheFirst(_ kind: String) throws {
        let new = home.path.appending("card/new.jpg")
        try FileSystem.link(home.path.appending("album/own.jpg"), as: home.path.appending("card/linked.jpg"))
        #expect(try run("filter", "card", kind, "--unique", "--against", "album").lines == ["card/new.jpg"])
        try FileSystem.link(home.path.appending("card/own.jpg"), as: home.path.appending("card/own 2.jpg"))
        #expect(try run("filter", "card", kind, "--unique", "--against", "album").lines == ["card/new.jpg"])
        // What the library holds under another name is there.
        try FileSystem.link(new, as: home.path.appending("album/named.jpg"))
        #expect(try run("filter", "card", kind, "--unique", "--against", "album").lines.isEmpty)
    }

    /// In sums too, and once, however many filters look at it.
    @Test(arguments: [[], ["--blurry"], ["--group-by", "type"]])
    func aFileThatIsNotComparedCountsOnce(_ words: [String]) throws {
        try home.write("album/broken.jpg", [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 1, count: 100))
        let result = try program.run((["list", "album", "--similar"] + words).map { FilePath($0) })
        #expect(result.errorText.contains("1 file was not compared: "), "\(result.errorText)")
        #expect(result.errorText.contains("(1)"))
    }

    @Test func theBestOfEachBurstStays() throws {
        try burst("IMG_0001", "IMG_0002", "IMG_0003")
        let result = try run("delete", "burst", "--burst", "--keep", "sharpest,best", "-n")
        #expect(result.exitCode == 0)
        #expect(result.lines.count == 2)
    }
}
