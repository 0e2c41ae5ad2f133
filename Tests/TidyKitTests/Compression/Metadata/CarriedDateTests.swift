import Support
import Testing

@testable import TidyKit

/// Capture dates that stand where `safe` takes everything away.
@Suite struct CarriedDateTests {
    private static func packet(_ attributes: String) -> String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
        <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(attributes)/></rdf:RDF></x:xmpmeta>
        """
    }

    private static func dataset(_ number: UInt8, _ text: String) -> [UInt8] {
        [0x1C, 2, number, 0, UInt8(text.utf8.count)] + text.utf8
    }

    private static func resource(_ number: UInt16, _ data: [UInt8]) -> [UInt8] {
        Array("8BIM".utf8) + [UInt8(number >> 8), UInt8(number & 255), 0, 0]
            + [0, 0, UInt8(data.count >> 8), UInt8(data.count & 255)] + data + (data.count % 2 == 1 ? [0] : [])
    }

    /// An APP13 segment with a date, behind another resource with a name of its own.
    private static func iptc(_ date: String, _ time: String?) -> [UInt8] {
        Array("Photoshop 3.0\0".utf8) + resource(0x03ED, [1, 2, 3])
            + resource(0x0404, dataset(5, "title") + dataset(55, date) + (time.map { dataset(60, $0) } ?? []))
    }

    private static let plain = JPEGFixture(width: 320, height: 240)

    private static func dated(_ fill: (inout ExifFixture) -> Void) -> JPEGFixture {
        var exif = ExifFixture()
        exif.camera(make: "Maker", model: "Model")
        fill(&exif)
        return plain.with(exif)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var source: JPEGFixture
        var date: String

        init(_ name: String, _ source: JPEGFixture, _ date: String) {
            (testDescription, self.source, self.date) = (name, source, date)
        }
    }

    private static let cases = [
        Case(
            "xmp:CreateDate", plain.with(xmp: packet(#"xmp:CreateDate="2013-07-05T03:18:27.250+02:00""#)),
            "2013-07-05T03:18:27.250+02:00"),
        Case(
            "a day", plain.with(xmp: packet(#"photoshop:DateCreated="2013-07-05""#)), "2013-07-05T00:00:00"),
        Case(
            "UTC", plain.with(xmp: packet(#"exif:DateTimeOriginal="2013-07-05T03:18:27Z""#)), "2013-07-05T03:18:27Z"),
        Case(
            "west", plain.with(xmp: packet(#"xmp:CreateDate="2013-07-05T03:18-07:30""#)),
            "2013-07-05T03:18:00-07:30"),
        Case(
            "of higher rank than DateTime",
            dated { $0.set(.image, 0x0132, .ascii("2020:01:01 00:00:00")) }
                .with(xmp: packet(#"xmp:CreateDate="2013-07-05T03:18:27""#)), "2013-07-05T03:18:27"),
        Case(
            "beside a DateTimeOriginal of zeros",
            dated { $0.taken("0000:00:00 00:00:00", offset: "+09:00", subseconds: "99") }
                .with(xmp: packet(#"xmp:CreateDate="2013-07-05T03:18:27""#)), "2013-07-05T03:18:27"),
        Case("IPTC", plain.with(0xED, iptc("20130705", "031827+0200")), "2013-07-05T03:18:27+02:00"),
        Case("IPTC, a day", plain.with(0xED, iptc("20130705", nil)), "2013-07-05T00:00:00"),
        Case("IPTC, a time that is none", plain.with(0xED, iptc("20130705", "996699")), "2013-07-05T00:00:00"),
        Case("IPTC, blanks", plain.with(0xED, iptc("20130705", "      ")), "2013-07-05T00:00:00"),
        // What EXIF says stays as it is written.
        Case(
            "EXIF", dated { $0.taken("2024:05:01 12:00:00", offset: "+02:00", subseconds: "25") },
            "2024-05-01T12:00:00.25+02:00"),
        Case(
            "DateTime alone", dated { $0.set(.image, 0x0132, .ascii("2020:01:01 00:00:00")) }, "2020-01-01T00:00:00"),
        Case(
            "DateTimeOriginal in IFD0", dated { $0.set(.image, 0x9003, .ascii("2020:01:01 00:00:00")) },
            "2020-01-01T00:00:00"),
    ]

    @Test(arguments: cases) func safeKeepsTheDate(of photo: Case) throws {
        for edge in [nil, 200] as [Int?] {
            let done = try CompressedFixture(photo.source.bytes, .safe, edge: edge)
            #expect(done.item.action == (edge == nil ? .rewritten : .recompressed) || done.item.action == .copied)
            #expect(done.found.captureDate?.text == photo.date)
            #expect(done.found.captureDate?.source != .xmp)
            #expect(!done.contents.contains(.xmp) && !done.contents.contains(.photoshop))
            #expect(done.contents.count == 2 && Set(done.contents.map { "\($0)" }) == ["jfif", "exif"])
            let again = try CompressedFixture(done.bytes, .safe, edge: edge)
            #expect(again.item.action == .copied && again.bytes == done.bytes)
        }
    }

    @Test func aDateOfPNGTextIsKeptByAllToo() throws {
        let png = PNGFixture(DrawnPicture(width: 120, height: 90))
            .with("tEXt", Array("Creation Time\0".utf8) + Array("2007-02-13T06:34:38".utf8))
        for policy in [MetadataPolicy.safe, .all] {
            let done = try CompressedFixture(png.bytes, name: "a.png", policy)
            #expect(done.found.captureDate?.text == "2007-02-13T06:34:38")
            #expect(done.exif?.entry(0x9000, in: .exif)?.value == Array("0231".utf8))
        }
        #expect(try CompressedFixture(png.bytes, name: "a.png", .none).found.captureDate == nil)
    }

    @Test func datesOfNamesAndTheFilesystemAreNotWritten() throws {
        for edge in [nil, 200] as [Int?] {
            let done = try CompressedFixture(Self.plain.bytes, name: "IMG_20230514_101112.jpg", .safe, edge: edge)
            #expect(done.exif == nil && done.found.captureDate == nil)
        }
    }

    @Test func aDateBehindJFIFWhereThereWasNoBlock() throws {
        let source = Self.plain.with(xmp: Self.packet(#"xmp:CreateDate="2013-07-05T03:18:27""#)).bytes
        #expect(try CompressedFixture(source, .safe).contents == [.jfif, .exif])
        #expect(try CompressedFixture(source, .safe, edge: 200).contents == [.jfif, .exif])
    }

    @Test func keepsPixelsIfOnlyTheDateExceedsTheTarget() throws {
        // Already optimised: not even new tables make room.
        let picture = try CompressedFixture(DrawnPicture(width: 160, height: 120).jpeg(), .safe, edge: 100).bytes
        let source = JPEGFixture(picture: picture).with(0xED, Self.iptc("20130705", "031827")).bytes
        let done = try CompressedFixture(source, .safe)
        #expect(done.item.action == .rewritten && done.bytes.count <= source.count)
        #expect(done.bytes == picture)
    }

    @Test func noDateIsMadeOfNonsenseInIPTC() throws {
        for date in ["00000000", "2013", "20131399", "99991231"] {
            let done = try CompressedFixture(Self.plain.with(0xED, Self.iptc(date, "031827")).bytes, .safe)
            #expect(done.found.captureDate == nil, "\(date)")
        }
    }
}
