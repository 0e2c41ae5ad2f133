import Support
import Testing
import TidyKit

/// XMP specification part 3, section 1.1.3.1: what finds no room in one segment.
@Suite struct ExtendedXMPTests {
    private let identifier = "0123456789ABCDEF0123456789ABCDEF"

    private struct Piece {
        var offset: Int
        var bytes: ArraySlice<UInt8>
    }

    private var extended: [UInt8] {
        Array(
            xmpPacket(
                #"xmp:Rating="3" exif:DateTimeOriginal="2013-07-05T03:18:27""#,
                elements: "<xmp:Label>" + String(repeating: "long ", count: 2000) + "</xmp:Label>"
            ).utf8)
    }

    private func pieces(of packet: [UInt8], by length: Int = 4000) -> [Piece] {
        stride(from: 0, to: packet.count, by: length).map {
            Piece(offset: $0, bytes: packet[$0..<min($0 + length, packet.count)])
        }
    }

    private func jpeg(
        _ pieces: [Piece], total: Int, identifier other: String? = nil, main: String? = nil
    ) -> JPEGFixture {
        let note = main ?? #"xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="\#(identifier)""#
        return pieces.reduce(JPEGFixture(width: 80, height: 40).with(xmp: xmpPacket(note))) { jpeg, piece in
            jpeg.with(
                0xE1,
                Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array((other ?? identifier).utf8)
                    + bigEndian(UInt32(total)) + bigEndian(UInt32(piece.offset)) + piece.bytes)
        }
    }

    @Test func assemblesPiecesInAnyOrder() throws {
        let packet = extended
        let parts = pieces(of: packet)
        #expect(parts.count == 3)
        for order in [parts, parts.reversed()] {
            let found = try metadata(of: jpeg(order, total: packet.count))
            #expect(found?.rating == 3)
            #expect(found?.captureDate?.text == "2013-07-05T03:18:27")
            #expect(found?.problems == [] && found?.width == 80)
        }
    }

    @Test func theMainPacketGoesFirst() throws {
        let packet = extended
        let note = #"xmp:Rating="5" xmpNote:HasExtendedXMP="\#(identifier)""#
        let found = try metadata(of: jpeg(pieces(of: packet), total: packet.count, main: note))
        #expect(found?.rating == 5)
        #expect(found?.captureDate?.text == "2013-07-05T03:18:27")
    }

    @Test func piecesThatDoNotAddUpSayNothing() throws {
        let packet = extended
        let parts = pieces(of: packet)
        var overlapping = parts
        overlapping[1].offset -= 1
        for (jpeg, name) in [
            (jpeg([parts[0], parts[2]], total: packet.count), "one is missing"),
            (jpeg(parts, total: packet.count + 1), "longer than its pieces"),
            (jpeg(parts, total: packet.count - 1), "shorter than its pieces"),
            (jpeg(overlapping, total: packet.count), "overlapping"),
            (jpeg(parts + [parts[0]], total: packet.count), "one is there twice"),
        ] {
            let found = try metadata(of: jpeg)
            #expect(found?.rating == nil && found?.width == 80, "\(name)")
            #expect(found?.problems.count == 1, "\(name)")
        }
    }

    @Test func aPacketOfAnotherPictureDoesNotCount() throws {
        let packet = extended
        let other = String(identifier.reversed())
        let found = try metadata(of: jpeg(pieces(of: packet), total: packet.count, identifier: other))
        #expect(found?.rating == nil && found?.problems == [])
        let unannounced = try metadata(of: jpeg(pieces(of: packet), total: packet.count, main: ""))
        #expect(unannounced?.rating == nil && unannounced?.problems == [])
        // Editors keep the note and drop what it announces.
        #expect(try metadata(of: jpeg([], total: 0))?.problems == [])
    }

    private let foreign =
        "<rdf:Description xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\"><GCamera:hdrp_makernote>"
        + String(repeating: "AAAA", count: 30_000) + "</GCamera:hdrp_makernote></rdf:Description>"

    private func wrapped(_ descriptions: String) -> [UInt8] {
        Array(
            ("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
                + descriptions + "</rdf:RDF></x:xmpmeta>").utf8)
    }

    /// Every photo of a Pixel phone has some 70 kB of them.
    @Test func whatIsTheMakersOwnIsNotRead() throws {
        let packet = wrapped(foreign)
        let bytes = jpeg(pieces(of: packet, by: 60_000), total: packet.count).bytes
        let folder = try TemporaryFolder()
        let path = try folder.write("pixel.jpg", bytes)
        var reader = MetadataReader(now: testNow)
        let found = try reader.read(FileDescriptor.openForReading(path), byteCount: Int64(bytes.count))
        #expect(found?.problems == [] && found?.width == 80)
        #expect(reader.bytesRead < 50_000, "\(reader.bytesRead)")
    }

    @Test func whatStandsBehindOrBeforeTheMakersOwnIsRead() throws {
        let rated =
            "<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/'><xmp:Rating>4</xmp:Rating></rdf:Description>"
        for packet in [wrapped(foreign + rated), wrapped(rated + foreign)] {
            #expect(try metadata(of: jpeg(pieces(of: packet, by: 60_000), total: packet.count))?.rating == 4)
        }
    }

    /// Depth maps of megabytes travel like that, and hold nothing that is asked for.
    @Test func aHugeOneIsNotRead() throws {
        let packet =
            Array("<x xmlns:xmp='http://ns.adobe.com/xap/1.0/'>".utf8) + [UInt8](repeating: 0x20, count: 3_000_000)
        let bytes = jpeg(pieces(of: packet, by: 65_000), total: packet.count).bytes
        let folder = try TemporaryFolder()
        let path = try folder.write("large.jpg", bytes)
        var reader = MetadataReader(now: testNow)
        let found = try reader.read(FileDescriptor.openForReading(path), byteCount: Int64(bytes.count))
        #expect(found?.problems == [] && found?.width == 80)
        #expect(reader.bytesRead < 500_000)
    }
}
