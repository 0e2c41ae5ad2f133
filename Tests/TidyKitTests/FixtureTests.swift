import Support
import Testing

/// The fixtures themselves: a test over a fixture that is not what it says would prove nothing.
@Suite struct FixtureTests {
    @Test func theSameSeedDrawsTheSameJPEG() {
        #expect(JPEGFixture(seed: 3).bytes == JPEGFixture(seed: 3).bytes)
        #expect(JPEGFixture(seed: 3).bytes != JPEGFixture(seed: 4).bytes)
    }

    @Test func segmentsStandBehindSOIWithTheirLength() {
        let bytes = JPEGFixture().with(0xFE, Array("hi".utf8)).bytes
        #expect(Array(bytes.prefix(8)) == [0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 0x68, 0x69])
    }

    @Test func anExifBlockCarriesItsTags() {
        var exif = ExifFixture()
        exif.taken("2024:05:01 12:00:00", offset: "+02:00", subseconds: "25")
        exif.location(latitude: -33.5, longitude: 70.25)
        let block = exif.block()
        #expect(block.starts(with: Array("Exif\0\0II*\0".utf8)))
        let text = String(decoding: block, as: UTF8.self)
        #expect(text.contains("2024:05:01 12:00:00") && text.contains("+02:00"))
    }
}
