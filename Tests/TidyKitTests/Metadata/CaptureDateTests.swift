import Support
import Testing
import TidyKit

@Suite struct CaptureDateTests {
    /// DateTimeOriginal as it is written, and what becomes of it; nil where it falls through.
    @Test(
        arguments: [
            ("2024:05:01 12:00:00", "2024-05-01T12:00:00"),  // every camera
            ("2015-02-03 04:05:06", "2015-02-03T04:05:06"),  // some Android galleries
            ("2004:07:13T21:23:44Z", "2004-07-13T21:23:44"),  // an old editor
            ("2016:01:26 24:48:30", "2016-01-26T00:48:30"),  // HTC and Samsung around 2012-2016
            ("1826:01:01 00:00:00", "1826-01-01T00:00:00"),  // scans of old photographs
            ("2026:12:31 23:59:59", "2026-12-31T23:59:59"),  // a clock set wrong by less than a year
            ("1825:12:31 23:59:59", nil), ("2027:01:01 00:00:00", nil),
            ("0000:00:00 00:00:00", nil),  // Olympus, clock never set
            ("    :  :     :  :  ", nil),  // Fujifilm, clock never set
            ("2015:02:30 04:05:06", nil), ("2015:13:01 00:00:00", nil), ("2015:02:03 04:60:00", nil),
            ("2015:02:03 25:00:00", nil), ("12015:02:03 04:05:06", nil), ("", nil),
            ("2007/06/30 18:45:17", "2007-06-30T18:45:17"),  // cheap cameras
            ("2007.06.30 18.45.17", "2007-06-30T18:45:17"), ("1997:08:25:13:12:50", "1997-08-25T13:12:50"),
            ("2012:10:03 14:05", "2012-10-03T14:05:00"), ("2012:10:03 14:05:  ", "2012-10-03T14:05:00"),
            ("2012:10:03", "2012-10-03T00:00:00"), ("2012:10:03   :  :  ", "2012-10-03T00:00:00"),
            ("2012:10:03 14:05:xx", nil), ("2012:10:03 14", nil), ("2012:10:03x14:05:06", nil),
            ("2012:10:03 14:05-07:00", "2012-10-03T14:05:00"), ("2012:02:30", nil), ("0000:00:00", nil),
            ("2012:10:03 24:05", "2012-10-03T00:05:00"),
        ] as [(String, String?)])
    func exifText(text: String, expected: String?) throws {
        let found = try metadata { exif in
            exif.set(.exif, 0x9003, .ascii(text))
            exif.set(.exif, 0x9004, .ascii("2011:11:11 11:11:11"))
        }
        #expect(found?.captureDate?.text == expected ?? "2011-11-11T11:11:11")
        #expect(found?.captureDate?.source == (expected == nil ? .dateTimeDigitized : .dateTimeOriginal))
    }

    @Test func hour24IsAProblem() throws {
        let found = try metadata { $0.taken("2016:01:26 24:48:30") }
        #expect(found?.problems.map(\.description) == ["hour 24 in exif.DateTimeOriginal read as 00 of that day"])
        #expect(try metadata { $0.taken("2016:01:26 23:48:30") }?.problems == [])
    }

    @Test(arguments: [
        ("2012:10:03 14:05:06", CaptureDate.Precision.second), ("2012:10:03 14:05", .minute), ("2012:10:03", .day),
        ("2012:10:03 00:00:00", .second),
    ])
    func precisionIsWhatIsWritten(text: String, precision: CaptureDate.Precision) throws {
        #expect(try metadata { $0.taken(text) }?.captureDate?.precision == precision)
        // A fraction belongs to seconds that are known.
        let fraction = try metadata { $0.taken(text, subseconds: "5") }?.captureDate
        #expect(fraction?.precision == (precision == .second ? .subsecond : precision))
    }

    @Test func textWithoutNULAndWithJunkBehindItCounts() throws {
        let found = try metadata { $0.set(.exif, 0x9003, .undefined(Array("2015:02:03 04:05:06".utf8))) }
        #expect(found?.captureDate?.text == "2015-02-03T04:05:06")
        let junk = try metadata { $0.set(.exif, 0x9003, .ascii("2015:02:03 04:05:06\0\0Q")) }
        #expect(junk?.captureDate?.text == "2015-02-03T04:05:06")
    }

