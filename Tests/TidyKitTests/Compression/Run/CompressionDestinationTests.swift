import Support
import Testing
import TidyKit

@Suite struct CompressionDestinationTests {
    private typealias Destination = CompressionPlan.Destination

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["album/a.jpg", "album/b.jpg", "there.png/x", "old.dat"] { try folder.write(name, "x") }
        try folder.path.appending("link").makeLink(to: folder.path.appending("album"))
    }

    private func path(_ name: String) -> FilePath { FilePath(folder.path.bytes + Array("/\(name)".utf8)) }

    @Test func aNameLikeThatOfAPictureIsAFile() {
        #expect(Destination(output: path("small.jpg")) == .file(path("small.jpg")))
        #expect(Destination(output: path("small")) == .folder(path("small")))
        #expect(Destination(output: path("small.jpg/")) == .folder(path("small.jpg/")))
        #expect(Destination(output: path("old.dat")) == .file(path("old.dat")))
        #expect(Destination(output: nil) == .inPlace)
        #expect(Destination(output: FilePath("-")) == .stream)
    }

    @Test func anEndingOfAnotherFormatIsNoNameForAJPEG() {
        #expect(Destination.namesAnotherFormat(path("one.PNG")))
        for name in ["one.jpg", "one", "one.png/", "there.png"] { #expect(!Destination.namesAnotherFormat(path(name))) }
    }

    @Test func anOutputAmongTheOriginalsIsFound() {
        func around(_ output: String, _ operands: String...) -> FilePath? {
            Destination.folder(path(output)).folder(around: operands.map(path))
        }
        #expect(around("album/web", "album") == path("album"))
        #expect(around("album/new/deep", "old.dat", "album") == path("album"))
        #expect(around("link/web", "album") == path("album"))
        #expect(around("albums", "album") == nil)
        #expect(around("album/web", "album/a.jpg") == nil)
        #expect(Destination.file(path("album/x.jpg")).folder(around: [path("album")]) == nil)
    }
}
