internal import Glibc
import Support
import Testing

@testable import TidyKit

/// Dates, places and ratings that stand beside a photo.
@Suite struct SidecarAnswersTests {
    static let now = WallClock(year: 2024, month: 6, day: 1)!

    private func find(
        _ folder: TemporaryFolder, _ predicates: [(String, String?)] = [], detail: LibraryQuery.Detail = .everything,
        _ change: (inout LibraryQuery) -> Void = { _ in }
    ) throws -> LibraryResult {
        let predicates = try predicates.map {
            try Predicate(option: $0.0, value: $0.1.map { Array($0.utf8) }, now: Self.now)
        }
        var query = LibraryQuery(operands: [folder.path], predicates: predicates, now: Self.now)
        query.useIndex = false
        query.detail = detail
        change(&query)
        return try PhotoLibrary.photos(query, environment: .current(), threads: 1)
    }

    private func photo(_ name: String, in folder: TemporaryFolder) throws -> Photo? {
        try find(folder).photos.first { $0.path.lastComponent.elementsEqual(name.utf8) }
    }

    private static let packet = xmpPacket(
        #"exif:DateTimeOriginal="2001-02-03T04:05:06+09:00" exif:GPSLatitude="43,4.584N" exif:GPSLongitude="79,4.62W""#
            + #" xmp:Rating="4""#)
    private static let json =
        #"{"title":"a","photoTakenTime":{"timestamp":"1300000000"},"geoData":{"latitude":48.1,"longitude":11.5}}"#

    private static func jpeg(_ fill: (inout ExifFixture) -> Void) -> [UInt8] {
        var exif = ExifFixture()
        exif.camera(make: "Maker", model: "Model")
        fill(&exif)
        return JPEGFixture().with(exif).bytes
    }

    @Test func sidecarDatePrecedesTakeoutAndModificationTime() throws {
        let folder = try TemporaryFolder()
        let changed = Self.jpeg { $0.set(.image, 0x0132, .ascii("2006:06:06 06:06:06")) }
        try folder.write("a.jpg", changed)
        #expect(try photo("a.jpg", in: folder)?.taken?.source == .dateTime)
        try folder.write("a.jpg.supplemental-metadata.json", Self.json)
        var found = try photo("a.jpg", in: folder)
        #expect(found?.taken?.text == "2011-03-13T07:06:40Z" && found?.taken?.source == .takeout)
        #expect(found?.location == Coordinate(latitude: 48.1, longitude: 11.5) && found?.rating == nil)
        try folder.write("a.jpg.xmp", Self.packet)
        found = try photo("a.jpg", in: folder)
        #expect(found?.taken?.text == "2001-02-03T04:05:06+09:00" && found?.taken?.source == .xmpSidecar)
        #expect(abs((found?.location?.longitude ?? 0) + 79.077) < 1e-9 && found?.rating == 4)
    }

    @Test func whatThePhotoSaysItselfWins() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "a.jpg",
            Self.jpeg { exif in
                exif.taken("2020:01:01 00:00:00")
                exif.location(latitude: 1, longitude: 2)
                exif.set(.image, 0x4746, .short([2]))
            })
        try folder.write("a.jpg.xmp", Self.packet)
        try folder.write("a.jpg.json", Self.json)
        let result = try find(folder)
        #expect(result.photos[0].taken?.text == "2020-01-01T00:00:00")
        #expect(result.photos[0].location == Coordinate(latitude: 1, longitude: 2) && result.photos[0].rating == 2)
        // Nothing was open.
        #expect(result.statistics.filesOpened == 1)
    }

    @Test func aSidecarIsOpenedOnlyForWhatIsAsked() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", Self.jpeg { $0.taken("2020:01:01 00:00:00") })
        try folder.write("a.jpg.xmp", Self.packet)
        try folder.write("a.jpg.json", Self.json)
        func opened(_ predicates: [(String, String?)], _ detail: LibraryQuery.Detail = .file) throws -> Int {
            try find(folder, predicates, detail: detail).statistics.filesOpened
        }
        #expect(try opened([("taken", "2020")]) == 1)
        #expect(try opened([("camera", "maker")]) == 1)
        #expect(try opened([("rating", "4")]) == 2)
        #expect(try opened([("gps", "yes")]) == 2)
        #expect(try opened([], .fields([.metadata, .date])) == 1)
        #expect(try opened([], .fields([.metadata, .location])) == 2)
        // What the photo itself decides is decided.
        #expect(try opened([("taken", "2021"), ("rating", "4")]) == 1)
    }

    @Test func predicatesSeeWhatSidecarsSay() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", JPEGFixture().bytes)
        try folder.write("a.jpg.xmp", Self.packet)
        for predicate in [
            ("taken", "2001"), ("date-source", "xmp.sidecar"), ("older-than", "20y"), ("gps", "yes"), ("rating", "4"),
            ("near", "43.0764,-79.077,1"), ("where", "latitude > 43"),
            ("where", #"takenSource == "xmp.sidecar" and taken < 2002"#),
        ] { #expect(try find(folder, [predicate], detail: .file).photos.count == 1, "\(predicate)") }
        for predicate in [("taken", "2011"), ("gps", "no"), ("date-source", "mtime,takeout")] {
            #expect(try find(folder, [predicate], detail: .file).photos.isEmpty, "\(predicate)")
        }
    }

    @Test func anEditedCopyHasTheDateAndPlaceOfItsOriginal() throws {
        let folder = try TemporaryFolder()
        try folder.write("IMG_1.jpg", JPEGFixture().bytes)
        try folder.write("IMG_1-edited.jpg", JPEGFixture(seed: 2).bytes)
        try folder.write("IMG_1(2)-edited.jpg", JPEGFixture(seed: 3).bytes)
        try folder.write("IMG_1.jpg.supplemental-metadata.json", Self.json)
        let edited = try photo("IMG_1-edited.jpg", in: folder)
        #expect(edited?.taken?.source == .takeout && edited?.location != nil && edited?.companions == [])
        #expect(try photo("IMG_1.jpg", in: folder)?.companions.count == 1)
        #expect(try photo("IMG_1(2)-edited.jpg", in: folder)?.taken?.source != .takeout)
    }

    @Test func linksPipesAndGiantsAreNoSidecars() throws {
        let folder = try TemporaryFolder()
        let elsewhere = try TemporaryFolder().write("b.xmp", Self.packet)
        for name in ["link", "pipe", "giant"] { try folder.write(name + ".jpg", JPEGFixture().bytes) }
        let link = folder.path.appending("link.jpg.xmp")
        let pipe = folder.path.appending("pipe.jpg.xmp")
        #expect(elsewhere.withCString { target in link.withCString { symlink(target, $0) } } == 0)
        #expect(pipe.withCString { mkfifo($0, 0o600) } == 0)
        let giant = try folder.write("giant.jpg.xmp", Self.packet)
        #expect(giant.withCString { truncate($0, 1 << 40) } == 0)
        let result = try find(folder)
        #expect(result.photos.count == 3 && result.photos.allSatisfy { $0.rating == nil && $0.location == nil })
        // A link or pipe that took the name of a sidecar since the folder was read.
        var reader = PhotoReader(now: Self.now)
        #expect(throws: POSIXError.self) { _ = try reader.sidecar(link, .xmp) }
        #expect(try reader.sidecar(pipe, .xmp) == SidecarMetadata())
    }

    @Test func entitiesOfASidecarAreNotExpanded() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", JPEGFixture().bytes)
        try folder.write("a.xmp", #"<!DOCTYPE x [<!ENTITY r "5">]>"# + Self.packet.replacing("\"4\"", with: "\"&r;\""))
        #expect(try photo("a.jpg", in: folder)?.rating == nil)
    }
}
