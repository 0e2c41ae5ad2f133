import Support
import Testing
import TidyKit

@Suite struct ExifFieldsTests {
    @Test(arguments: 1...8)
    func sizeIsUpright(orientation: Int) throws {
        let found = try metadata { $0.orientation(UInt16(orientation)) }
        #expect(found?.orientation?.rawValue == orientation)
        #expect([found?.width, found?.height] == (orientation < 5 ? [64, 48] : [48, 64]))
    }

    @Test(
        arguments: [
            (ExifFixture.Value.long([6]), 6), (.signedLong([8]), 8), (.bytes([3]), 3), (.undefined([5]), 5),
            (.ascii("6"), 6), (.rational([(7, 1)]), 7), (.short([0]), nil), (.short([9]), nil), (.short([36865]), nil),
            (.signedLong([-1]), nil), (.rational([(1, 0)]), nil), (.ascii(""), nil), (.short([]), nil),
        ] as [(ExifFixture.Value, Int?)])
    func orientationOfAnyType(value: ExifFixture.Value, expected: Int?) throws {
        let found = try metadata { exif in
            exif.camera(make: "Maker", model: "Model")
            exif.set(.image, 0x0112, value)
        }
        #expect(found?.make == "Maker")
        #expect(found?.orientation?.rawValue == expected)
    }

    @Test func theThumbnailsOrientationIsNotThePhotos() throws {
        let found = try metadata { exif in
            exif.camera(make: "Maker", model: "Model")
            exif.set(.thumbnail, 0x0112, .short([6]))
        }
        #expect(found?.orientation == nil)
    }

    @Test(
        arguments: [
            ("Canon", "Canon"), ("OLYMPUS IMAGING CORP.  ", "OLYMPUS IMAGING CORP."), ("HP\0\0\0junk", "HP"),
            ("   ", nil),
            ("", nil), ("Caméra", "Caméra"),
        ] as [(String, String?)])
    func namesEndAtTheirNULAndLoseTheirBlanks(text: String, expected: String?) throws {
        let found = try metadata { exif in
            exif.set(.image, 0x010F, .ascii(text))
            exif.set(.image, 0x0110, .ascii("Model"))
            exif.set(.exif, 0xA434, .ascii(text))
        }
        #expect(found?.make == expected && found?.lens == expected && found?.model == "Model")
    }

    private func place(
        _ latitude: ExifFixture.Value?, _ longitude: ExifFixture.Value?, _ north: String? = "N", _ east: String? = "E"
    ) throws -> Coordinate? {
        try metadata { exif in
            exif.camera(make: "Maker", model: "Model")
            if let north { exif.set(.gps, 1, .ascii(north)) }
            if let latitude { exif.set(.gps, 2, latitude) }
            if let east { exif.set(.gps, 3, .ascii(east)) }
            if let longitude { exif.set(.gps, 4, longitude) }
        }?.location
    }

    @Test func placesInDegreesMinutesAndSeconds() throws {
        let whole = ExifFixture.Value.rational([(48, 1), (30, 1), (36, 1)])
        let minutes = ExifFixture.Value.rational([(11, 1), (3030, 100)])
        #expect(try place(whole, minutes) == Coordinate(latitude: 48.51, longitude: 11.505))
        #expect(try place(whole, minutes, "S", "W") == Coordinate(latitude: -48.51, longitude: -11.505))
        // The sign of a signed fraction must not turn the hemisphere again.
        #expect(try place(.signedRational([(-48, 1), (0, 1), (0, 1)]), minutes, "S")?.latitude == -48)
        #expect(try place(.signedRational([(33, 1), (30, 1)]), .rational([(70, 1)]), "S", "W")?.latitude == -33.5)
        // A reference that is there but empty, as some phones write it.
        #expect(try place(whole, minutes, "", "")?.latitude == 48.51)
    }

