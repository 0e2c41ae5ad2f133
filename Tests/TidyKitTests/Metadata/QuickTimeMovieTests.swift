import Support
import Testing
import TidyKit

@Suite struct QuickTimeMovieTests {
    @Test func theHeaderTellsDurationAndDateInUTC() throws {
        // 2024-05-01T10:00:00Z, counted from 1904.
        let found = try metadata(of: MovieFixture(created: 3_797_402_400).bytes)
        #expect(found?.captureDate?.text == "2024-05-01T10:00:00Z")
        #expect(found?.captureDate?.source == .quickTime)
        #expect(found?.duration == 2.5)
        #expect([found?.width, found?.height] == [1920, 1080])
    }

    @Test func aDateOfZeroIsNoneAndOneCountedFrom1970IsKnown() throws {
        #expect(try metadata(of: MovieFixture(created: 0).bytes)?.captureDate == nil)
        #expect(try metadata(of: MovieFixture(created: 2_082_844_800).bytes)?.captureDate == nil)
        #expect(
            try metadata(of: MovieFixture(created: 1_714_557_600).bytes)?.captureDate?.text == "2024-05-01T10:00:00Z")
    }

    @Test func theDayOfTheUserDataIsTheLastResort() throws {
        let day = "2007-02-03T04:05:06+0100"
        let value = bigEndian(UInt16(day.utf8.count)) + [0x15, 0xC7] + Array(day.utf8)
        let userData = bigEndian(UInt32(value.count + 8)) + [0xA9, 0x64, 0x61, 0x79] + value
        let found = try metadata(of: MovieFixture(userData: userData).bytes)
        #expect(found?.captureDate?.text == "2007-02-03T04:05:06+01:00")
        let both = try metadata(of: MovieFixture(created: 3_797_402_400, userData: userData).bytes)
        #expect(both?.captureDate?.text == "2024-05-01T10:00:00Z")
    }

    @Test func keysOfIPhones() throws {
        let movie = MovieFixture(
            created: 3_797_402_400,
            keys: [
                ("com.apple.quicktime.make", "Apple"), ("com.apple.quicktime.model", "iPhone 15 Plus"),
                ("com.apple.quicktime.location.ISO6709", "+48.1374+011.5755+520.000/"),
                ("com.apple.quicktime.creationdate", "2024-05-01T12:00:00+0200"),
                ("com.apple.quicktime.content.identifier", "6A3D0F5B"),
            ])
        let found = try metadata(of: movie.bytes)
        #expect(found?.captureDate?.text == "2024-05-01T12:00:00+02:00")
        #expect(found?.make == "Apple" && found?.model == "iPhone 15 Plus" && found?.contentIdentifier == "6A3D0F5B")
        #expect(found?.location == Coordinate(latitude: 48.1374, longitude: 11.5755))
    }

    @Test(arguments: [
        ("+48.1374+011.5755/", 48.1374, 11.5755), ("-3330.5+07015.25/", -33.508333333333333, 70.254166666666667),
        ("+483036-0113018/", 48.51, -11.505),
    ])
    func placesOfAndroid(text: String, latitude: Double, longitude: Double) throws {
        let value = bigEndian(UInt16(text.utf8.count)) + [0x15, 0xC7] + Array(text.utf8)
        let userData = bigEndian(UInt32(value.count + 8)) + [0xA9, 0x78, 0x79, 0x7A] + value
        let found = try metadata(of: MovieFixture(userData: userData).bytes)
        #expect(abs((found?.location?.latitude ?? 0) - latitude) < 1e-9)
        #expect(abs((found?.location?.longitude ?? 0) - longitude) < 1e-9)
    }

    private func named(_ type: [UInt8], _ body: [UInt8]) -> [UInt8] { bigEndian(UInt32(body.count + 8)) + type + body }

    @Test func listsOfITunesHoldCameraAndPlace() throws {
        // What ffmpeg keeps of a phone's video when it writes an MP4.
        func item(_ name: String, _ text: String) -> [UInt8] {
            named(
                [0xA9] + Array(name.utf8), box("data", bigEndian(UInt32(1)) + bigEndian(UInt32(0)) + Array(text.utf8)))
        }
        let list = box("ilst", item("mak", "Maker") + item("mod", "Model 3") + item("xyz", "+48.51-011.25/"))
        let found = try metadata(of: MovieFixture(userData: box("meta", [0, 0, 0, 0] + list)).bytes)
        #expect(found?.make == "Maker" && found?.model == "Model 3")
        #expect(found?.location == Coordinate(latitude: 48.51, longitude: -11.25))
    }

    @Test(arguments: [[UInt8](), [0, 0, 0, 0, 0x15, 0xC7]])
    func manufacturersOfCanonAndSamsung(header: [UInt8]) throws {
        let userData =
            box("manu", header + Array("Maker\0".utf8)) + box("modl", header + Array("Model 3\0\0\0".utf8))
        let found = try metadata(of: MovieFixture(userData: userData).bytes)
        #expect(found?.make == "Maker" && found?.model == "Model 3")
    }

    @Test(arguments: [Array("Home\0".utf8), [0], [0xFE, 0xFF, 0x01, 0x00, 0x00, 0x41, 0, 0]])
    func placesOf3GP(name: [UInt8]) throws {
        // Nokia and Sony Ericsson phones: longitude first.
        let place =
            bigEndian(UInt32(0)) + [0x15, 0xC7] + name + [0] + bigEndian(Int32(-11.25 * 65536))
            + bigEndian(Int32(48.5 * 65536)) + bigEndian(Int32(0)) + Array("earth\0\0".utf8)
        let found = try metadata(of: MovieFixture(userData: box("loci", place)).bytes)
        #expect(found?.location == Coordinate(latitude: 48.5, longitude: -11.25))
        let cut = try metadata(of: MovieFixture(userData: box("loci", Array(place.prefix(10)))).bytes)
        #expect(cut?.location == nil)
    }

    @Test(arguments: [
        (1, 0, 0, 1, 1), (0, 1, -1, 0, 6), (-1, 0, 0, -1, 3), (0, -1, 1, 0, 8), (-1, 0, 0, 1, 2),
    ])
    func theMatrixTurnsThePicture(a: Int32, b: Int32, c: Int32, d: Int32, orientation: Int) throws {
        let found = try metadata(of: MovieFixture(matrix: (a, b, c, d)).bytes)
        #expect(found?.orientation?.rawValue == orientation)
        #expect([found?.width, found?.height] == (orientation < 5 ? [1920, 1080] : [1080, 1920]))
    }

    @Test func aMovieWithoutItsHeaderHasAProblem() throws {
        let bytes = MovieFixture().bytes
        #expect(try metadata(of: bytes)?.problems == [])
        #expect(try metadata(of: Array(bytes.prefix(4000)))?.problems.count == 1)
    }
}
