internal import Support
import Testing

@testable import TidyKit

/// A file that is named finds its companions in its folder, also those of another stem.
@Suite struct NamedStillTests {
    @Test func findsItsVideoByTheIdentifier() throws {
        let identifier = "11111111-2222-4333-8444-555555555555"
        let folder = try TemporaryFolder()
        var exif = ExifFixture()
        exif.set(.exif, 0x927C, .undefined(try #require(AppleMakerNote.bytes(identifier))))
        let still = try folder.write("IMG_0100.JPG", JPEGFixture().with(exif).bytes)
        let video = try folder.write(
            "clip.MOV", MovieFixture(keys: [("com.apple.quicktime.content.identifier", identifier)]).bytes)
        for operand in [still, folder.path] {
            var query = LibraryQuery(operands: [operand], now: WallClock(year: 2024, month: 6, day: 1)!)
            query.useIndex = false
            query.predicates = [try Predicate(option: "has", value: Array("live".utf8), now: query.now)]
            let photos = try PhotoLibrary.photos(query, environment: .current()).photos
            #expect(photos.map(\.path) == [still])
            #expect(photos.first?.companions == [video])
        }
    }
}
