import Support
import Testing

@testable import TidyKit

@Suite struct XMPEditTests {
    private func updated(_ packet: String) -> String {
        String(decoding: XMPEdit.updated(Array(packet.utf8), OutdatedXMP(width: 30, height: 20)), as: UTF8.self)
    }

    @Test(arguments: [
        // Attributes and elements, in either quotes.
        (#"<a tiff:Orientation="6" b='x'/>"#, #"<a tiff:Orientation="1" b='x'/>"#),
        ("<a tiff:Orientation = '6'/>", "<a tiff:Orientation = '1'/>"),
        ("<exif:PixelXDimension>4000</exif:PixelXDimension>", "<exif:PixelXDimension>30</exif:PixelXDimension>"),
        (#"<a tiff:ImageWidth="1" tiff:ImageLength="2"/>"#, #"<a tiff:ImageWidth="30" tiff:ImageLength="20"/>"#),
        // What is gone is not spoken of, in whatever form.
        (#"<a hdrgm:Version="1.0" x="y"/>"#, #"<a x="y"/>"#),
        ("<a>\n<hdrgm:Version>1.0</hdrgm:Version>b</a>", "<a>\nb</a>"),
        ("<a\n\thdrgm:Version='1.0'\n\thdrgm:GainMapMax='2'/>", "<a/>"),
        (
            "<a><GCamera:MicroVideo>1</GCamera:MicroVideo><GCamera:MicroVideoOffset>9</GCamera:MicroVideoOffset></a>",
            "<a></a>"
        ),
        (#"<a GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" GCamera:Other="1"/>"#, #"<a GCamera:Other="1"/>"#),
        (#"<a xmpNote:HasExtendedXMP="12AB" xmp:Rating="5"/>"#, #"<a xmp:Rating="5"/>"#),
        ("<a><xmp:Thumbnails><b><c/></b></xmp:Thumbnails><d/><xmp:Thumbnails/></a>", "<a><d/></a>"),
        ("<a><Container:Directory><Container:Directory/></Container:Directory>d</a>", "<a>d</a>"),
        // The namespace counts, not its name.
        (
            #"<a xmlns:q="http://ns.adobe.com/hdr-gain-map/1.0/" q:Version="1" q:Max="2" c="d"/>"#,
            #"<a xmlns:q="http://ns.adobe.com/hdr-gain-map/1.0/" c="d"/>"#
        ),
        (#"<a xmlns:tiff="urn:other" tiff:Orientation="6"/>"#, #"<a xmlns:tiff="urn:other" tiff:Orientation="6"/>"#),
        // A prefix counts within its element, and may be bound anew.
        (
            #"<a><b xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Orientation="6"/><b xmlns:t="urn:o" t:Orientation="6"/></a>"#,
            #"<a><b xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Orientation="1"/><b xmlns:t="urn:o" t:Orientation="6"/></a>"#
        ),
        (
            #"<a xmlns:t="http://ns.adobe.com/tiff/1.0/"><b xmlns:t="urn:o" t:Orientation="6"><c/></b><t:Orientation>6</t:Orientation></a>"#,
            #"<a xmlns:t="http://ns.adobe.com/tiff/1.0/"><b xmlns:t="urn:o" t:Orientation="6"><c/></b><t:Orientation>1</t:Orientation></a>"#
        ),
        // No markup, and what is none.
        (
            #"<!-- tiff:Orientation="6" --><a b="tiff:Orientation='6'">tiff:Orientation="6"</a>"#,
            #"<!-- tiff:Orientation="6" --><a b="tiff:Orientation='6'">tiff:Orientation="6"</a>"#
        ),
        (#"<a tiff:Orientation="6"/><b hdrgm:V="1"#, #"<a tiff:Orientation="1"/><b hdrgm:V="1"#),
        ("<a><hdrgm:Version>1.0", "<a><hdrgm:Version>1.0"), ("", ""), ("<", "<"), ("no packet", "no packet"),
    ]) func propertiesStayTrue(packet: String, expected: String) {
        #expect(updated(packet) == expected)
        #expect(updated(expected) == expected)
    }

    @Test func damageIsNoCrash() {
        let packet = Array(
            #"<?x?><!--c--><a b="c" hdrgm:V='1'><tiff:Orientation>6</tiff:Orientation><![CDATA[<]]></a>"#.utf8)
        for end in 0...packet.count { _ = XMPEdit.updated(Array(packet[..<end]), OutdatedXMP(width: 1, height: 1)) }
        var random = SeededRandom(seed: 5)
        for _ in 0..<2000 {
            var bytes = packet
            for _ in 0..<3 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            _ = XMPEdit.updated(bytes, OutdatedXMP(width: 1, height: 1))
        }
    }

    @Test func everyPacketIsKept() throws {
        let rated =
            #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>"#
        let source = JPEGFixture(width: 320, height: 240).with(xmp: "<x:xmpmeta/>").with(xmp: rated).bytes
        #expect(try CompressedFixture(source, .all, edge: 200).found.rating == 4)
        // A header that some writer has damaged.
        let damaged = JPEGFixture(width: 320, height: 240).with(
            0xE1, Array("XMP\0://ns.adobe.com/xap/1.0/\0\(rated)".utf8))
        #expect(try CompressedFixture(damaged.bytes, .all, edge: 200).found.rating == 4)
    }

    @Test func theThumbnailOfPhotoshopGoesWithItsPixels() throws {
        func resource(_ number: UInt8, _ data: [UInt8]) -> [UInt8] {
            Array("8BIM".utf8) + [4, number, 3] + Array("abc".utf8) + [0, 0, 0, UInt8(data.count)] + data
                + (data.count % 2 == 1 ? [0] : [])
        }
        let header = Array("Photoshop 3.0\0".utf8)
        let (title, thumbnail) = (resource(4, [1, 2, 3]), resource(12, [9, 9, 9, 9]))
        let block = title + thumbnail + resource(9, [8]) + resource(6, [7])
        // In two segments, cut within the thumbnail.
        let cut = title.count + 6
        let source = JPEGFixture(width: 320, height: 240)
            .with(0xED, header + block[..<cut]).with(0xED, header + block[cut...]).bytes
        let done = try CompressedFixture(source, .all, edge: 200)
        let file = try #require(JPEGFile(done.bytes))
        let kept = file.segments.filter { $0.content(in: done.bytes) == .photoshop }.map {
            Array(done.bytes[$0.payload])
        }
        #expect(kept == [header + title + resource(6, [7])])
        #expect(try CompressedFixture(source, .all).bytes == source)
    }
}
