import Testing
import TidyKit

@Suite struct XMPReaderTests {
    private func read(_ packet: String) -> XMPMetadata { XMPReader.read(Array(packet.utf8), now: testNow) }

    @Test(
        arguments: [
            (#"xmp:Rating="5""#, 5), (#"xmp:Rating="1.0""#, 1), (#"xmp:Rating="0""#, 0), (#"xmp:Rating="-1""#, -1),
            (#"xmp:Rating=" 3 ""#, 3), (#"xmp:Rating="6""#, nil), (#"xmp:Rating="five""#, nil), ("", nil),
            (#"xmp:RatingX="5""#, nil),
            // Four stars and a half are no five: only whole ones count.
            (#"xmp:Rating="4.5""#, 4), (#"xmp:Rating="4.99""#, 4), (#"xmp:Rating="0.5""#, 0),
            (#"xmp:Rating="-0.5""#, 0), (#"xmp:Rating="5.0""#, 5), (#"xmp:Rating="5.5""#, nil),
        ] as [(String, Int?)])
    func ratings(attribute: String, expected: Int?) { #expect(read(xmpPacket(attribute)).rating == expected) }

    @Test func propertiesMayBeElements() {
        let found = read(
            xmpPacket(
                "",
                elements:
                    "<xmp:Rating>4</xmp:Rating><exif:DateTimeOriginal>2013-07-05T03:18:27.5Z</exif:DateTimeOriginal>"))
        #expect(found.rating == 4)
        #expect(found.captureDate?.text == "2013-07-05T03:18:27.5Z")
    }

    @Test func aNamespaceIsKnownByItsNameNotByItsPrefix() {
        let packet = #"""
            <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about=""
            xmlns:a="http://ns.adobe.com/xap/1.0/" a:Rating="2" xmlns:xmp="http://example.org/other/" xmp:Rating="5"/></r:RDF>
            """#
        #expect(read(packet).rating == 2)
        // The declaration is lost, the usual prefix is left.
        #expect(read(#"<rdf:RDF><rdf:Description xmp:Rating="3"/></rdf:RDF>"#).rating == 3)
    }

    @Test func aPrefixCountsWithinItsElement() {
        let packet = #"""
            <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:a="http://ns.adobe.com/xap/1.0/">
            <r:Description><q xmlns:a="http://example.org/"/></r:Description><r:Description a:Rating="2"/></r:RDF>
            """#
        #expect(read(packet).rating == 2)
    }

    @Test func whatIsSaidOfOtherPicturesDoesNotCount() {
        let nested =
            "<xmp:Pantry><rdf:Bag><rdf:li><rdf:Description xmp:Rating=\"1\"><xmp:Rating>2</xmp:Rating></rdf:Description></rdf:li></rdf:Bag></xmp:Pantry>"
        #expect(read(xmpPacket("", elements: nested)).rating == nil)
    }

    @Test func datesInTheirOrder() {
        let all =
            #"xmp:CreateDate="2005-05-05T05:05:05" photoshop:DateCreated="2004-04-04" exif:DateTimeOriginal="2003-03-03T03:03+03:00""#
        #expect(read(xmpPacket(all)).captureDate?.text == "2003-03-03T03:03:00+03:00")
        let two = #"xmp:CreateDate="2005-05-05T05:05:05" photoshop:DateCreated="2004-04-04""#
        #expect(read(xmpPacket(two)).captureDate?.text == "2004-04-04T00:00:00")
        #expect(read(xmpPacket(two)).captureDate?.precision == .day)
        #expect(
            read(xmpPacket(#"exif:DateTimeOriginal="2003" xmp:CreateDate="2005-05-05T05:05:05""#)).captureDate?.text
                == "2005-05-05T05:05:05")
        #expect(read(xmpPacket(#"exif:DateTimeOriginal="0000-00-00T00:00:00""#)).captureDate == nil)
    }

    @Test(arguments: [
        ("48,30.6N", "11,30,18E", 48.51, 11.505), ("33,30S", "70,15W", -33.5, -70.25), ("48.5", "-11.25", 48.5, -11.25),
        ("-48,30", "48 deg 30' 36 W", -48.5, -48.51),
    ])
    func places(latitude: String, longitude: String, north: Double, east: Double) {
        let found = read(xmpPacket("exif:GPSLatitude=\"\(latitude)\" exif:GPSLongitude=\"\(longitude)\""))
        #expect(abs((found.location?.latitude ?? 0) - north) < 1e-9)
        #expect(abs((found.location?.longitude ?? 0) - east) < 1e-9)
    }

    @Test(arguments: [
        (#"exif:GPSLatitude="0,0N" exif:GPSLongitude="0,0E""#),
        (#"exif:GPSLatitude="48,30N" exif:GPSLongitude="11,30E" exif:GPSStatus="V""#),
        (#"exif:GPSLatitude="91,0N" exif:GPSLongitude="11,30E""#),
        (#"exif:GPSLatitude="48/1,30N" exif:GPSLongitude="11,30E""#),
        (#"exif:GPSLatitude="0/0" exif:GPSLongitude="0/0""#), (#"exif:GPSLatitude="48,30N""#),
    ])
    func noPlaces(attributes: String) {
        #expect(read(xmpPacket(attributes)).location == nil)
    }

    @Test func aBrokenPacketGivesWhatStandsBeforeTheBreak() {
        let packet = xmpPacket(#"xmp:Rating="5""#, elements: "<xmp:Label>")
        #expect(read(packet).rating == 5)
        #expect(read(packet).problems.count == 1)
        #expect(read("no XML at all").problems.count == 1)
        #expect(read("") == XMPMetadata())
    }

    @Test func entitiesThatGrowAreNotExpanded() {
        let bomb = #"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>"#
        #expect(read(bomb).rating == nil)
    }

    @Test func packetsInUTF16AndWithPaddingAreRead() {
        let packet = xmpPacket(#"xmp:Rating="5""#)
        let wide: [UInt8] = [0xFF, 0xFE] + packet.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(XMPReader.read(wide, now: testNow).rating == 5)
        #expect(XMPReader.read(Array(packet.utf8) + [0, 0, 0x20, 0x0A], now: testNow).rating == 5)
    }
}
