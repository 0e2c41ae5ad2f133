import Support
import Testing
import TidyKit

@Suite struct HEIFMetadataTests {
    private let dated = tiffBlock { exif in
        exif.taken("2024:05:01 12:00:00", offset: "+02:00")
        exif.orientation(6)
    }

    /// What each turn and flip amounts to, in their order (as libavif maps them to EXIF).
    @Test(
        arguments: [
            ([], 1), ([HEIFFixture.irot(1)], 8), ([HEIFFixture.irot(2)], 3), ([HEIFFixture.irot(3)], 6),
            ([HEIFFixture.imir(1)], 2), ([HEIFFixture.imir(0)], 4), ([HEIFFixture.irot(1), HEIFFixture.imir(1)], 7),
            ([HEIFFixture.irot(1), HEIFFixture.imir(0)], 5), ([HEIFFixture.irot(2), HEIFFixture.imir(1)], 4),
            ([HEIFFixture.irot(3), HEIFFixture.imir(1)], 5), ([HEIFFixture.irot(3), HEIFFixture.imir(0)], 7),
            ([HEIFFixture.imir(1), HEIFFixture.irot(1)], 5),
        ] as [([[UInt8]], Int)])
    func turnsAndFlips(transforms: [[UInt8]], orientation: Int) throws {
        let found = try metadata(of: HEIFFixture(transforms: transforms, exif: dated).bytes)
        #expect(found?.orientation?.rawValue == orientation)
        #expect([found?.width, found?.height] == (orientation < 5 ? [400, 300] : [300, 400]))
        #expect(found?.captureDate?.text == "2024-05-01T12:00:00+02:00")
    }

    @Test func theExifOrientationIsOnlyACopy() throws {
        // Sony writes pictures that are turned already, and keeps the tag.
        let found = try metadata(of: HEIFFixture(exif: dated).bytes)
        #expect(found?.orientation == .upright)
        #expect(found?.width == 400)
    }

    @Test func cropsAreOfTheStoredPicture() throws {
        let cropped = HEIFFixture(transforms: [HEIFFixture.clap(399, 200), HEIFFixture.irot(1)])
        let found = try metadata(of: cropped.bytes)
        #expect([found?.width, found?.height] == [200, 399])
        let larger = try metadata(of: HEIFFixture(transforms: [HEIFFixture.clap(900, 200)]).bytes)
        #expect(larger?.width == 400)
    }

    @Test func itemsMayLieInTheDirectoryItself() throws {
        let found = try metadata(of: HEIFFixture(exif: dated, isInline: true).bytes)
        #expect(found?.captureDate?.text == "2024-05-01T12:00:00+02:00")
    }

    @Test func xmpIsRead() throws {
        let packet = Array(xmpPacket(#"xmp:Rating="5""#).utf8)
        let found = try metadata(of: HEIFFixture(brand: "avif", compatible: ["mif1"], xmp: packet).bytes)
        #expect(found?.rating == 5)
        #expect(found?.format == .avif)
    }

    @Test func aFileCutShortIsListedWithAProblem() throws {
        let bytes = HEIFFixture(exif: dated).bytes
        #expect(try metadata(of: Array(bytes.prefix(30)))?.problems.isEmpty == false)
        for length in stride(from: 24, to: bytes.count, by: 7) {
            #expect(try metadata(of: Array(bytes.prefix(length)))?.format == .heic)
        }
    }
}
