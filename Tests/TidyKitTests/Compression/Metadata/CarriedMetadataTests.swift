import Support
import Testing

@testable import TidyKit

/// Orientation, artist and copyright that stand beside EXIF, and texts in places that nobody looks at.
@Suite struct CarriedMetadataTests {
    private static func packet(_ attributes: String, elements: String = "") -> String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
        <rdf:Description xmlns:t="http://ns.adobe.com/tiff/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
        \(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
        """
    }

    private static let picture = DrawnPicture(width: 480, height: 320, grain: 20)

    /// The picture as stored for a packet that says `orientation`.
    private static func photo(_ orientation: Orientation, isElement: Bool) -> JPEGFixture {
        let value = orientation.rawValue
        let packet =
            isElement
            ? packet("", elements: "<t:Orientation>\(value)</t:Orientation>") : packet(#"t:Orientation="\#(value)""#)
        return JPEGFixture(picture: picture.stored(for: orientation).jpeg(quality: 92)).with(xmp: packet)
    }

    private static func showsThePicture(_ done: CompressedFixture) throws -> Bool {
        let difference = CompressionRunTests.difference(
            try CompressionRunTests.look(done.bytes), try CompressionRunTests.look(picture.jpeg(quality: 92)))
        return difference < 5
    }

    @Test(arguments: Orientation.allCases, MetadataPolicy.allCases)
    func theOrientationOfAPacketCounts(orientation: Orientation, policy: MetadataPolicy) throws {
        for isElement in [false, true] {
            let source = Self.photo(orientation, isElement: isElement).bytes
            let smaller = try CompressedFixture(source, policy, edge: 200)
            #expect(smaller.item.action == .recompressed && (smaller.item.width, smaller.item.height) == (200, 133))
            #expect((smaller.item.sourceWidth, smaller.item.sourceHeight) == (480, 320))
            #expect(smaller.found.orientation ?? .upright == .upright)
            #expect(try Self.showsThePicture(smaller))
            let text = String(decoding: smaller.bytes, as: UTF8.self)
            #expect(policy != .all || text.contains(isElement ? ">1</t:Orientation>" : #"t:Orientation="1""#))
            let fitting = try CompressedFixture(source, policy)
            if policy == .all {
                #expect(fitting.bytes == source)
            } else {
                #expect(try Self.showsThePicture(fitting))
                #expect(!fitting.contents.contains(.xmp))
                #expect(policy == .safe || fitting.exif == nil)
            }
            let again = try CompressedFixture(fitting.bytes, policy)
            #expect(again.item.action == .copied && again.bytes == fitting.bytes)
        }
    }

    @Test func theOrientationOfEXIFComesFirst() throws {
        var exif = ExifFixture()
        exif.orientation(1)
        let source = JPEGFixture(picture: Self.picture.jpeg(quality: 92)).with(exif)
            .with(xmp: Self.packet(#"t:Orientation="6""#)).bytes
        for edge in [nil, 200] as [Int?] {
            let done = try CompressedFixture(source, .safe, edge: edge)
            #expect(done.item.sourceWidth == 480)
            #expect(try Self.showsThePicture(done))
        }
    }

    @Test func otherFormatsAreTurnedAsTheirPacketsSay() throws {
        let stored = Self.picture.stored(for: .rotatedRight)
        let packet = Array(Self.packet(#"t:Orientation="6""#).utf8)
        let png = PNGFixture(stored).with("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet).bytes
        let webp = WebPFixture(stored).with("XMP ", packet).bytes
        for (name, source) in [("a.png", png), ("a.webp", webp)] {
            let done = try CompressedFixture(source, name: name, .safe)
            #expect((done.item.width, done.item.height) == (480, 320))
            #expect(try Self.showsThePicture(done))
        }
    }

    @Test func safeKeepsArtistAndCopyrightOfAPacket() throws {
        let elements = """
            <dc:creator><rdf:Seq> <rdf:li>Anna Å</rdf:li> <rdf:li>Ben</rdf:li> </rdf:Seq></dc:creator>\
            <dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© Anna</rdf:li><rdf:li xml:lang="de">x</rdf:li></rdf:Alt></dc:rights>
            """
        let source = JPEGFixture(width: 320, height: 240).with(xmp: Self.packet("", elements: elements))
        for edge in [nil, 200] as [Int?] {
            let done = try CompressedFixture(source.bytes, .safe, edge: edge)
            let block = try #require(done.exif)
            #expect(EXIFPolicyTests.text(block, 0x013B, .main) == "Anna Å; Ben")
            #expect(EXIFPolicyTests.text(block, 0x8298, .main) == "© Anna")
            #expect(try CompressedFixture(done.bytes, .safe, edge: edge).bytes == done.bytes)
        }
        // What EXIF says comes first.
        var exif = ExifFixture()
        exif.set(.image, 0x013B, .ascii("Other"))
        let both = try #require(try CompressedFixture(source.with(exif).bytes, .safe).exif)
        #expect(EXIFPolicyTests.text(both, 0x013B, .main) == "Other")
        #expect(EXIFPolicyTests.text(both, 0x8298, .main) == "© Anna")
    }

    @Test func textInUTF8IsText() throws {
        // Artist of type 129 (EXIF 3.0).
        let block: [UInt8] =
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x3B, 0, 129, 0, 0, 0, 6, 0, 0, 0, 26, 0, 0, 0, 0]
            + Array("Anna\u{C5}".utf8.prefix(5)) + [0]
        let source = JPEGFixture(width: 320, height: 240).with(0xE1, Array("Exif\0\0".utf8) + block)
        for edge in [nil, 200] as [Int?] {
            let kept = try #require(try CompressedFixture(source.bytes, .safe, edge: edge).exif)
            let entry = kept.entry(0x013B, in: .main)
            #expect(entry?.value == EXIFDirectories(block)?.entry(0x013B, in: .main)?.value)
            // Readers of EXIF 2.32 reject type 129.
            #expect(entry?.type == 2 && entry?.count == 6)
        }
    }

    private static func text(_ keyword: String, _ text: String) -> [UInt8] {
        Array("\(keyword)\0".utf8) + text.unicodeScalars.map { UInt8($0.value) }
    }

    private static let writtenPNG = PNGFixture(DrawnPicture(width: 120, height: 90))
        .with("tEXt", text("Author", "Ann\u{E9}")).with("tEXt", text("Copyright", "Copy"))
        .with("tEXt", text("Description", "A view")).with("tEXt", text("Comment", "By hand"))

    @Test func theTextOfAPNGHasPlacesInAJPEG() throws {
        let safe = try CompressedFixture(Self.writtenPNG.bytes, name: "a.png", .safe)
        let all = try CompressedFixture(Self.writtenPNG.bytes, name: "a.png", .all)
        for done in [safe, all] {
            let block = try #require(done.exif)
            #expect(EXIFPolicyTests.text(block, 0x013B, .main) == "Ann\u{E9}")
            #expect(EXIFPolicyTests.text(block, 0x8298, .main) == "Copy")
        }
        #expect(safe.exif?.entry(0x010E, in: .main) == nil && !safe.contents.contains(.comment))
        #expect(EXIFPolicyTests.text(try #require(all.exif), 0x010E, .main) == "A view")
        let file = try #require(JPEGFile(all.bytes))
        let comments = file.segments.filter { $0.content(in: all.bytes) == .comment }.map { all.bytes[$0.payload] }
        #expect(comments.map(Array.init) == [Array("By hand".utf8)])
        #expect(try CompressedFixture(Self.writtenPNG.bytes, name: "a.png", .none).contents == [.jfif])
    }

    @Test func theIPTCOfAPNGIsKeptByAll() throws {
        let title: [UInt8] = [0x1C, 2, 5, 0, 5] + Array("title".utf8)
        let day: [UInt8] = [0x1C, 2, 55, 0, 8] + Array("20130705".utf8)
        let datasets = title + day
        let resource = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, UInt8(datasets.count)] + datasets + [0]
        for (name, profile) in [
            ("iptc", datasets), ("iptc", resource), ("8bim", resource),
            ("iptc", Array("Photoshop 3.0\0".utf8) + resource),
        ] {
            let digits = Array("0123456789abcdef".utf8)
            let hexadecimal = profile.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
            let chunk =
                Array("Raw profile type \(name)\0\n\(name)\n      \(profile.count)\n".utf8) + hexadecimal + [0x0A]
            let png = PNGFixture(DrawnPicture(width: 120, height: 90)).with("tEXt", chunk)
            let all = try CompressedFixture(png.bytes, name: "a.png", .all)
            let file = try #require(JPEGFile(all.bytes))
            let kept = file.segments.filter { $0.content(in: all.bytes) == .photoshop }.map { all.bytes[$0.payload] }
            #expect(kept.map(Array.init) == [Array("Photoshop 3.0\0".utf8) + resource])
            let safe = try CompressedFixture(png.bytes, name: "a.png", .safe)
            #expect(!safe.contents.contains(.photoshop) && safe.found.captureDate?.text == "2013-07-05T00:00:00")
        }
    }

    @Test func noTextStaysInTablesBehindTheLastScan() throws {
        let secret = Array("SECRET".utf8)
        let table: [UInt8] = [0xFF, 0xDB, 0, 67, 3] + secret + [UInt8](repeating: 1, count: 58)
        let lines: [UInt8] = [0xFF, 0xDC, 0, 8] + secret
        let plain = DrawnPicture(width: 320, height: 240).jpeg(quality: 90)
        let source: [UInt8] = Array(plain.dropLast(2)) + table + lines + [0xFF, 0xD9]
        for policy in [MetadataPolicy.safe, .none] {
            let done = try CompressedFixture(source, policy)
            #expect(done.item.action == .rewritten)
            #expect(done.bytes == JPEGFile(plain)?.rewritten(plain, policy))
        }
        // A true one stays.
        let counted: [UInt8] = Array(plain.dropLast(2)) + [0xFF, 0xDC, 0, 4, 0, 240, 0xFF, 0xD9]
        #expect(try CompressedFixture(counted, .safe).bytes.suffix(8) == counted.suffix(8))
    }

    @Test func noTextStaysInPlacesThatNobodyReads() throws {
        let secret = Array("SECRET".utf8)
        var exif = ExifFixture()
        exif.set(.image, 0x010F, .undefined(Array("Make\0".utf8) + secret))
        exif.set(.image, 0x0110, .ascii("Model\0SECRET"))
        exif.set(.image, 0x8298, .ascii("Photographer\0Editor\0SECRET"))
        let profile = try #require(ICCProfile.rgb(.sRGB, .sRGB))
        let source = JPEGFixture(width: 320, height: 240).with(exif).with(profile: profile)
            .with(0xE2, Array("ICC_PROFILE\0".utf8) + [5, 2] + secret)
            .with(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + secret)
            .with(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1] + secret)
        for (policy, edge) in [(MetadataPolicy.safe, nil), (.none, nil), (.safe, 200)] as [(MetadataPolicy, Int?)] {
            let done = try CompressedFixture(source.bytes, policy, edge: edge)
            #expect(done.bytes.firstRange(of: secret) == nil, "\(policy) \(edge ?? 0)")
            #expect(JPEGFile(done.bytes)?.profile(in: done.bytes) == profile)
            if policy == .safe {
                let block = try #require(done.exif)
                #expect(EXIFPolicyTests.text(block, 0x010F, .main) == "Make")
                #expect(block.entry(0x8298, in: .main)?.value == Array("Photographer\0Editor\0".utf8))
                #expect(block.entry(0x8298, in: .main)?.count == 20)
            }
            #expect(try CompressedFixture(done.bytes, policy, edge: edge).bytes == done.bytes)
        }
    }
}
