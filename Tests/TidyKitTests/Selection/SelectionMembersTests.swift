import Support
import Testing
import TidyKit

@Suite struct SelectionMembersTests {
    @Test func aFolderStandsForItsPhotosInTheOrderOfList() throws {
        let library = try TestLibrary()
        let picture = JPEGFixture(width: 32, height: 24).bytes
        for (name, day) in [("album/a.jpg", 1), ("album/sub/b.jpg", 3), ("album/c.jpg", 2), ("z.jpg", 4)] {
            let path = try library.folder.write("library/" + name, picture)
            try FileSystem.setModified(path, ns: 1_500_000_000_000_000_000 + Int64(day) * 86_400_000_000_000)
        }
        try library.add("album/notes.txt")
        func named(_ names: String...) throws -> [String] {
            try SelectionMembers.photos(
                named: names.map { library.root.appending($0) }, now: .now(), environment: library.environment
            ).map { String($0.displayText.dropFirst(library.root.displayText.utf8.count + 1)) }
        }
        #expect(try named("z.jpg", "album") == ["z.jpg", "album/sub/b.jpg", "album/c.jpg", "album/a.jpg"])
        // What is no folder is for `members` to judge.
        #expect(try named("gone.jpg", "album/notes.txt") == ["gone.jpg", "album/notes.txt"])
        #expect(try named().isEmpty)
    }
}
