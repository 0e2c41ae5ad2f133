import Support
import Testing
import TidyKit

@Suite struct TIFFMetadataTests {
    private func sensor(_ width: UInt32, _ height: UInt32, compression: UInt32 = 1) -> [TIFFFixture.Entry] {
        [
            TIFFFixture.long(0x00FE, 0), TIFFFixture.long(0x0100, width), TIFFFixture.long(0x0101, height),
            TIFFFixture.long(0x0103, compression), TIFFFixture.long(0x0106, 32803),
        ]
    }

    private func preview(make: String, _ more: [TIFFFixture.Entry] = []) -> [TIFFFixture.Entry] {
        [
            TIFFFixture.long(0x00FE, 1), TIFFFixture.long(0x0100, 160), TIFFFixture.long(0x0101, 120),
            TIFFFixture.text(0x010F, make), TIFFFixture.text(0x0132, "2024:05:01 12:00:00"),
        ] + more
    }

    @Test(arguments: [
        ("NIKON CORPORATION", MediaFormat.nef), ("SONY", .arw), ("PENTAX Corporation", .pef),
        ("SAMSUNG", .srw), ("Hasselblad", .threeFR), ("SEIKO EPSON CORP.", .erf), ("Mamiya-OP Co.,Ltd.", .mef),
        ("Kodak", .dcr), ("EASTMAN KODAK COMPANY", .kdc), ("Leaf", .mos), ("Phase One", .iiq),
        // Sensor data all the same.
        ("Somebody", .raw),
    ])
    func makersOfRawFiles(make: String, format: MediaFormat) throws {
        let fixture = TIFFFixture(primary: preview(make: make), children: [sensor(4000, 3000)])
        let found = try metadata(of: fixture.bytes)
        #expect(found?.format == format)
        #expect(found?.make == make && found?.captureDate?.source == .dateTime)
        #expect(try formatAlone(of: fixture.bytes) == format)
        #expect(format.kind == .raw)
        #expect([found?.width, found?.height] == [4000, 3000])
    }

    @Test(arguments: ["IIIITwaR", "IIIICwaR", "MMMMRawT"]) func phaseOneSaysItsNameBehindTheHeader(_ name: String) {
        let head = Array("II*\0\u{10}\0\0\0".utf8) + Array(name.utf8) + [UInt8](repeating: 0, count: 16)
        #expect(head.withUnsafeBytes { ContentType.format(of: $0) } == .iiq)
    }

    @Test(arguments: [(34713, MediaFormat.nef), (32767, .arw), (65535, .pef)] as [(UInt32, MediaFormat)])
    func compressionsOfOneMakerAloneTellAnEditedRaw(compression: UInt32, format: MediaFormat) throws {
        let raw = sensor(4000, 3000, compression: compression)
        let found = try metadata(of: TIFFFixture(primary: preview(make: "Renamed"), children: [raw]).bytes)
        #expect(found?.format == format && found?.width == 4000)
    }

    @Test func aTIFFThatACameraMakersProgramWroteIsNoRaw() throws {
        let entries: [TIFFFixture.Entry] = [
            TIFFFixture.long(0x0100, 320), TIFFFixture.long(0x0101, 200), TIFFFixture.long(0x0106, 2),
            TIFFFixture.text(0x010F, "NIKON CORPORATION"), TIFFFixture.long(0x0112, 8),
        ]
        let found = try metadata(of: TIFFFixture(primary: entries).bytes)
        #expect(found?.format == .tiff)
        #expect([found?.width, found?.height] == [200, 320])
    }

    @Test func aThumbnailInFrontIsNotThePicture() throws {
        // TIFF/EP, as Nikon and Canon cameras wrote their TIFFs.
        let full: [TIFFFixture.Entry] = [
            TIFFFixture.long(0x00FE, 0), TIFFFixture.long(0x0100, 4000), TIFFFixture.long(0x0101, 3000),
            TIFFFixture.long(0x0106, 2),
        ]
        let found = try metadata(of: TIFFFixture(primary: preview(make: "NIKON CORPORATION"), children: [full]).bytes)
        #expect(found?.format == .tiff)
        #expect([found?.width, found?.height] == [4000, 3000])
        let alone = try metadata(of: TIFFFixture(primary: preview(make: "Scanner")).bytes)
        #expect([alone?.width, alone?.height] == [160, 120])
    }

    @Test func dngIsTakenByItsVersion() throws {
        let version: TIFFFixture.Entry = (0xC612, 1, 4, [1, 4, 0, 0])
        let fixture = TIFFFixture(
            primary: preview(make: "Apple", [TIFFFixture.long(0x0112, 6), version]),
            children: [sensor(4032, 3024), [TIFFFixture.long(0x00FE, 1), TIFFFixture.long(0x0100, 9000)]])
        let found = try metadata(of: fixture.bytes)
        #expect(found?.format == .dng)
        #expect([found?.width, found?.height] == [3024, 4032])
    }

    @Test(
        arguments: [([0x55, 0], MediaFormat.rw2), ([0x52, 0x4F], .orf), ([0x52, 0x53], .orf)]
            as [([UInt8], MediaFormat)])
    func otherMagicNumbers(magic: [UInt8], format: MediaFormat) throws {
        let found = try metadata(of: TIFFFixture(magic: magic, primary: preview(make: "Maker")).bytes)
        #expect(found?.format == format && found?.make == "Maker")
    }

    @Test func panasonicSizeComesFromSensorBorders() throws {
        let borders = [
            TIFFFixture.long(4, 6), TIFFFixture.long(5, 8), TIFFFixture.long(6, 2742), TIFFFixture.long(7, 3656),
        ]
        let found = try metadata(
            of: TIFFFixture(magic: [0x55, 0], primary: borders + preview(make: "Panasonic")).bytes)
        #expect([found?.width, found?.height] == [3648, 2736])
    }

    @Test func aPlainTIFFCarriesItsExif() throws {
        let bytes = tiffBlock { exif in
            exif.set(.image, 0x0100, .long([320]))
            exif.set(.image, 0x0101, .short([200]))
            exif.taken("2024:05:01 12:00:00", offset: "+02:00", subseconds: "5")
            exif.location(latitude: -33.5, longitude: 70.25)
        }
        let found = try metadata(of: bytes)
        #expect(found?.format == .tiff && found?.width == 320)
        #expect(found?.captureDate?.text == "2024-05-01T12:00:00.5+02:00")
        #expect(found?.location?.latitude == -33.5)
    }

    @Test func directoriesThatPointInCirclesEnd() throws {
        var bytes = TIFFFixture(primary: preview(make: "NIKON"), children: [sensor(4000, 3000)]).bytes
        // SubIFDs points to the first directory.
        let entry = 8 + 2 + 5 * 12
        bytes.replaceSubrange((entry + 8)..<(entry + 12), with: littleEndian(UInt32(8)))
        #expect(try metadata(of: bytes)?.make == "NIKON")
        bytes.replaceSubrange((entry + 8)..<(entry + 12), with: littleEndian(UInt32.max))
        #expect(try metadata(of: bytes)?.problems.count == 1)
    }

    @Test func sizesThatOnlyALyingFileClaimsAreNone() throws {
        let big: TIFFFixture.Entry = (0x0100, 16, 1, littleEndian(UInt64.max >> 1))
        let found = try metadata(of: TIFFFixture(primary: [big, (0x0101, 16, 1, littleEndian(UInt64.max >> 1))]).bytes)
        #expect(found?.format == .tiff && found?.width == nil && found?.height == nil)
    }
}
