internal import Support
import Testing

@testable import TidyKit

@Suite struct IndexRecordTests {
    static let file = FileIdentity(device: 7, inode: 1 << 63 + 5, bytes: 3, modifiedNs: -4, changedNs: 1 << 60)
    static let seal = IndexRecord.Seal(build: file, year: 2024)

    /// With every field that there is.
    static var everything: MediaMetadata {
        var metadata = MediaMetadata(format: .heic)
        metadata.width = 3024
        metadata.height = 4032
        metadata.orientation = .rotatedRight
        metadata.captureDate = CaptureDate(
            wall: WallClock(year: 1899, month: 12, day: 31, hour: 23)!, subseconds: "070", offsetMinutes: -570,
            source: .xmp)
        metadata.make = "Äpple"
        metadata.model = "a name of more than fifteen bytes"
        metadata.lens = ""
        metadata.location = Coordinate(latitude: -48.1000001, longitude: 179.9999999)
        metadata.rating = -1
        metadata.duration = 12.48
        metadata.contentIdentifier = "81A2A3B4-0000-4C4D-8E8F-000000000000"
        metadata.isScreenshot = true
        metadata.shot.burst = "81A2A3B4-0000-4C4D-8E8F-000000000001"
        metadata.shot.serial = "0042"
        metadata.shot.exposureBias = -667
        metadata.shot.subjectDistance = 1500
        metadata.shot.isBracketed = true
        metadata.shot.isPanoramaPart = true
        metadata.problems = [Problem("one"), Problem(""), Problem("hour 24 in exif.DateTimeOriginal read as 00")]
        return metadata
    }

    private func row(_ content: IndexedContent) -> [UInt8] {
        var bytes: [UInt8] = []
        IndexRecord.append(content, of: Self.file, seal: Self.seal, to: &bytes)
        return bytes
    }

    private func read(
        _ row: [UInt8], of file: FileIdentity = Self.file, seal: IndexRecord.Seal = Self.seal
    ) -> IndexedContent? {
        var texts = TextPool()
        return row.withUnsafeBytes { IndexRecord.content(of: file, in: ByteView($0), seal: seal, texts: &texts) }
    }

    @Test func everyFieldComesBack() {
        #expect(read(row(.metadata(Self.everything))) == .metadata(Self.everything))
        for content in [IndexedContent.noMedia, .metadata(MediaMetadata(format: .jpeg))] {
            #expect(read(row(content)) == content)
        }
        for format in MediaFormat.allCases { #expect(read(row(.format(format))) == .format(format)) }
    }

    @Test func traitsOfTheShotAreLeftOutWhereNoGroupsAreMade() {
        var texts = TextPool()
        let found = row(.metadata(Self.everything)).withUnsafeBytes {
            IndexRecord.content(of: Self.file, in: ByteView($0), seal: Self.seal, withShots: false, texts: &texts)
        }
        var expected = Self.everything
        expected.shot = ShotTraits()
        #expect(found == .metadata(expected))
    }

    /// A field that is added to `MediaMetadata` must be added to the row too: then change this list.
    @Test func noFieldIsForgotten() {
        let fields = Mirror(reflecting: Self.everything).children.compactMap(\.label)
        #expect(
            fields == [
                "format", "width", "height", "orientation", "captureDate", "make", "model", "lens", "location",
                "rating",
                "duration", "contentIdentifier", "isScreenshot", "shot", "problems",
            ])
        #expect(
            Mirror(reflecting: ShotTraits()).children.compactMap(\.label) == [
                "burst", "serial", "exposureBias", "isBracketed", "subjectDistance", "isFocusBracketed",
                "isPanoramaPart",
                "isEdited",
            ])
        for flag in [\ShotTraits.isBracketed, \.isFocusBracketed, \.isPanoramaPart, \.isEdited] {
            var metadata = MediaMetadata(format: .jpeg)
            metadata.shot[keyPath: flag] = true
            #expect(read(row(.metadata(metadata))) == .metadata(metadata))
        }
        #expect(
            Mirror(reflecting: Self.everything.captureDate!).children.compactMap(\.label)
                == ["wall", "subseconds", "offsetMinutes", "source", "precision"])
        for source in CaptureDate.Source.allCases {
            for precision in [CaptureDate.Precision.second, .subsecond, .day] {
                var metadata = MediaMetadata(format: .png)
                metadata.captureDate = CaptureDate(
                    wall: WallClock(seconds: 1_700_000_000), source: source, precision: precision)
                #expect(read(row(.metadata(metadata))) == .metadata(metadata))
            }
        }
    }

    @Test func anotherStateOfTheFileIsUnknown() {
        let row = row(.metadata(Self.everything))
        var others = [Self.file, Self.file, Self.file, Self.file, Self.file]
        others[0].id.device += 1
        others[1].id.inode += 1
        others[2].bytes += 1
        others[3].modifiedNs += 1
        others[4].changedNs += 1
        for other in others { #expect(read(row, of: other) == nil) }
    }

    @Test func anotherBuildAndAnotherYearAreNotBelieved() {
        let row = row(.noMedia)
        var build = Self.file
        build.modifiedNs += 1
        #expect(read(row, seal: IndexRecord.Seal(build: build, year: 2024)) == nil)
        #expect(read(row, seal: IndexRecord.Seal(build: Self.file, year: 2025)) == nil)
    }

    @Test func damageIsNoticed() {
        let row = row(.metadata(Self.everything))
        for length in row.indices { #expect(read(Array(row[..<length])) == nil) }
        for index in row.indices {
            for bit in 0..<8 {
                var damaged = row
                damaged[index] ^= 1 << bit
                #expect(read(damaged) == nil)
            }
        }
        #expect(read(row + [0]) == nil)
    }

    @Test func sharedTextsAreKeptOnce() {
        var pool = TextPool()
        let name = Array("a camera with a long name".utf8)
        let texts = (0..<3).map { _ in name.withUnsafeBytes { pool.text($0) } }
        #expect(texts.allSatisfy { $0.utf8.elementsEqual(name) })
        let places = texts.map { text in
            var text = text
            return text.withUTF8 { UInt(bitPattern: $0.baseAddress) }
        }
        #expect(Set(places).count == 1)
        #expect([UInt8]().withUnsafeBytes { pool.text($0) } == "")
    }
}
