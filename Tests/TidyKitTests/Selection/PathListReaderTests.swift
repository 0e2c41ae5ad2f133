import Testing
import TidyKit

@Suite struct PathListReaderTests {
    private func paths(_ text: String, nul: Bool = false) throws -> [String] {
        try PathListReader.photos(Array(text.utf8), nul: nul).map { $0.path.displayText }
    }

    @Test func pathsALine() throws {
        #expect(try paths("a.jpg\nb c.jpg\n\nd\r\n") == ["a.jpg", "b c.jpg", "d\r"])
        #expect(try paths("a.jpg") == ["a.jpg"])
        #expect(try paths("\n\n").isEmpty)
        #expect(try paths("").isEmpty)
    }

    @Test func pathsThatEndWithNUL() throws {
        #expect(try paths("a\nb.jpg\0c.jpg\0", nul: true) == ["a\nb.jpg", "c.jpg"])
        #expect(try paths("{\"path\":\"x\"}\0", nul: true) == ["{\"path\":\"x\"}"])
    }

    @Test func recordsAreToldApartByContent() throws {
        #expect(try paths("{\"path\":\"a.jpg\"}\n{\"path\":\"b.jpg\"}\n") == ["a.jpg", "b.jpg"])
        #expect(try paths("[\n{\"path\":\"a.jpg\"},\n{\"path\":\"b.jpg\"}\n]\n") == ["a.jpg", "b.jpg"])
        #expect(try paths("[]\n").isEmpty)
    }

    @Test func aPathMayLookLikeJSON() throws {
        #expect(try paths("[2024] trip.jpg\nb.jpg\n") == ["[2024] trip.jpg", "b.jpg"])
        #expect(try paths("{set} 1.jpg\n") == ["{set} 1.jpg"])
    }

    @Test func aRecordCarriesIdentityAndExactName() throws {
        var photo = Photo(
            path: FilePath([0x61, 0xFF]),
            identity: FileIdentity(device: 1, inode: 2, bytes: 3, modifiedNs: 4, changedNs: 5), format: .jpeg)
        photo.isOffline = true
        var json = JSONWriter()
        json.record(photo)
        #expect(
            try PathListReader.photos(json.bytes, nul: false) == [
                ListedPhoto(path: photo.path, identity: photo.identity, isOffline: true)
            ])
    }

    @Test(arguments: ["a.jpg\0b.jpg\0", "a.jpg\0", "a.jpg\nb\0c.jpg\n"])
    func pathsThatEndWithNULAreNoLines(_ text: String) {
        #expect(throws: PathListReader.Failure.self) { try PathListReader.photos(Array(text.utf8), nul: false) }
    }

    @Test(arguments: [
        "{\"path\":\"a.jpg\"}\n{\"path\":\"b", "{\"path\":\"a.jpg\"}\nb.jpg\n", "{\"name\":\"a\"}\n", "{\"path\":\"\"}",
        "[{\"path\":\"a.jpg\"},", "[{\"path\":\"a.jpg\"},{\"x\":1}]", "{\"path\":",
        "{\"path\":\"a\",\"pathBase64\":\"?\"}",
    ])
    func aBrokenRecordSpoilsTheList(_ text: String) {
        #expect(throws: PathListReader.Failure.self) { try PathListReader.photos(Array(text.utf8), nul: false) }
    }
}
