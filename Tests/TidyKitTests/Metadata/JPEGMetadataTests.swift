import Support
import Testing
import TidyKit

@Suite struct JPEGMetadataTests {
    private var dated: ExifFixture {
        var exif = ExifFixture()
        exif.taken("2024:05:01 12:00:00")
        return exif
    }

    @Test func exifIsFoundBehindOtherSegments() throws {
        // Motorola and Huawei phones: libexif's own file reader gives up at APP6.
        let jpeg = JPEGFixture().with(0xE6, [1, 2, 3]).with(0xE9, Array(repeating: 7, count: 40_000)).with(dated)
        #expect(try metadata(of: jpeg)?.captureDate?.text == "2024-05-01T12:00:00")
    }

    @Test func firstExifBlockWithADirectoryCounts() throws {
        var camera = ExifFixture()
        camera.camera(make: "Maker", model: "Model")
        camera.taken("2011:01:01 01:01:01")
        let found = try metadata(of: JPEGFixture().with(dated).with(camera))
        #expect(found?.captureDate?.text == "2024-05-01T12:00:00")
        #expect(found?.make == nil)
        for broken in ["Exif\0\0", "Exif\0\0second", "Exif\0\0II*\0\u{8}", "Exif\0\0MM\0*\0\0\u{7F}\u{7F}\0\0\0\0"] {
            let found = try metadata(of: JPEGFixture().with(0xE1, Array(broken.utf8)).with(camera).with(dated))
            #expect(found?.captureDate?.text == "2011-01-01T01:01:01" && found?.make == "Maker")
        }
    }

    @Test func findsSizeAfterSegmentsLongerThanTheFirstRead() throws {
        let filler = [UInt8](repeating: 0x20, count: 65_000)
        let jpeg = (0..<5).reduce(JPEGFixture(width: 80, height: 40)) { jpeg, _ in jpeg.with(0xE2, filler) }
        let found = try metadata(of: jpeg.with(dated))
        #expect([found?.width, found?.height] == [80, 40])
        #expect(found?.captureDate != nil)
    }

    @Test func littleOfALargeFileIsRead() throws {
        var jpeg = JPEGFixture().with(dated)
        jpeg.trailer = [UInt8](repeating: 0, count: 3_000_000)
        let folder = try TemporaryFolder()
        let path = try folder.write("large.jpg", jpeg.bytes)
        var reader = MetadataReader(now: testNow)
        _ = try reader.read(FileDescriptor.openForReading(path), byteCount: Int64(jpeg.bytes.count))
        #expect(reader.bytesRead <= 16 << 10)
    }