    @Test(arguments: [
        ("+02:00", "+02:00"), ("-07:30", "-07:30"), ("Z", "Z"), ("+00:00", "Z"), ("+0900", "+09:00"),
        ("   :  ", ""), ("", ""), ("+25:00", ""), ("+02:75", ""), ("Europe", ""),
    ])
    func offsets(text: String, suffix: String) throws {
        let found = try metadata { $0.taken("2024:05:01 12:00:00", offset: text) }
        #expect(found?.captureDate?.text == "2024-05-01T12:00:00" + suffix)
    }

    @Test(arguments: [
        ("25", ".25"), ("070", ".070"), ("0", ".0"), ("5  ", ".5"), ("  ", ""), ("", ""), ("1x", ""), ("-1", ""),
    ])
    func subsecondsStayAsTheyWereWritten(text: String, suffix: String) throws {
        let date = try metadata { $0.taken("2024:05:01 12:00:00", subseconds: text) }?.captureDate
        #expect(date?.text == "2024-05-01T12:00:00" + suffix)
        #expect(date?.precision == (suffix.isEmpty ? .second : .subsecond))
    }

    @Test func offsetAndSubsecondsBelongToTheirDate() throws {
        let date = try metadata { exif in
            exif.taken("2015:02:03 04:05:06")
            exif.set(.exif, 0x9012, .ascii("+05:00"))
            exif.set(.exif, 0x9010, .ascii("+07:00"))
            exif.set(.exif, 0x9292, .ascii("77"))
        }?.captureDate
        #expect(date?.text == "2015-02-03T04:05:06")
    }

    @Test func aDateMisplacedInIFD0CountsUnlessTheExifIFDHasOne() throws {
        let misplaced = try metadata { $0.set(.image, 0x9003, .ascii("2006:05:27 12:37:03")) }
        #expect(misplaced?.captureDate?.text == "2006-05-27T12:37:03")
        let both = try metadata { exif in
            exif.set(.image, 0x9003, .ascii("2006:05:27 12:37:03"))
            exif.taken("2007:01:01 01:01:01")
        }
        #expect(both?.captureDate?.text == "2007-01-01T01:01:01")
    }

    /// Each row drops the first source of the one before.
    @Test func theFirstValidSourceWins() throws {
        let packet = xmpPacket(
            #"exif:DateTimeOriginal="2003-03-03T03:03:03+03:00" photoshop:DateCreated="2004-04-04T04:04:04" "#
                + #"xmp:CreateDate="2005-05-05T05:05:05Z""#)
        let record = JPEGFixture.iptc(date: "20050607", time: "080910+0100")
        func taken(_ packet: String?, _ tags: [(UInt16, String)], hasIPTC: Bool = true) throws -> String? {
            var exif = ExifFixture()
            exif.camera(make: "Maker", model: "Model")
            for (tag, text) in tags { exif.set(tag == 0x0132 ? .image : .exif, tag, .ascii(text)) }
            var jpeg = JPEGFixture().with(exif)
            if let packet { jpeg = jpeg.with(xmp: packet) }
            if hasIPTC { jpeg = jpeg.with(0xED, record) }
            let date = try metadata(of: jpeg)?.captureDate
            return date.map { "\($0.source.rawValue) \($0.text)" }
        }
        let original: (UInt16, String) = (0x9003, "2001:01:01 01:01:01")
        let digitized: (UInt16, String) = (0x9004, "2002:02:02 02:02:02")
        let modified: (UInt16, String) = (0x0132, "2006:06:06 06:06:06")
        #expect(try taken(packet, [original, digitized, modified]) == "exif.DateTimeOriginal 2001-01-01T01:01:01")
        #expect(try taken(packet, [digitized, modified]) == "exif.DateTimeDigitized 2002-02-02T02:02:02")
        #expect(try taken(packet, [modified]) == "xmp 2003-03-03T03:03:03+03:00")
        #expect(try taken(nil, [modified]) == "iptc 2005-06-07T08:09:10+01:00")
        #expect(try taken(nil, [modified], hasIPTC: false) == "exif.DateTime 2006-06-06T06:06:06")
        #expect(try taken(nil, [], hasIPTC: false) == nil)
    }
}
