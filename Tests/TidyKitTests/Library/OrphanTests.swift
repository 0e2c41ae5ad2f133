internal import Support
import Testing

@testable import TidyKit

/// What `--orphan` finds, and what keeps it from finding anything.
@Suite struct OrphanTests {
    private static let now = WallClock(year: 2024, month: 6, day: 1)!

    private func orphans(_ folder: FilePath) throws -> [String] {
        var query = LibraryQuery(
            operands: [folder], predicates: [try Predicate(option: "orphan", value: nil, now: Self.now)], now: Self.now)
        query.useIndex = false
        return try PhotoLibrary.photos(query, environment: .current()).photos.map {
            String(decoding: $0.path.lastComponent, as: UTF8.self)
        }
    }

    @Test func aSidecarIsNoneWhileAnythingOfItsPhotoIsLeft() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", JPEGFixture().bytes)
        for name in ["a.cr2.xmp", "a_01.jpg.xmp", "b.xmp"] { try folder.write(name, "<x/>") }
        #expect(try orphans(folder.path) == ["b.xmp"])
        // A damaged photo is one all the same.
        try folder.write("b.jpg", "")
        #expect(try orphans(folder.path) == [])
    }

    @Test func aStillInTheCloudHidesWhatBelongsToIt() throws {
        let folder = try TemporaryFolder()
        try folder.write("b.xmp", "<x/>")
        try folder.write("sub/c.xmp", "<x/>")
        try folder.write("sub/.IMG_9.HEIC.icloud", "x")
        #expect(try orphans(folder.path) == ["b.xmp"])
        try folder.write(".IMG_9.MOV.icloud", "x")
        #expect(try orphans(folder.path) == ["b.xmp"])
    }

    @Test func aPipeOrALinkIsNoSidecar() throws {
        let folder = try TemporaryFolder()
        try folder.write("real.json", #"{"title":"gone.jpg","photoTakenTime":{"timestamp":"1"}}"#)
        try folder.path.appending("pipe.json").makePipe()
        try folder.path.appending("link.json").makeLink(to: folder.path.appending("real.json"))
        #expect(try orphans(folder.path) == ["real.json"])
    }
}
