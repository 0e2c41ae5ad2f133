import Testing
import TidyKit

@Suite struct FilePathTests {
    @Test(arguments: [
        ("a/b.jpg", "a", "b.jpg"), ("b.jpg", ".", "b.jpg"), ("/b.jpg", "/", "b.jpg"), ("a//b/", "a", "b"),
        ("/", "/", ""),
    ])
    func splitsIntoFolderAndName(path: String, folder: String, name: String) {
        #expect(FilePath(path).directory == FilePath(folder))
        #expect(Array(FilePath(path).lastComponent) == Array(name.utf8))
    }

    @Test func composedAndDecomposedNamesAreTwoPaths() {
        #expect(Set([FilePath("caf\u{E9}.jpg"), FilePath("cafe\u{301}.jpg")]).count == 2)
    }

    @Test(arguments: [("/a/./b/../c//d", "/a/c/d"), ("/..", "/"), ("/a/", "/a")])
    func absoluteFormHasNoDots(path: String, expected: String) throws {
        #expect(try FilePath(path).absolute() == FilePath(expected))
    }

    @Test func aFolderCoversWhatIsBelowAndNotItsNeighbours() {
        #expect(FilePath("/a/b").isSameOrBelow(FilePath("/a")))
        #expect(FilePath("/a").isSameOrBelow(FilePath("/a")))
        #expect(!FilePath("/ab").isSameOrBelow(FilePath("/a")))
        #expect(FilePath("/ab").isSameOrBelow(.root))
    }
}