    @Test func fillBytesAndGarbageBetweenSegmentsAreSkipped() throws {
        var bytes = JPEGFixture().with(dated).bytes
        bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF], at: 2)
        #expect(try metadata(of: bytes)?.captureDate != nil)
        // Behind APP0 of the picture: bytes that belong to nothing, 0xFF among them.
        let plain = JPEGFixture().with(0xEE, [1, 2, 3, 4])
        var garbled = plain.with(dated).bytes
        garbled.insert(contentsOf: [0x00, 0x13, 0xFF, 0x00, 0x44], at: 10)
        let found = try metadata(of: garbled)
        #expect(found?.captureDate?.text == "2024-05-01T12:00:00")
        #expect(found?.width == 64)
    }

    @Test func exifThatGoesOnInTheNextSegmentIsOneBlock() throws {
        // A large maker note pushes the data after it into the second and third segment.
        var exif = dated
        exif.camera(make: "Maker", model: "Model")
        exif.location(latitude: 48.51, longitude: -11.25)
        let small = exif.block()
        // libexif writes no long blocks: the directory of GPS is moved behind a gap by hand.
        let gap = 140_000
        var far = Array(small.dropFirst(6))
        let count = Int(far[8])
        let link = try #require(
            (0..<count).map { 10 + $0 * 12 }.first { far[$0] == 0x25 && far[$0 + 1] == 0x88 })
        let directory = Int(far[link + 8]) | Int(far[link + 9]) << 8
        let moved = far.count + gap
        var gps = Array(far[directory...])
        for index in 0..<Int(gps[0]) where Int(gps[2 + index * 12 + 4]) * (gps[2 + index * 12 + 2] == 5 ? 8 : 1) > 4 {
            let at = 2 + index * 12 + 8
            let offset = (Int(gps[at]) | Int(gps[at + 1]) << 8) - directory + moved
            gps.replaceSubrange(at..<(at + 4), with: littleEndian(UInt32(offset)))
        }
        far.replaceSubrange((link + 8)..<(link + 12), with: littleEndian(UInt32(moved)))
        far += [UInt8](repeating: 0x55, count: gap) + gps
        var jpeg = JPEGFixture()
        for start in stride(from: 0, to: far.count, by: 65_527) {
            jpeg = jpeg.with(0xE1, Array("Exif\0\0".utf8) + far[start..<min(start + 65_527, far.count)])
        }
        let found = try metadata(of: jpeg)
        #expect(found?.captureDate?.text == "2024-05-01T12:00:00" && found?.make == "Maker")
        #expect(found?.location == Coordinate(latitude: 48.51, longitude: -11.25))
        // Truncated after the first segment: the data in that segment still count.
        jpeg.segments.removeLast(2)
        #expect(try metadata(of: jpeg)?.make == "Maker")
    }

    @Test func exifWithAStrangeHeaderIsReadAllTheSame() throws {
        let block = dated.block()
        #expect(
            try metadata(of: JPEGFixture().with(0xE1, Array("exif\0\0".utf8) + block.dropFirst(6)))?.captureDate != nil)
        #expect(try metadata(of: JPEGFixture().with(0xE1, [0, 0] + block))?.captureDate != nil)
        // A magic number that is not 42: libexif stops there.
        var wrong = block
        wrong[8] = 0x2C
        #expect(try metadata(of: JPEGFixture().with(0xE1, wrong))?.captureDate != nil)
    }

    @Test func xmpWithADamagedHeaderIsRead() throws {
        let packet = Array(xmpPacket(#"xmp:Rating="5""#).utf8)
        let header = Array("http://ns.adobe.com/xap/1.0/ \0".utf8)
        #expect(try metadata(of: JPEGFixture().with(0xE1, header + packet))?.rating == 5)
        #expect(try metadata(of: JPEGFixture().with(0xE1, Array("XMP\0".utf8) + packet))?.rating == 5)
    }

    @Test func aFileThatEndsEarlyIsListedWithAProblem() throws {
        let bytes = JPEGFixture().with(dated).bytes
        for length in [4, 12, 40, 120] {
            let found = try metadata(of: Array(bytes.prefix(length)))
            #expect(found?.format == .jpeg)
            #expect(found?.problems.isEmpty == false)
        }
    }

    @Test func theFirstFrameHeaderCounts() throws {
        // A preview in the trailer, and a height that only a DNL marker would tell.
        var bytes = JPEGFixture(width: 80, height: 40).bytes
        bytes += JPEGFixture(width: 8, height: 8).bytes
        #expect(try metadata(of: bytes)?.width == 80)
        let frame = bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 }!
        bytes.replaceSubrange((frame + 5)..<(frame + 7), with: [0, 0])
        let found = try metadata(of: bytes)
        #expect(found?.height == nil && found?.width == 80)
    }

    @Test func motionPhotosSayWhetherTheirVideoIsThere() throws {
        let video = box("ftyp", Array("isom".utf8) + [0, 0, 0, 0]) + [UInt8](repeating: 7, count: 100)
        for packet in [
            "<x GCamera:MicroVideo=\"1\" GCamera:MicroVideoOffset=\"\(video.count)\"/>",
            "<x GCamera:MotionPhoto=\"1\"/><Item Item:Semantic=\"MotionPhoto\" Item:Length=\"\(video.count)\"/>",
            "<Item Item:Length=\"\(video.count)\" Item:Semantic=\"MotionPhoto\"/>",
        ] {
            var jpeg = JPEGFixture().with(xmp: packet)
            #expect(
                try metadata(of: jpeg)?.problems.map(\.description) == [
                    "says that it is a motion photo, but holds no video"
                ])
            jpeg.trailer = video
            #expect(
                try metadata(of: jpeg)?.problems.map(\.description) == [
                    "a motion photo: its video stands behind the picture"
                ])
        }
    }

    @Test func gainMapsAndFurtherPicturesAreNoted() throws {
        let index =
            Array("MPF\0MM\0*".utf8) + bigEndian(UInt32(8)) + bigEndian(UInt16(1)) + bigEndian(UInt16(0xB001))
            + bigEndian(UInt16(4)) + bigEndian(UInt32(1)) + bigEndian(UInt32(2)) + bigEndian(UInt32(0))
        let stereo = JPEGFixture().with(0xE2, index)
        #expect(try metadata(of: stereo)?.problems.map(\.description) == ["holds 2 pictures; the first is shown"])
        let ultra = stereo.with(xmp: #"<x hdrgm:Version="1.0"/>"#)
        #expect(try metadata(of: ultra)?.problems.map(\.description) == ["holds an HDR gain map beside the picture"])
    }
}
