import Testing
import TidyKit

@Suite struct SelectionTests {
    private func member(_ name: String) -> Selection.Member {
        Selection.Member(
            path: FilePath("/" + name),
            identity: FileIdentity(device: 1, inode: 2, bytes: 3, modifiedNs: 4, changedNs: 5))
    }

    private func names(_ selection: Selection) -> String {
        selection.members.map { String(decoding: $0.path.lastComponent, as: UTF8.self) }.joined()
    }

    @Test func orderIsKeptAndMembershipIsASet() throws {
        var selection = Selection(name: [])
        try selection.add([member("c"), member("a"), member("c")])
        try selection.add([member("a"), member("b")])
        #expect(names(selection) == "cab")
    }

    @Test func overTheLimitNothingIsAdded() throws {
        var selection = Selection(name: Array("nine".utf8), limit: 2)
        try selection.add([member("a")])
        #expect(throws: SelectionError.overLimit(name: Array("nine".utf8), count: 3, limit: 2)) {
            try selection.add([member("b"), member("c")])
        }
        #expect(names(selection) == "a")
        try selection.add([member("a"), member("b")])
        #expect(names(selection) == "ab")
        #expect(throws: SelectionError.self) { try selection.setLimit(1) }
        #expect(selection.limit == 2)
        try selection.setLimit(0)
        try selection.add([member("c")])
        #expect(names(selection) == "abc")
    }

    @Test func aFolderTakesOutWhatIsBelowIt() throws {
        var selection = Selection(name: [])
        try selection.add(["album/a", "album/sub/b", "albums/c", "d", "e"].map(member))
        #expect(selection.remove(below: [FilePath("/album"), FilePath("/d"), FilePath("/x")]) == 3)
        #expect(names(selection) == "ce")
        // A member is itself and no folder.
        #expect(selection.remove(below: [FilePath("/albums/c")]) == 1)
        #expect(selection.remove(below: []) == 0)
        #expect(names(selection) == "e")
    }
}
