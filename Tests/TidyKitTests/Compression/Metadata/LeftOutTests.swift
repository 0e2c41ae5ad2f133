import Support
import Testing

@testable import TidyKit

/// What a copy does without, and what the report says of it.
@Suite struct LeftOutTests {
    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        PNGFixture.bigEndian(content.count + 8) + Array(type.utf8) + content
    }

    private static func names(_ bytes: [UInt8]) -> [String] { bytes.withUnsafeBytes { HEIFExtras(ByteView($0)).names } }

    private static func entry(_ number: UInt8, _ type: String, isHidden: Bool = false) -> [UInt8] {
        box("infe", [2, 0, 0, isHidden ? 1 : 0, 0, number, 0, 0] + Array(type.utf8) + [0])
    }

    private static func meta(_ entries: [[UInt8]], references: [UInt8] = [], properties: [UInt8] = []) -> [UInt8] {
        let items = box("iinf", [0, 0, 0, 0, 0, UInt8(entries.count)] + entries.flatMap { $0 })
        return box(
            "meta",
            [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 1]) + items + box("iref", [0, 0, 0, 0] + references)
                + box("iprp", box("ipco", properties)))
    }

    @Test func picturesBesideTheMainOneAreCounted() {
        let thumbnail = Self.box("thmb", [0, 3, 0, 1, 0, 1])
        let tiles = Self.box("dimg", [0, 1, 0, 1, 0, 4])
        let file = Self.meta(
            [
                Self.entry(1, "grid"), Self.entry(2, "hvc1"), Self.entry(3, "hvc1"), Self.entry(4, "hvc1"),
                Self.entry(5, "hvc1", isHidden: true), Self.entry(6, "Exif"),
            ], references: thumbnail + tiles)
        #expect(Self.names(file) == ["1 further picture"])
    }

    @Test func mapsAndClipsAreNamed() {
        let depth = Self.box("auxC", [0, 0, 0, 0] + Array("urn:mpeg:hevc:2015:auxid:2\0".utf8))
        let gain = Self.box("auxC", [0, 0, 0, 0] + Array("urn:com:apple:photo:2020:aux:hdrgainmap\0".utf8))
        let alpha = Self.box("auxC", [0, 0, 0, 0] + Array("urn:mpeg:hevc:2015:auxid:1\0".utf8))
        #expect(Self.names(Self.meta([Self.entry(1, "hvc1")], properties: depth)) == ["a depth map"])
        #expect(Self.names(Self.meta([Self.entry(1, "hvc1")], properties: alpha)).isEmpty)
        let clip = Self.box("mpvd", [UInt8](repeating: 0, count: 2000))
        #expect(
            Self.names(Self.meta([Self.entry(1, "hvc1")], properties: gain) + clip) == [
                "a video clip of 2.00 kB", "a gain map",
            ])
        #expect(Self.names(Self.meta([Self.entry(1, "hvc1"), Self.entry(2, "tmap")])) == ["a gain map"])
    }

    /// Also under `all`, which leaves it out of new pixels.
    @Test(arguments: [MetadataPolicy.safe, .all]) func aDepthMapInAPacketIsNamed(policy: MetadataPolicy) throws {
        let packet =
            #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
            + #"<rdf:Description rdf:about="" xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" "#
            + #"GDepth:Data="iVBORw0KGgo="/></rdf:RDF></x:xmpmeta>"#
        let source = JPEGFixture(width: 640, height: 480, grain: 20).with(xmp: packet).bytes
        let made = try CompressedFixture(source, policy, edge: 320)
        #expect(made.item.reason?.contains("left out: a depth map") == true, "\(made.item)")
    }

    @Test func aCutBoxIsDamage() {
        let whole = Self.box("ftyp", Array("heic".utf8)) + Self.box("mdat", [UInt8](repeating: 1, count: 100))
        func damage(_ bytes: [UInt8]) -> String? { bytes.withUnsafeBytes { HEIFBoxes.damage(ByteView($0)) } }
        #expect(damage(whole) == nil)
        #expect(damage(Array(whole.dropLast(5))) != nil)
        // A trailer is no box.
        #expect(damage(whole + [0xFF, 0xFF, 0xFF, 0xFF] + Array("SEFT".utf8)) == nil)
    }
}
