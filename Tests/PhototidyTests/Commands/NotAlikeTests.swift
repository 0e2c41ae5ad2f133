import Support
import Testing
import TidyKit

/// `list --similar --not-alike A B`: a decision that lasts.
@Suite struct NotAlikeTests: ProgramSuite {
    let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        let picture = DrawnPicture(width: 640, height: 480, grain: 24)
        for (name, quality) in [("a.jpg", 95), ("b.jpg", 70)] {
            try home.write("album/" + name, picture.jpeg(quality: quality))
        }
    }

    private func found() throws -> [String] {
        try run("filter", "album", "--similar").lines.sorted()
    }

    private func decide(_ extra: String...) throws -> Int32 {
        let words = ["list", "--similar", "--not-alike", "album/a.jpg", "album/b.jpg"] + extra
        return try program.run(words.map { FilePath($0) }).exitCode
    }

    @Test func whatIsNotAlikeIsNotGroupedUntilForgotten() throws {
        #expect(try found() == ["album/b.jpg"])
        #expect(try decide() == 0)
        #expect(try found().isEmpty)
        #expect(try decide("--forget") == 0)
        #expect(try found() == ["album/b.jpg"])
        #expect(try decide("--forget") == 1)
    }

    @Test func aPhotoIsKnownByItsContentWhereverItGoes() throws {
        #expect(try decide() == 0)
        try home.write("other/c.jpg", DrawnPicture(width: 640, height: 480, grain: 24).jpeg(quality: 70))
        try FileSystem.remove(home.path.appending("album/b.jpg"))
        #expect(try run("filter", "album", "other", "--similar").lines.isEmpty)
    }

    /// A rating changes the bytes of a file, and not its picture.
    @Test func aPhotoIsKnownUnderOtherMetadata() throws {
        #expect(try decide() == 0)
        let rating = #"<x:xmpmeta xmlns:x="adobe:ns:meta/"/>"#
        let packet = Array("http://ns.adobe.com/xap/1.0/\0\(rating)".utf8)
        let photo = home.path.appending("album/b.jpg")
        let plain = try FileSystem.contents(of: photo)
        let segment = [0xFF, 0xE1, 0, UInt8(packet.count + 2)] + packet
        try home.write("album/b.jpg", plain[..<2] + segment + plain[2...])
        #expect(try found().isEmpty)
        #expect(try decide("--forget") == 0)
        #expect(try found() == ["album/b.jpg"])
    }

    /// As versions before knew photos: by the bytes of their files.
    @Test func anOlderDecisionStillHolds() throws {
        let contents = try ["a", "b"].map { name in
            try NotAlikeStore.Content.all(of: home.path.appending("album/\(name).jpg")).suffix(1)
        }
        let state = home.path.appending(".local/state/phototidy")
        let store = NotAlikeStore(Environment(home: home.path, data: home.path, state: state, cache: home.path))
        #expect(try store.set(Array(contents[0]), Array(contents[1]), remembered: true))
        #expect(try found().isEmpty)
        #expect(try decide("--forget") == 0)
        #expect(try found() == ["album/b.jpg"])
    }

    @Test func explainNamesTheDecision() throws {
        #expect(try decide() == 0)
        let text = try run("list", "album", "--similar", "--explain", "album/b.jpg").text
        #expect(text.contains("(you said with --not-alike that it is not like album/a.jpg)"))
        #expect(try decide("--forget") == 0)
        #expect(try !run("list", "album", "--similar", "--explain", "album/b.jpg").text.contains("--not-alike"))
    }

    @Test(
        "A damaged list is an error: its pairs must not be grouped",
        arguments: ["", "x", "not-alike\t1\t0000000000000000\n"])
    func aDamagedListIsAnError(_ text: String) throws {
        #expect(try decide() == 0)
        try home.write(".local/state/phototidy/not-alike", text)
        let result = try run("filter", "album", "--similar")
        #expect(result.exitCode == 5)
        #expect(result.errorText.contains("the pairs of --not-alike cannot be read"))
        #expect(!result.errorText.contains("selection"))
    }

    @Test func theOptionSaysWhatItNeeds() throws {
        #expect(try run("list", "--not-alike", "album/a.jpg", "album/b.jpg").exitCode == 64)
        #expect(try run("list", "--similar", "--not-alike", "album/a.jpg").exitCode == 64)
        #expect(try run("list", "--similar", "--not-alike", "album/a.jpg", "album/a.jpg").exitCode == 64)
        #expect(try run("list", "--similar", "--not-alike", "album/a.jpg", "album/z.jpg").exitCode == 5)
    }

    /// Such a decision would never have an effect.
    @Test func onlyPhotosCanBeNotAlike() throws {
        try home.write("album/notes.txt", "not a photo")
        for other in ["album", "album/notes.txt"] {
            let result = try run("list", "--similar", "--not-alike", "album/a.jpg", other)
            #expect(result.exitCode == 64)
            #expect(result.errorText.contains("\(other) is not a photo; '--not-alike' needs two photos"))
        }
    }

    /// It may be one of the pair, and two photos that are apart lose nothing.
    @Test func aPhotoThatCannotBeReadStaysApart() throws {
        #expect(try decide() == 0)
        let state = home.path.appending(".local/state/phototidy")
        let environment = Environment(home: home.path, data: home.path, state: state, cache: home.path)
        let areApart = try #require(try NotAlikeStore(environment).question())
        let photos = try ["album/a.jpg", "album/b.jpg"].map { name in
            let path = home.path.appending(name)
            return Photo(path: path, identity: try FileStatus.of(path).identity)
        }
        try FileSystem.remove(photos[1].path)
        #expect(areApart(photos[0], photos[1]))
    }
}
