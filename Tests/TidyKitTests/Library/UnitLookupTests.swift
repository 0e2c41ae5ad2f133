internal import Support
import Testing
import TidyKit

@Suite struct UnitLookupTests {
    @Test func findsTheUnitOfAnyOfItsFiles() throws {
        let folder = try TemporaryFolder()
        for name in ["IMG_1.JPG", "IMG_2.JPG"] { try folder.write(name, JPEGFixture().bytes) }
        try folder.write("IMG_1.MOV", QuickTimeFixture(unix: 1_700_000_000, seconds: 2).bytes)
        try folder.write("IMG_1.AAE", "<plist/>")
        try folder.write("IMG_1.JPG.xmp", "<x/>")
        try folder.write("notes.txt", "x")
        var lookup = UnitLookup(now: .now())
        func unit(_ name: String) throws -> PhotoUnit { try lookup.unit(of: folder.path.appending(name)) }
        let first = try unit("IMG_1.JPG")
        #expect(first.main == folder.path.appending("IMG_1.JPG"))
        #expect(first.companions == ["IMG_1.AAE", "IMG_1.JPG.xmp", "IMG_1.MOV"].map { folder.path.appending($0) })
        for name in ["IMG_1.MOV", "IMG_1.AAE", "IMG_1.JPG.xmp"] { #expect(try unit(name) == first) }
        for name in ["IMG_2.JPG", "notes.txt"] {
            #expect(try unit(name) == PhotoUnit(main: folder.path.appending(name)))
        }
    }

    @Test func aFolderThatIsGoneIsAnError() throws {
        let folder = try TemporaryFolder()
        var lookup = UnitLookup(now: .now())
        let missing = folder.path.appending("none/a.jpg")
        do {
            _ = try lookup.unit(of: missing)
            Issue.record("no error")
        } catch { #expect(error == .missing(missing)) }
    }
}
