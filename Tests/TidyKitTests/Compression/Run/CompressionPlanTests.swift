import Support
import Testing
import TidyKit

@Suite struct CompressionPlanTests {
    static func input(_ path: String, _ relative: String) -> CompressionPlan.Input {
        CompressionPlan.Input(path: FilePath(path), relative: FilePath(relative), bytes: 1)
    }

    @Test(arguments: [
        ("a.jpg", "a.jpg"), ("b/IMG_1.JPG", "b/IMG_1.JPG"), ("a.jpeg", "a.jpeg"), ("a.png", "a.jpg"),
        ("x.y/photo.HEIC", "x.y/photo.jpg"), ("noending", "noending.jpg"), (".hidden", ".hidden.jpg"),
        ("a.tar.webp", "a.tar.jpg"),
    ])
    func aJPEGKeepsItsNameAndOthersBecomeJPG(relative: String, expected: String) throws {
        let plan = try CompressionPlan([Self.input("/in/x", relative)], to: .folder(FilePath("/out")))
        #expect(plan.jobs.map(\.output) == [FilePath("/out/" + expected)])
    }

    @Test func theSuffixStandsBehindTheStem() throws {
        let plan = try CompressionPlan(
            [Self.input("/in/a.png", "d/a.png"), Self.input("/in/b.JPG", "d/b.JPG")], to: .folder(FilePath("o")),
            suffix: Array("-small".utf8))
        #expect(plan.jobs.map(\.output) == [FilePath("o/d/a-small.jpg"), FilePath("o/d/b-small.JPG")])
    }

    @Test func twoSourcesOfOneNameAreRefused() {
        let inputs = [Self.input("/in/a.png", "a.png"), Self.input("/in/a.jpg", "a.jpg")]
        #expect(
            throws: CompressionPlan.Refusal.clash(
                FilePath("/in/a.png"), FilePath("/in/a.jpg"), output: FilePath("/out/a.jpg"))
        ) { try CompressionPlan(inputs, to: .folder(FilePath("/out"))) }
    }

    @Test func numbersKeepSourcesOfOneNameApart() throws {
        let inputs = ["a.png", "a.jpg", "a-2.jpg", "a.heic"].map { Self.input("/in/" + $0, $0) }
        let plan = try CompressionPlan(inputs, to: .folder(FilePath("/out")), numbers: true)
        #expect(plan.jobs.map(\.output) == ["a.jpg", "a-2.jpg", "a-2-2.jpg", "a-3.jpg"].map { FilePath("/out/" + $0) })
        #expect(plan.jobs.map { $0.namesake != nil } == [false, true, true, true])
    }

    @Test func inPlaceNoNumberTakesANameThatIsThere() throws {
        let folder = try TemporaryFolder()
        let inputs = try ["a.png", "a.jpg", "b.png"].map { name in
            CompressionPlan.Input(path: try folder.write(name, "x"), relative: FilePath(name), bytes: 1)
        }
        try folder.write("b.jpg", "another")
        try folder.write("a-2.jpg", "another")
        let plan = try CompressionPlan(inputs, to: .inPlace, numbers: true)
        #expect(plan.jobs.map(\.output) == ["a-3.jpg", "a.jpg", "b-2.jpg"].map { folder.path.appending($0) })
    }

    @Test func aSourceNamedTwiceIsOneJob() throws {
        let inputs = [Self.input("/in/a.jpg", "a.jpg"), Self.input("/in/a.jpg", "a.jpg")]
        #expect(try CompressionPlan(inputs, to: .folder(FilePath("/out"))).jobs.count == 1)
    }

    @Test func twoOutputsThatALinkLeadsToOneFileAreRefused() throws {
        let folder = try TemporaryFolder()
        try folder.write("in/a/x.jpg", "1")
        try folder.write("in/b/x.jpg", "2")
        try folder.write("out/in/a/old.txt", "")
        let out = folder.path.appending("out")
        try out.appending("in/b").makeLink(to: FilePath("a"))
        let inputs = ["a", "b"].map { name in
            Self.input(folder.path.appending("in/\(name)/x.jpg").displayText, "in/\(name)/x.jpg")
        }
        #expect(
            throws: CompressionPlan.Refusal.clash(
                inputs[0].path, inputs[1].path, output: out.appending("in/b/x.jpg"))
        ) { try CompressionPlan(inputs, to: .folder(out)) }
        // Folders that are not there yet, below such a link.
        let deep = ["a", "b"].map { Self.input("/nowhere/\($0)", "in/\($0)/new/x.jpg") }
        #expect(throws: CompressionPlan.Refusal.self) { try CompressionPlan(deep, to: .folder(out)) }
        #expect(try CompressionPlan(deep, to: .folder(folder.path.appending("other"))).jobs.count == 2)
    }

    @Test func twoSpellingsOfOneFileAreOneInput() throws {
        let folder = try TemporaryFolder()
        try folder.write("album/a.jpg", "1")
        try folder.path.appending("link").makeLink(to: FilePath("album"))
        let inputs = ["album/a.jpg", "album/./a.jpg", "link/a.jpg", "link/../album/a.jpg"].map {
            Self.input(folder.path.appending($0).displayText, "a.jpg")
        }
        let out = folder.path.appending("out")
        for destination in [CompressionPlan.Destination.folder(out), .file(out), .stream, .inPlace] {
            let jobs = try CompressionPlan(inputs, to: destination).jobs
            #expect(jobs.map(\.source) == [inputs[0].path])
        }
    }

    @Test func hardLinksStayTwoInputs() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/x.jpg", "1")
        try folder.write("b/old.txt", "")
        try FileSystem.link(folder.path.appending("a/x.jpg"), as: folder.path.appending("b/x.jpg"))
        let inputs = ["a", "b"].map { Self.input(folder.path.appending("\($0)/x.jpg").displayText, "x.jpg") }
        let out = folder.path.appending("out")
        #expect(throws: CompressionPlan.Refusal.self) { try CompressionPlan(inputs, to: .folder(out)) }
        #expect(throws: CompressionPlan.Refusal.severalToOne(2)) { try CompressionPlan(inputs, to: .file(out)) }
    }

    @Test(arguments: [CompressionPlan.Destination.stream, .file(FilePath("x.jpg"))])
    func severalPicturesAreNoOneFile(destination: CompressionPlan.Destination) {
        let inputs = [Self.input("/in/a.jpg", "a.jpg"), Self.input("/in/b.jpg", "b.jpg")]
        #expect(throws: CompressionPlan.Refusal.severalToOne(2)) { try CompressionPlan(inputs, to: destination) }
    }

    @Test func namesAreBytes() throws {
        let name = [UInt8](arrayLiteral: 0xFF, 0x2E, 0x70, 0x6E, 0x67)
        let input = CompressionPlan.Input(path: FilePath(name), relative: FilePath(name), bytes: 1)
        let plan = try CompressionPlan([input], to: .folder(FilePath("o")))
        #expect(plan.jobs[0].output == FilePath(Array("o/".utf8) + [0xFF] + Array(".jpg".utf8)))
    }
}
