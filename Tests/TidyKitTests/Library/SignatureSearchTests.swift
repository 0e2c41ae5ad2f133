internal import Support
import Testing

@testable import TidyKit

/// `--similar` over files: which are opened, and what the second run does.
@Suite struct SignatureSearchTests {
    private let library: TestLibrary
    /// An hour ahead: what changed within two seconds of a run is not kept.
    private let now = WallClock(seconds: WallClock.now().seconds + 3600)

    init() throws { library = try TestLibrary() }

    private func search(_ predicate: (String, String?) = ("similar", nil)) throws -> (
        names: [String], LibraryStatistics
    ) {
        var query = LibraryQuery(operands: [library.root], now: now)
        query.predicates = [
            try Predicate(option: predicate.0, value: predicate.1.map { Array($0.utf8) }, now: now)
        ]
        query.grouping.showsGroups = predicate.0 == "similar"
        let result = try PhotoLibrary.photos(query, environment: library.environment, threads: 2)
        let names = result.photos.map { String(decoding: $0.path.lastComponent, as: UTF8.self) }
        return (names.sorted(), result.statistics)
    }

    private func add(_ name: String, _ bytes: [UInt8]) throws { try library.folder.write("library/" + name, bytes) }

    private func drawn(_ seed: UInt64) -> DrawnPicture { .rectangles(seed: seed, width: 320, height: 240) }

    @Test func copiesInOtherFormatsAreFoundAndTheSecondRunOpensNothing() throws {
        let picture = drawn(1)
        try add("a.jpg", picture.jpeg())
        try add("b.png", PNGFixture(picture.resized(160, 120)).bytes)
        try add("c.bmp", picture.stored(for: .rotatedRight).bitmap)
        try add("d.jpg", drawn(2).jpeg())
        try add("e.jpg", [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 1, count: 100))
        #expect(try search().names == ["a.jpg", "b.png", "c.bmp"])
        let again = try search()
        #expect(again.names == ["a.jpg", "b.png", "c.bmp"])
        #expect(again.1.filesOpened == 0)
        #expect(IndexInfo.read(in: library.environment.cache).signatures == 5)
    }

    /// Strangers are told apart by their thumbnails; only what may be alike is decoded.
    @Test func onlyCandidatesAreDecoded() throws {
        for seed in 1..<9 {
            let picture = drawn(UInt64(seed))
            try add("p\(seed).jpg", picture.jpeg(thumbnail: picture.resized(160, 120).jpeg()))
        }
        try add("z.jpg", drawn(8).jpeg(quality: 50, thumbnail: drawn(8).resized(160, 120).jpeg()))
        let (names, statistics) = try search()
        #expect(names == ["p8.jpg", "z.jpg"])
        // Each once for its metadata and once for its thumbnail, and the candidates once more.
        #expect(statistics.filesOpened == 9 + 9 + 2)
    }

    /// Another program has left the thumbnails of other pictures: candidates are confirmed by what they show.
    @Test func aStaleThumbnailMakesNoLookAlike() throws {
        let stale = drawn(3).resized(160, 120).jpeg()
        try add("a.jpg", drawn(4).jpeg(thumbnail: stale))
        try add("b.jpg", drawn(5).jpeg(thumbnail: stale))
        #expect(try search().names.isEmpty)
    }

    @Test func recordsOfTheIndexComeBackAsTheyWere() throws {
        var known = KnownSignatures()
        #expect(KnownSignatures(known.bytes) == known)
        known.thumbnail = drawn(1).signature
        known.thumbnail?.isOfThumbnail = true
        known.thumbnail?.sharpness = nil
        known.thumbnail?.grid = nil
        known.picture = drawn(2).signature
        known.picture?.grid = nil
        known.picture?.sharpness = 41.25
        #expect(KnownSignatures(known.bytes) == known)
        #expect(KnownSignatures(Array(known.bytes.dropLast())) == nil)
        #expect(KnownSignatures([]) == nil && KnownSignatures([255]) == nil)
        known.isUnreadable = true
        known.picture = nil
        #expect(KnownSignatures(known.bytes) == known)
    }
}
