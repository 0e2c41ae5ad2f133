import Support
import Testing

@testable import TidyKit

@Suite struct RunOrderTests {
    private let folder: TemporaryFolder
    private let ids = ["20300101-000000-000aa", "20200101-000000-000aa"].compactMap { RunID($0.utf8) }

    init() throws { folder = try TemporaryFolder() }

    @Test func theLastLineOfARunCounts() throws {
        for id in [ids[0], ids[1], ids[0]] { try RunOrder.note(id, in: folder.path) }
        let places = RunOrder(folder.path).places
        #expect(places == [ids[1]: 1, ids[0]: 2])
    }

    @Test func aTornLineIsSkippedAndSwallowsNoOther() throws {
        try RunOrder.note(ids[0], in: folder.path)
        let path = RunOrder.path(folder.path)
        try path.truncate(to: Int64(try FileSystem.contents(of: path).count - 5))
        try RunOrder.note(ids[1], in: folder.path)
        #expect(Set(RunOrder(folder.path).places.keys) == [ids[1]])
    }

    @Test func aMissingFileLeavesTheClockToDecide() { #expect(RunOrder(folder.path).places.isEmpty) }
}
