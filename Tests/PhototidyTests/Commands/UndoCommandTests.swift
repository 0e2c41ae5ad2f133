import Support
import Testing
import TidyKit

@Suite struct UndoCommandTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 32, height: 24).jpeg()
        for name in ["a.jpg", "b.jpg"] { try program.home.write("album/\(name)", picture) }
        try program.home.write("album/a.AAE", "<plist/>")
    }

    /// Who renames wants to know to what.
    @Test func aNewNameIsTold() throws {
        #expect(try run("delete", "album/a.jpg", "album/b.jpg", "--yes").exitCode == 0)
        try program.home.write("album/a.jpg", "another")
        for step in [["undo", "--rename", "-n"], ["undo", "--rename"]] {
            let result = try program.run(step.map { FilePath($0) })
            #expect(result.exitCode == 0)
            let album = program.home.path.appending("album").displayText
            #expect(result.errorText.contains("\(album)/a.jpg: "), "\(result.errorText)")
            #expect(result.errorText.contains("\(album)/a (2).jpg, \(album)/a (2).AAE"), "\(result.errorText)")
            #expect(!result.errorText.contains("b.jpg"))
        }
    }

    /// `--to` changes every name, and the user named the folder.
    @Test func anotherFolderIsNotToldPhotoByPhoto() throws {
        #expect(try run("delete", "album/a.jpg", "album/b.jpg", "--yes").exitCode == 0)
        let result = try run("undo", "--to", "elsewhere")
        #expect(result.exitCode == 0)
        #expect(!result.errorText.contains("b.jpg"))
    }

    /// Names the run that left the trash, and the next one, which stays deleted.
    @Test func aRunThatHasLeftTheTrashIsNamed() throws {
        #expect(try run("delete", "album/a.jpg", "--yes").exitCode == 0)
        #expect(try run("delete", "album/b.jpg", "--yes").exitCode == 0)
        for part in ["files/b.jpg", "info/b.jpg.trashinfo"] {
            try FileSystem.remove(program.home.path.appending(".local/share/Trash/" + part))
        }
        let list = try run("undo", "--list")
        #expect(list.text.contains("gone") && !list.text.contains("UTC"), "\(list.text)")
        let older = try #require(
            list.lines.first { $0.contains("can be undone") }?.split(separator: " ").dropFirst(2).first)
        let gone = try run("undo")
        #expect(gone.exitCode == 1 && gone.errorText.contains("b.jpg"), "\(gone.errorText)")
        #expect(gone.errorText.contains("phototidy undo \(older)"), "\(gone.errorText)")
        #expect(!program.home.path.appending("album/a.jpg").exists)
        #expect(try run("undo", String(older)).exitCode == 0)
    }

    /// A photo that was changed in the trash stays there permanently; the message says what to do, and names the next
    /// run.
    @Test func aFileChangedInTheTrashLeadsOn() throws {
        let other = home.path.appending("other.jpg")
        try FileSystem.link(home.path.appending("album/b.jpg"), as: other)
        #expect(try run("delete", "album/a.jpg", "--yes").exitCode == 0)
        #expect(try run("delete", "album/b.jpg", "--yes").exitCode == 0)
        try FileDescriptor.open(other, [.write, .append]).write([1])
        for words in [["undo", "-n"], ["undo"], ["undo"]] {
            let stuck = try program.run(words.map { FilePath($0) })
            #expect(stuck.exitCode == 3, "\(stuck.errorText)")
            let place = home.path.appending(".local/share/Trash/files/b.jpg").displayText
            #expect(stuck.errorText.contains("move it back yourself, from \(place)"), "\(stuck.errorText)")
            #expect(stuck.errorText.contains("'phototidy undo --list'"), "\(stuck.errorText)")
        }
        let stuck = try run("undo")
        let id = try #require(stuck.errorText.firstRange(of: "not undone: 'phototidy undo ")).upperBound
        #expect(try run("undo", String(stuck.errorText[id...].prefix { $0 != "'" })).exitCode == 0)
        #expect(home.path.appending("album/a.jpg").exists)
    }

    /// A run that is recorded only on a disk needs confirmation: 4 if nobody can be asked.
    @Test func aRunWithoutAJournalAsks() throws {
        #expect(try run("delete", "album/a.jpg", "--yes").exitCode == 0)
        let journal = program.home.path.appending(".local/state/phototidy/journal")
        for name in TemporaryFolder.names(in: journal) { try FileSystem.remove(journal.appending(name)) }
        let bare = try run("undo")
        #expect(bare.exitCode == 1)
        let id = try #require(
            try run("undo", "--list").lines.last?.split(separator: " ").dropFirst(2).first.map(String.init))
        #expect(bare.errorText.contains(id))
        #expect(try run("undo", id).exitCode == 4)
        let path = program.home.path.appending("album/a.jpg")
        let no = try program.runAtTerminal(["undo", id], question: "[y/N]", answer: "n\n")
        #expect(no.exitCode == 1 && no.screen.contains(path.displayText), "\(no.screen)")
        #expect(!path.exists)
        #expect(try run("undo", id, "--yes").exitCode == 0)
        #expect(path.exists)
    }

    /// An operand that is none of the run's photos is an error that says so, and nothing is changed.
    @Test func aPathThatIsNoneOfTheRuns() throws {
        #expect(try run("delete", "album/a.jpg", "album/b.jpg", "--yes").exitCode == 0)
        let id = try #require(
            try run("undo", "--list").lines.last?.split(separator: " ").dropFirst(2).first.map(String.init))
        let result = try run("undo", id, "album/b.jpg", "album/none.jpg")
        #expect(result.exitCode == 5 && result.errorText.contains("album/none.jpg"), "\(result.errorText)")
        #expect(!program.home.path.appending("album/b.jpg").exists)
        #expect(try run("undo", id, "album/b.jpg").exitCode == 0)
        #expect(program.home.path.appending("album/b.jpg").exists)
        #expect(!program.home.path.appending("album/a.jpg").exists)
    }

    /// No line that a disk wrote drives the terminal.
    @Test func escapesOfATrashInfoStayText() throws {
        #expect(try run("delete", "album/b.jpg", "--yes").exitCode == 0)
        let journal = program.home.path.appending(".local/state/phototidy/journal")
        for name in TemporaryFolder.names(in: journal) { try FileSystem.remove(journal.appending(name)) }
        let info = program.home.path.appending(".local/share/Trash/info/b.jpg.trashinfo")
        let text = String(decoding: try FileSystem.contents(of: info), as: UTF8.self)
        try FileDescriptor.open(info, [.write, .truncate]).write(
            Array(text.replacing("album", with: "al%1B%5B31mbum%0A").utf8))
        let list = try run("undo", "--list")
        #expect(list.text.contains("\\x1B") && !list.text.contains("\u{1B}"), "\(list.text)")
        let id = try #require(list.lines.last?.split(separator: " ").dropFirst(2).first.map(String.init))
        for words in [[id], [id, "-n"], [id, "--yes"]] {
            let result = try program.run((["undo"] + words).map { FilePath($0) })
            #expect(!result.errorText.contains("\u{1B}") && !result.text.contains("\u{1B}"))
        }
    }

    /// The clock of the user, and an order that no clock changes.
    @Test func timesAreLocal() throws {
        #expect(try run("delete", "album/b.jpg", "--yes").exitCode == 0)
        func hour(_ zone: String) throws -> Int {
            let list = try program.run("undo", "--list", environment: ["TZ": zone])
            let word = list.lines.last?.split(separator: " ").dropFirst().first?.prefix(2)
            return try #require(word.flatMap { Int($0) })
        }
        #expect(try (hour("UTC") + 9) % 24 == hour("JST-9"))
    }

    /// A hostile trash: a path of 30,000 names, as many as a `.trashinfo` may hold, costs no call for each of them, and one of
    /// 100,000 is not read at all. The 2,000th `openat` would fail with EIO (5).
    @Test(arguments: [30_000, 100_000]) func aPathOfManyThousandNamesCostsNoCallForEach(_ count: Int) throws {
        let trash = home.path.appending(".local/share/Trash")
        let file = try home.write(".local/share/Trash/files/x.jpg", "x")
        let identity = try FileStatus.of(file).identity
        let path = home.path.displayText + String(repeating: "/a", count: count) + "/x.jpg"
        let run = "20260101-000000-000aa"
        try FileSystem.createFolders(trash.appending("info"))
        try home.write(
            ".local/share/Trash/info/x.jpg.trashinfo",
            "[Trash Info]\nPath=\(path)\nDeletionDate=2026-01-01T00:00:00\nX-Phototidy-Run=\(run)\n"
                + "X-Phototidy-File=0 0 move \(identity.device) \(identity.inode) \(identity.bytes) "
                + "\(identity.modifiedNs) \(identity.changedNs)\n")
        for arguments in [["undo", "--list"], ["undo", run, "-n"]] {
            let result = try program.run(
                arguments.map { FilePath($0) }, environment: ["PHOTOTIDY_FAULT": "openat:2000:5"])
            let isKnown = count < 100_000
            let expected: Int32 = isKnown || arguments.contains("--list") ? 0 : 5
            #expect(result.exitCode == expected, "\(arguments): \(result.errorText.prefix(300))")
            #expect(result.text.contains("/a/a/a") == isKnown, "\(arguments)")
        }
        #expect(file.exists)
    }
}
