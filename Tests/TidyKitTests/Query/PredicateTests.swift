import Testing
import TidyKit

@Suite struct PredicateTests {
    static let now = WallClock(year: 2024, month: 3, day: 31, hour: 12)!

    static func photo(_ path: String = "a/IMG_1.JPG", bytes: Int64 = 1000) -> Subject {
        var photo = Photo(
            path: FilePath(path),
            identity: FileIdentity(device: 1, inode: 1, bytes: bytes, modifiedNs: 0, changedNs: 0), format: .jpeg)
        photo.taken = CaptureDate(
            wall: WallClock(year: 2023, month: 5, day: 14, hour: 10, minute: 11, second: 12)!, source: .dateTimeOriginal
        )
        var subject = Subject(photo)
        subject.isRead = true
        subject.unit = UnitTraits()
        return subject
    }

    static func answer(_ option: String, _ value: String?, _ subject: Subject) throws -> Bool? {
        try Predicate(option: option, value: value.map { Array($0.utf8) }, now: now).matches(subject)
    }

    @Test(arguments: [
        ("2023", true), ("2023-05", true), ("2023-05-14", true), ("2023-05-15", false), ("2023-05-14..", true),
        ("..2023-05-14", true), ("..2023-05-13", false), ("2023-05-15..", false), ("2022..2023", true),
        ("2010,2023", true), ("2023-05-14T10:11:12", true), ("2023-05-14T10:12", false),
    ])
    func aDateCoversItsWholeSpan(range: String, expected: Bool) throws {
        #expect(try Self.answer("taken", range, Self.photo()) == expected)
    }