    @Test func placesWrittenAsText() throws {
        // Some Android galleries and editors.
        #expect(
            try place(.ascii("48,30,36"), .ascii("11, 30, 18.0")) == Coordinate(latitude: 48.51, longitude: 11.505))
        #expect(
            try place(.ascii("48.51"), .ascii("11.25"), "S", "W") == Coordinate(latitude: -48.51, longitude: -11.25))
        // One part too many: the seconds are in hundredths of minutes already.
        #expect(try place(.ascii("52,00000,50.00000,34.01180"), .ascii("11"))?.latitude == 52 + 50.0 / 3600)
        #expect(try place(.ascii("north"), .ascii("11")) == nil)
        #expect(try place(.ascii("4.8.5"), .ascii("11")) == nil)
        #expect(try place(.ascii(""), .ascii("11")) == nil)
    }

    @Test func halfAPlaceIsNone() throws {
        let good = ExifFixture.Value.rational([(48, 1), (30, 1), (36, 1)])
        #expect(try place(good, nil) == nil)
        #expect(try place(good, good, nil) == nil)
        #expect(try place(good, good, "N", nil) == nil)
        #expect(try place(.rational([(0, 0), (0, 0), (0, 0)]), good) == nil)
        #expect(try place(.rational([(48, 1), (30, 1), (0, 0)]), good) == nil)
        #expect(try place(.rational([(91, 1), (0, 1), (0, 1)]), good) == nil)
    }

    @Test func zeroAndZeroIsNoPlaceButOneOfThemIs() throws {
        let zero = ExifFixture.Value.rational([(0, 1), (0, 1), (0, 1)])
        let ten = ExifFixture.Value.rational([(10, 1), (0, 1), (0, 1)])
        #expect(try place(zero, zero) == nil)
        #expect(try place(zero, zero, "S", "W") == nil)
        #expect(try place(zero, ten) == Coordinate(latitude: 0, longitude: 10))
    }

    @Test(arguments: [("V", false), ("v", false), ("A", true), ("", true)])
    func aReceiverWithoutAFixKnowsNoPlace(status: String, isPlace: Bool) throws {
        let found = try metadata { exif in
            exif.location(latitude: 48.5, longitude: 11.5)
            exif.set(.gps, 0x0009, .ascii(status))
        }
        #expect((found?.location != nil) == isPlace)
    }

    @Test func makeAndModelOfXMPCountWhereEXIFHasNone() throws {
        let packet = xmpPacket(#"xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Make="Canon" tiff:Model="EOS""#)
        let alone = try metadata(of: JPEGFixture().with(xmp: packet))
        #expect(alone?.make == "Canon" && alone?.model == "EOS")
        var exif = ExifFixture()
        exif.camera(make: "Nikon", model: "D70")
        let both = try metadata(of: JPEGFixture().with(exif).with(xmp: packet))
        #expect(both?.make == "Nikon" && both?.model == "D70")
    }

    @Test(
        arguments: [
            (1, 1), (12, 1), (13, 2), (37, 2), (38, 3), (62, 3), (63, 4), (87, 4), (88, 5), (99, 5), (100, 5), (0, nil),
            (101, nil),
        ] as [(Int, Int?)])
    func percentagesBecomeStarsByTheStepsOfWindows(percent: Int, stars: Int?) throws {
        let found = try metadata { exif in
            exif.camera(make: "Maker", model: "Model")
            exif.set(.image, 0x4749, .short([UInt16(percent)]))
        }
        #expect(found?.rating == stars)
    }

    @Test func xmpRatesBeforeExifAndExifBeforeThePercentage() throws {
        var exif = ExifFixture()
        exif.set(.image, 0x4749, .short([99]))
        #expect(try metadata(of: JPEGFixture().with(exif))?.rating == 5)
        exif.set(.image, 0x4746, .short([2]))
        let jpeg = JPEGFixture().with(exif)
        #expect(try metadata(of: jpeg)?.rating == 2)
        #expect(try metadata(of: jpeg.with(xmp: xmpPacket(#"xmp:Rating="0""#)))?.rating == 0)
        #expect(try metadata(of: jpeg.with(xmp: xmpPacket(#"xmp:Rating="-1""#)))?.rating == -1)
        #expect(try metadata(of: jpeg.with(xmp: xmpPacket(#"MicrosoftPhoto:Rating="1""#)))?.rating == 2)
    }

    @Test func screenshotsOfIOSSaySo() throws {
        let comment = Array("ASCII\0\0\0Screenshot".utf8)
        #expect(try metadata { $0.set(.exif, 0x9286, .undefined(comment)) }?.isScreenshot == true)
        let other = Array("ASCII\0\0\0My Screenshot".utf8)
        #expect(try metadata { $0.set(.exif, 0x9286, .undefined(other)) }?.isScreenshot == false)
    }

    @Test func appleMakerNoteHoldsTheContentIdentifier() throws {
        let name = Array("6A3D0F5B-LIVE".utf8) + [0]
        let note =
            Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + bigEndian(UInt16(1)) + bigEndian(UInt16(0x11))
            + bigEndian(UInt16(2)) + bigEndian(UInt32(name.count)) + bigEndian(UInt32(32)) + bigEndian(UInt32(0)) + name
        let found = try metadata { $0.set(.exif, 0x927C, .undefined(note)) }
        #expect(found?.contentIdentifier == "6A3D0F5B-LIVE")
    }
}
