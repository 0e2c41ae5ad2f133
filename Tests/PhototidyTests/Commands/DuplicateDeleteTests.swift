import Support
import Testing
import TidyKit

/// `delete --duplicate` between its plan and its run, as a user has it.
@Suite struct DuplicateDeleteTests: ProgramSuite {
    let program: BuiltProgram
    var kept: FilePath { home.path.appending("album/deep/odd/a.jpg") }
    var copy: FilePath { home.path.appending("album/a copy.jpg") }

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 320, height: 240, grain: 24).jpeg(quality: 95)
        for name in ["album/a copy.jpg", "album/deep/odd/a.jpg"] { try home.write(name, picture) }
    }

    private func save() throws {
        let saved = try run("delete", "album", "--duplicate", "--permanent", "-n", "--save-plan", "p.plan")
        #expect(saved.exitCode == 0)
    }

    /// What happened to the kept copy between the plan and the run, and what is said of it.
    @Test(arguments: ["gone", "changed"]) func theLastCopyStays(kept fate: String) throws {
        try save()
        if fate == "gone" {
            try FileSystem.remove(kept)
        } else {
            try home.write("album/deep/odd/a.jpg", DrawnPicture(width: 300, height: 200, grain: 24).jpeg(quality: 95))
        }
        let reason = "the copy that stays has \(fate): album/deep/odd/a.jpg"
        #expect(try run("delete", "--plan", "p.plan", "-n").text.contains(reason))
        let result = try run("delete", "--plan", "p.plan", "--yes")
        #expect(result.exitCode == 3)
        #expect((result.text + result.errorText).contains(reason))
        #expect(copy.exists)
    }

    @Test func whileItStaysThePlanRunsAndRunsAgain() throws {
        try save()
        for _ in 0..<2 {
            #expect(try run("delete", "--plan", "p.plan", "--yes").exitCode == 0)
            #expect(kept.exists && !copy.exists)
        }
    }

    private func delete(_ records: [UInt8]) throws -> BuiltProgram.Result {
        try program.run(["delete", "--from", "-", "--yes"].map { FilePath($0) }, input: records)
    }

    @Test func recordsOfAFilterNameTheCopyThatStays() throws {
        let records = try run("filter", "album", "--duplicate", "--format", "ndjson").output
        let aside = home.path.appending("aside.jpg")
        try FileSystem.link(kept, as: aside)
        try FileSystem.remove(kept)
        let result = try delete(records)
        #expect(result.exitCode == 3)
        #expect(result.errorText.contains("the copy that stays has gone: album/deep/odd/a.jpg"))
        #expect(copy.exists)
        try FileSystem.link(aside, as: kept)
        #expect(try delete(records).exitCode == 0)
        #expect(kept.exists && !copy.exists)
    }

    /// The video of a Live Photo whose other copy has gone since the list was made.
    @Test func aListDoesNotTakeTheLastVideo() throws {
        let video = QuickTimeFixture(unix: 1_700_000_000, seconds: 2).bytes
        let others = [try home.write("album/a copy.mov", video), try home.write("album/deep/odd/a.mov", video)]
        let records = try run("filter", "album", "--duplicate", "--ndjson").output
        try FileSystem.remove(others[1])
        let result = try delete(records)
        #expect(result.exitCode == 3)
        #expect(result.errorText.contains("the copy that stays has no a copy.mov"))
        #expect(copy.exists && others[0].exists)
    }

    /// Of records that say by what a copy was found, and of older ones, which do not.
    @Test(arguments: ["bytes", "pixels", ""]) func aListIsComparedByWhatItWasFoundBy(_ compared: String) throws {
        let picture = JPEGFixture(width: 64, height: 48, seed: 5)
        var (camera, none) = (ExifFixture(), ExifFixture())
        camera.camera(make: "Acme", model: "One")
        none.orientation(1)
        try home.write("b/a.jpg", picture.with(camera).bytes)
        try home.write("b/b.jpg", picture.with(compared == "bytes" ? camera : none).bytes)
        let kind = compared == "bytes" ? "--duplicate" : "--duplicate=pixels"
        var records = try run("filter", "b", kind, "--ndjson").text
        #expect(records.contains(#""keep":"b/a.jpg""#))
        // The same picture under other metadata.
        camera.taken("2024:05:01 10:00:00")
        try home.write("b/a.jpg", picture.with(camera).bytes)
        if compared.isEmpty { records = records.replacing(#","compare":"pixels""#, with: "") }
        let result = try delete(Array(records.utf8))
        #expect(result.exitCode == (compared == "pixels" ? 0 : 3))
        #expect(home.path.appending("b/b.jpg").exists == (compared != "pixels"))
    }

    @Test func recordsOfWholeGroupsTakeOnlyWhatCouldGo() throws {
        let result = try delete(try run("list", "album", "--duplicate", "--groups", "--ndjson").output)
        #expect(result.exitCode == 3)
        #expect(result.errorText.contains("album/deep/odd/a.jpg: denied: the one that stays in its group"))
        #expect(kept.exists && !copy.exists)
    }

    @Test func aGroupThatCannotBeReadIsNotPassedOver() throws {
        let record = #"{"path":"album/a copy.jpg","group":{"kind":"similar","role":"redundant","keep":""}}"#
        let result = try delete(Array(record.utf8))
        #expect(result.exitCode == 64)
        #expect(copy.exists)
    }

    @Test func thePlanSaysWhatStaysAndWhy() throws {
        let lines = try run("delete", "album", "--duplicate", "-n").lines
        #expect(lines.contains { $0.contains("--duplicate; the copy that stays: album/deep/odd/a.jpg (") })
    }

    @Test(arguments: ["*COPY*", "*/a copy.*", "album/a*"]) func aGlobProtects(_ glob: String) throws {
        #expect(try run("delete", "album", "--duplicate", "--protect", glob, "--yes").exitCode == 0)
        #expect(copy.exists && !kept.exists)
    }

    @Test func aGlobProtectsWhatIsNamedOutright() throws {
        let result = try run("delete", "album/a copy.jpg", "--protect", "*/a *", "--yes")
        #expect(result.exitCode == 3)
        #expect(result.errorText.contains("album/a copy.jpg: protected"))
        #expect(copy.exists)
    }

    /// A reference folder that is reached by a link, or that is an operand too, keeps its protection.
    @Test func whatIsComparedAgainstNeverGoes() throws {
        let link = home.path.appending("reference")
        try link.makeLink(to: home.path.appending("album/deep"))
        for place in ["album/deep", "reference", "album/deep/odd/a.jpg"] {
            #expect(try run("filter", "album", "--duplicate", "--against", place).lines == ["album/a copy.jpg"])
        }
        #expect(try run("filter", "album", "--duplicate", "--against", "album").exitCode == 1)
        #expect(
            try run("filter", "reference", "album", "--duplicate", "--against", "reference").lines == [
                "album/a copy.jpg"
            ])
        #expect(try run("delete", "album", "--duplicate", "--against", "reference", "--yes").exitCode == 0)
        #expect(kept.exists && !copy.exists)
    }
}