    /// Both ends included, calendar months; the zone is UTC.
    @Test(arguments: [
        ("last", "1mo", "2024-02-29T12:00:00", true), ("last", "1mo", "2024-02-29T11:59:59", false),
        ("last", "1mo", "2024-03-31T12:00:01", false), ("older-than", "1mo", "2024-02-29T12:00:00", true),
        ("older-than", "1mo", "2024-02-29T12:00:01", false), ("older-than", "2y", "2022-03-31T12:00:00", true),
        ("older-than", "30d", "2024-03-01T12:00:00", true), ("last", "6w", "2024-02-18T12:00:00", true),
    ])
    func agesCountBackInTheCalendar(option: String, age: String, taken: String, expected: Bool) throws {
        var subject = Self.photo()
        subject.photo.taken = CaptureDate(wall: try #require(Self.clock(taken)), source: .dateTimeOriginal)
        #expect(try Self.answer(option, age, subject) == expected)
    }

    @Test func agesAreCountedByTheClocksOfTheZone() throws {
        // Ten hours behind UTC, where now it is 2 in the morning of 31 March.
        let honolulu = TimeZone { _ in -36000 }
        func answer(_ option: String, _ value: String, _ subject: Subject) throws -> Bool? {
            try Predicate(option: option, value: Array(value.utf8), now: Self.now, zone: honolulu).matches(subject)
        }
        var subject = Self.photo()
        subject.photo.taken = CaptureDate(
            wall: try #require(Self.clock("2024-03-30T06:00:00")), source: .dateTimeOriginal)
        #expect(try answer("older-than", "1d", subject) == false)
        #expect(try answer("last", "1d", subject) == true)
        #expect(try answer("where", "taken > 1d", subject) == true)
        subject.photo.taken = CaptureDate(
            wall: try #require(Self.clock("2024-03-30T02:00:00")), source: .dateTimeOriginal)
        for option in ["older-than", "last"] { #expect(try answer(option, "1d", subject) == true) }
        // A zone of its own is believed; an instant has the day that clocks here showed.
        subject.photo.taken = CaptureDate(
            wall: try #require(Self.clock("2024-03-30T06:00:00")), offsetMinutes: 0, source: .dateTimeOriginal)
        #expect(try answer("older-than", "1d", subject) == true)
        #expect(try answer("taken", "2024-03-30", subject) == true)
        subject.photo.taken = CaptureDate(
            wall: try #require(Self.clock("2024-03-30T06:00:00")), offsetMinutes: 0, source: .modified)
        #expect(try answer("taken", "2024-03-29", subject) == true)
        #expect(try answer("where", "taken == 2024-03-29", subject) == true)
        #expect(try answer("where", "modified == 1969-12-31", subject) == true)
    }

    @Test(
        arguments: [
            ("Canon", "Canon EOS 5D", "Canon EOS 5D"), ("NIKON CORPORATION", "NIKON D70", "NIKON D70"),
            ("EASTMAN KODAK COMPANY", "KODAK DC240 ZOOM", "KODAK DC240 ZOOM"), ("SONY", "DSC-W1", "SONY DSC-W1"),
            ("Apple", nil, "Apple"), (nil, "iPhone", "iPhone"), (nil, nil, nil),
        ] as [(String?, String?, String?)])
    func theCameraNamesItsMakerOnce(make: String?, model: String?, camera: String?) {
        var photo = Self.photo().photo
        (photo.make, photo.model) = (make, model)
        #expect(photo.camera == camera)
    }

    @Test func anAgeLooksAtTheMomentAndARangeAtTheWall() throws {
        var subject = Self.photo()
        subject.photo.taken = CaptureDate(
            wall: WallClock(year: 2024, month: 1, day: 1, hour: 1)!, offsetMinutes: 120, source: .dateTimeOriginal)
        #expect(try Self.answer("taken", "2024", subject) == true)
        #expect(try Self.answer("taken", "2023", subject) == false)
        let later = WallClock(year: 2024, month: 12, day: 31, hour: 23, minute: 30)!
        let year = try Predicate(option: "older-than", value: Array("1y".utf8), now: later)
        #expect(year.matches(subject) == true)
    }

    @Test(
        arguments: [
            ("size", "1000", true), ("size", "1kB", true), ("size", "1KiB", false), ("size", "..999", false),
            ("size", "..100,1kB..", true), ("name", "img_*", true), ("name", "*.png", false),
            ("name", "*.png,*.jpg", true),
            ("path", "a/*", true), ("path", "IMG*", false), ("exclude", "IMG*", false), ("exclude", "a/*", false),
            ("exclude", "b/*", true), ("type", "photo", true), ("type", "JPG", true), ("type", "video,raw", nil),
            ("date-source", "exif", true), ("date-source", "xmp,name", false), ("offline", nil, false),
        ] as [(String, String?, Bool?)])
    func simplePredicates(option: String, value: String?, expected: Bool?) throws {
        var subject = Self.photo()
        subject.unit = nil
        #expect(try Self.answer(option, value, subject) == expected)
    }

    @Test func unknownNeverMatches() throws {
        var subject = Self.photo()
        for (option, value) in [
            ("megapixels", "..100"), ("long-edge", "0.."), ("shape", "square"), ("orientation", "1"), ("camera", "x"),
            ("near", "0,0,40000"), ("rating", "-1..5"),
        ] {
            #expect(try Self.answer(option, value, subject) == nil, "\(option)")
        }
        #expect(try Self.answer("gps", "no", subject) == true)
        #expect(try Self.answer("favorite", "no", subject) == true)
        subject.isRead = false
        #expect(try Self.answer("gps", "no", subject) == nil)
        #expect(try Self.answer("favorite", "no", subject) == nil)
        #expect(try Self.answer("screenshot", nil, subject) == nil)
    }

    @Test func measuresCameraAndPlace() throws {
        var subject = Self.photo()
        (subject.photo.width, subject.photo.height) = (3000, 4000)
        (subject.photo.make, subject.photo.model) = ("NIKON CORPORATION", "E5000")
        subject.photo.location = Coordinate(latitude: 48.137, longitude: 11.575)
        subject.photo.rating = 5
        for (option, value, expected) in [
            ("megapixels", "12", true), ("megapixels", "12.1..", false), ("long-edge", "4000", true),
            ("shape", "portrait,square", true), ("shape", "landscape", false), ("camera", "nikon", true),
            ("camera", "corporation e5", true), ("camera", "canon,nikon", true), ("gps", "yes", true),
            ("near", "48.14,11.58,2", true), ("near", "48.14, 11.58, 0.1", false), ("favorite", "no", false),
            ("rating", "4..", true), ("rating", "0", false),
        ] {
            #expect(try Self.answer(option, value, subject) == expected, "\(option) \(value)")
        }
    }

    @Test func thePairOfARawAndAJPEGIsFoundAsRaw() throws {
        var subject = Self.photo()
        subject.unit?.rawFormats = [.cr2]
        subject.unit?.hasRaw = true
        #expect(try Self.answer("type", "raw", subject) == true)
        #expect(try Self.answer("type", "cr2", subject) == true)
        #expect(try Self.answer("type", "nef", subject) == false)
        #expect(try Self.answer("has", "live,raw", subject) == true)
        #expect(try Self.answer("has", "sidecar", subject) == false)
    }

    @Test func screenshotsByNameAndByAScreensSize() throws {
        #expect(try Self.answer("screenshot", nil, Self.photo("Bildschirmfoto 2024.jpg")) == true)
        var subject = Self.photo("x.png")
        subject.photo.format = .png
        (subject.photo.width, subject.photo.height) = (1170, 2532)
        #expect(try Self.answer("screenshot", nil, subject) == true)
        subject.photo.model = "X100"
        #expect(try Self.answer("screenshot", nil, subject) == false)
        subject.isMarkedScreenshot = true
        #expect(try Self.answer("screenshot", nil, subject) == true)
    }

    /// Every one of them is a mistake that must not turn into "everything".
    @Test(arguments: [
        ("name", "", ""), ("taken", "2023-13", "2023-13"), ("taken", "2023-02-30", "2023-02-30"), ("taken", "..", ".."),
        ("taken", "2023..2023-13", "2023-13"), ("taken", "2024..2023", "2024..2023"), ("taken", "23", "23"),
        ("taken", "2023-5", "2023-5"), ("size", "5XB", "5XB"), ("size", "1..x", "x"), ("last", "3m", "3m"),
        ("last", "30", "30"), ("last", "-3d", "-3d"), ("older-than", "d", "d"), ("gps", "maybe", "maybe"),
        ("type", "jpgg", "jpgg"), ("type", "jpeg,", "jpeg,"), ("orientation", "9", "9"), ("shape", "round", "round"),
        ("near", "48,11", "48,11"), ("near", "99,11,1", "99,11,1"), ("near", "1,1,-1", "1,1,-1"), ("rating", "6", "6"),
        ("rating", "x", "x"), ("megapixels", "inf", "inf"), ("long-edge", "1.5", "1.5"), ("has", "dead", "dead"),
        ("date-source", "exiv", "exiv"), ("similar", "129", "129"),
    ])
    func mistakesNameTheirText(option: String, value: String, fault: String) {
        #expect(throws: QueryError.self) { try Self.answer(option, value, Self.photo()) }
        do { _ = try Predicate(option: option, value: Array(value.utf8), now: Self.now) } catch {
            #expect(error.text == fault)
            #expect(error.option == option)
        }
    }

    @Test func everyOptionIsKnownAndOthersAreNot() {
        for option in Predicate.options {
            do { _ = try Predicate(option: option, value: Array("no such value (".utf8), now: Self.now) } catch {
                #expect(error != .unknownOption(option))
            }
        }
        #expect(throws: QueryError.unknownOption("sise")) { try Self.answer("sise", "5", Self.photo()) }
        #expect(throws: QueryError.missingValue(option: "size")) { try Self.answer("size", nil, Self.photo()) }
    }

    static func clock(_ text: String) -> WallClock? {
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        return WallClock(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
    }

    /// Clocks that go forward and back within two days: one hour occurs twice, and one is skipped.
    @Test func anAgeNeverEndsBeforeItBegins() throws {
        let now = Self.now
        let zone = TimeZone { abs($0 - now.seconds) < 40_000 ? 3600 : 0 }
        let predicate = try Predicate(option: "last", value: Array("0d".utf8), now: now, zone: zone)
        #expect(predicate.matches(Self.photo()) == false)
    }
}
