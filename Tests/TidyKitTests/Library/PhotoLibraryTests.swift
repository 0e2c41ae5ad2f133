internal import Glibc
internal import Support
import Testing

@testable import TidyKit

@Suite struct PhotoLibraryTests {
    static let now = WallClock(year: 2024, month: 6, day: 1)!

    private func query(_ folder: TemporaryFolder, _ predicates: [(String, String?)] = []) throws -> LibraryQuery {
        let predicates = try predicates.map {
            try Predicate(option: $0.0, value: $0.1.map { Array($0.utf8) }, now: Self.now)
        }
        var query = LibraryQuery(operands: [folder.path], predicates: predicates, now: Self.now)
        query.useIndex = false
        query.damageDetector = .decoders(now: Self.now)
        return query
    }

    private func result(_ query: LibraryQuery, threads: Int = 2) throws -> LibraryResult {
        try PhotoLibrary.photos(query, environment: .current(), threads: threads)
    }

    private func names(_ query: LibraryQuery) throws -> [String] {
        try result(query).photos.map { String(decoding: $0.path.lastComponent, as: UTF8.self) }
    }

    private static let xmp = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5"/></rdf:RDF></x:xmpmeta>
        """

    @Test func aSidecarIsNoRowAndRates() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", JPEGFixture().bytes)
        try folder.write("a.xmp", Self.xmp)
        try folder.write("b.jpg", JPEGFixture(seed: 2).bytes)
        try folder.write("text.jpg", "no photo")
        let photos = try result(query(folder)).photos
        #expect(photos.map(\.rating) == [5, nil])
        #expect(photos[0].companions == [folder.path.appending("a.xmp")])
        #expect(try names(query(folder, [("favorite", nil)])) == ["a.jpg"])
        var split = try query(folder, [("rating", "5")])
        split.units = false
        #expect(try result(split).photos.map(\.companions) == [[]])
    }

    @Test func livePhotoAndItsVideoAreOneRow() throws {
        let folder = try TemporaryFolder()
        try folder.write("IMG_1.JPG", JPEGFixture().bytes)
        try folder.write("IMG_1.MOV", QuickTimeFixture(unix: 1_700_000_000, seconds: 2).bytes)
        try folder.write("IMG_1.AAE", "<plist/>")
        let photos = try result(query(folder)).photos
        #expect(photos.map { $0.path.lastComponent.count } == [9])
        #expect(photos[0].companions == ["AAE", "MOV"].map { folder.path.appending("IMG_1." + $0) })
        #expect(try names(query(folder, [("has", "live")])) == ["IMG_1.JPG"])
        var split = try query(folder)
        split.units = false
        #expect(try names(split) == ["IMG_1.JPG", "IMG_1.MOV"])
        var named = try query(folder)
        named.operands = [folder.path.appending("IMG_1.MOV")]
        #expect(try names(named) == ["IMG_1.MOV"])
        named.operands.append(folder.path.appending("IMG_1.JPG"))
        #expect(try names(named) == ["IMG_1.JPG"])
    }

    @Test func companionsOfANamedFileKeepItsSpelling() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", JPEGFixture().bytes)
        try folder.write("a.jpg.xmp", Self.xmp)
        try folder.write("b.jpg", JPEGFixture(seed: 2).bytes)
        var named = try query(folder)
        let spelling = folder.path.displayText + "/./"
        named.operands = [FilePath(spelling + "a.jpg")]
        let photos = try result(named).photos
        #expect(photos.map(\.path) == named.operands)
        #expect(photos[0].companions == [FilePath(spelling + "a.jpg.xmp")])
        #expect(photos[0].rating == 5)
    }

    @Test func whatANameOrAStatDecidesOpensNothing() throws {
        let folder = try TemporaryFolder()
        let picture = JPEGFixture().bytes
        for index in 0..<20 { try folder.write("p\(index).jpg", picture) }
        try folder.write("big.jpg", picture + Array(repeating: 0, count: 100_000))
        for (predicate, opened) in [
            (("name", "p1?.jpg"), 10), (("exclude", "p*"), 1), (("size", "100kB.."), 1), (("has", "live"), 0),
            (("where", "size > 100kB and rating > 3"), 1), (("offline", nil), 0), (("has", "sidecar"), 0),
        ] as [((String, String?), Int)] {
            #expect(try result(query(folder, [predicate])).statistics.filesOpened == opened, "\(predicate)")
        }
        #expect(try result(query(folder)).statistics.filesSeen == 21)
    }

    @Test func sidecarsAreReadOnlyForTheirRating() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", JPEGFixture().bytes)
        try folder.write("a.xmp", Self.xmp)
        for (predicate, opened) in [("camera", 1), ("shape", 1), ("favorite", 2), ("where", 2)] {
            let value = ["camera": "x", "shape": "landscape", "where": "width > 1 and not favorite"][predicate]
            var files = try query(folder, [(predicate, value)])
            files.detail = .file
            #expect(try result(files).statistics.filesOpened == opened, "\(predicate)")
        }
        #expect(try result(query(folder, [("gps", "yes")])).statistics.filesOpened == 2)
        #expect(try result(query(folder, [("shape", "portrait")])).statistics.filesOpened == 1)
    }

    @Test func countingReadsNoMoreThanHeads() throws {
        let folder = try TemporaryFolder()
        let picture = JPEGFixture(width: 800, height: 600).bytes
        for index in 0..<3 { try folder.write("p\(index).jpg", picture) }
        var counting = try query(folder)
        counting.detail = .file
        let found = try result(counting)
        #expect(found.photos.map(\.format) == [.jpeg, .jpeg, .jpeg])
        #expect(found.statistics.bytesRead <= 3 * 4096)
    }

    @Test func theNumberOfThreadsChangesNothing() throws {
        let folder = try TemporaryFolder()
        let pictures = (0..<5).map { JPEGFixture(seed: UInt64($0)).bytes }
        for index in 0..<300 {
            try folder.write("d\(index % 7)/p\(index).jpg", pictures[index % 5])
            if index % 3 == 0 { try folder.write("d\(index % 7)/p\(index).xmp", Self.xmp) }
        }
        for predicates in [[], [("duplicate", nil)], [("rating", "5")]] as [[(String, String?)]] {
            var query = try query(folder, predicates)
            query.order = SortOrder(.none)
            let alone = try result(query, threads: 1).photos
            #expect(try result(query, threads: 8).photos == alone)
            #expect(!alone.isEmpty)
        }
    }

    @Test func datesFallBackToTheNameAndThenToTheFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("holiday.jpg", JPEGFixture().bytes)
        try FileSystem.setModified(path, ns: 1_000_000_000_000_000_000)
        let photo = try #require(try result(query(folder)).photos.first)
        #expect(photo.taken?.source == .modified)
        #expect(photo.taken?.text == "2001-09-09T01:46:40Z")
    }

    @Test func aPlaceholderIsListedAndNeverOpened() throws {
        let folder = try TemporaryFolder()
        try folder.write(".IMG_9.HEIC.icloud", JPEGFixture().bytes)
        let found = try result(query(folder))
        #expect(found.photos.map(\.isOffline) == [true])
        #expect(found.photos.map(\.format) == [nil])
        #expect(found.statistics.filesOpened == 0)
        #expect(try names(query(folder, [("offline", nil)])).count == 1)
        #expect(try names(query(folder, [("gps", "no")])).isEmpty)
        #expect(try names(query(folder, [("type", "photo")])).isEmpty)
    }

    @Test func missingIsAnErrorAndEmptyIsNot() throws {
        let folder = try TemporaryFolder()
        #expect(try result(query(folder)).photos.isEmpty)
        var missing = try query(folder)
        missing.operands = [folder.path.appending("none")]
        #expect(throws: LibraryError.missing(folder.path.appending("none"))) { try result(missing) }
    }

    @Test func orphansAreSidecarsWithoutTheirPhoto() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", JPEGFixture().bytes)
        for name in ["a.xmp", "b.xmp", "c.AAE", "e.jpg.json", "package.json"] { try folder.write(name, "{}") }
        try folder.write("d.jpg.json", #"{"title":"d.jpg","photoTakenTime":{"timestamp":"1300000000"}}"#)
        // About a photo that is here, though its own name does not say so.
        try folder.write("cut.json", #"{"title":"a.jpg","photoTakenTime":{"timestamp":"1300000000"}}"#)
        #expect(try names(query(folder, [("orphan", nil)])) == ["b.xmp", "c.AAE", "d.jpg.json"])
        #expect(try names(query(folder)) == ["a.jpg"])
    }

    @Test func oneOfEachDuplicateStays() throws {
        let folder = try TemporaryFolder()
        let (one, two) = (JPEGFixture(seed: 1).bytes, JPEGFixture(seed: 2).bytes)
        for (name, content) in [("a", one), ("b", one), ("sub/c", one), ("d", two), ("e", two), ("f", two + [0])] {
            let path = try folder.write(name + ".jpg", content)
            try FileSystem.setModified(path, ns: 1_000)
        }
        try folder.write("e.xmp", Self.xmp)
        link(folder.path.appending("a.jpg").displayText, folder.path.appending("a2.jpg").displayText)
        #expect(try names(query(folder, [("duplicate", nil)])) == ["b.jpg", "d.jpg", "c.jpg"])
        #expect(try names(query(folder, [("duplicate", nil), ("path", "*/sub/*")])) == ["c.jpg"])
    }

    @Test func aLivePhotoWithAnotherVideoIsNoDuplicate() throws {
        let folder = try TemporaryFolder()
        for (name, seconds) in [("x/a", 2.0), ("y/a", 3.0), ("z/a", 2.0)] {
            try folder.write(name + ".jpg", JPEGFixture().bytes)
            try folder.write(name + ".mov", QuickTimeFixture(unix: 1_700_000_000, seconds: seconds).bytes)
            try FileSystem.setModified(folder.path.appending(name + ".jpg"), ns: 1_000)
        }
        let found = try result(query(folder, [("duplicate", nil)])).photos
        #expect(found.map(\.path) == [folder.path.appending("z/a.jpg")])
    }

    @Test func brokenIsWhatCannotBeDecodedToTheEnd() throws {
        let folder = try TemporaryFolder()
        let whole = JPEGFixture(width: 200, height: 160).bytes
        try folder.write("whole.jpg", whole)
        try folder.write("trailer.jpg", whole + Array(repeating: 7, count: 500))
        try folder.write("cut.jpg", whole.prefix(whole.count / 2))
        try folder.write("head.jpg", whole.prefix(30))
        let movie = QuickTimeFixture(unix: 1_700_000_000, seconds: 2).bytes
        try folder.write("film.mov", movie)
        try folder.write("filmcut.mov", movie.prefix(movie.count - 20))
        try folder.write("text.jpg", "no photo")
        let broken = try names(query(folder, [("broken", nil)]))
        #expect(broken == ["cut.jpg", "filmcut.mov", "head.jpg"])
        let sound = try names(query(folder, [("broken", "no")]))
        #expect(sound == ["film.mov", "trailer.jpg", "whole.jpg"])
        // A picture is decoded only where all else holds.
        let counted = try result(query(folder, [("broken", nil), ("name", "film.mov")])).statistics
        // The other video is opened too: it could be half of a photo here.
        #expect(counted.filesOpened == 3)
    }

    @Test func similarPicturesLeaveTheLargest() throws {
        let folder = try TemporaryFolder()
        try folder.write("large.jpg", JPEGFixture(width: 640, height: 480, seed: 3).bytes)
        try folder.write("low.jpg", JPEGFixture(width: 640, height: 480, seed: 3, quality: 30).bytes)
        try folder.write("other.jpg", JPEGFixture(width: 640, height: 480, seed: 8).bytes)
        #expect(try names(query(folder, [("similar", nil)])) == ["low.jpg"])
        #expect(try names(query(folder, [("similar", "0"), ("name", "other*")])).isEmpty)
    }
}
