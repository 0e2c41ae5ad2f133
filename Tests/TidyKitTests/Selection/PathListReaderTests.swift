import Testing
import TidyKit

@Suite struct PathListReaderTests {
    private func paths(_ text: String, nul: Bool = false, there: Set<String> = []) throws -> [String] {
        try PathListReader.photos(Array(text.utf8), nul: nul) { there.contains($0.displayText) }.map {
            $0.path.displayText
        }
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

    /// As one path that holds newlines it would only be said to be missing.
    @Test func linesAreNotReadWithNUL() throws {
        #expect(throws: PathListReader.Failure.self) { try paths("a.jpg\nb.jpg\n", nul: true) }
        #expect(try paths("a.jpg", nul: true) == ["a.jpg"])
        #expect(try paths("a.jpg\n", nul: true, there: ["a.jpg\n"]) == ["a.jpg\n"])
        #expect(try paths("a.jpg\n\0", nul: true) == ["a.jpg\n"])
    }

    @Test func recordsAreToldApartByContent() throws {
        #expect(try paths("{\"path\":\"a.jpg\"}\n{\"path\":\"b.jpg\"}\n") == ["a.jpg", "b.jpg"])
        #expect(try paths("[\n{\"path\":\"a.jpg\"},\n{\"path\":\"b.jpg\"}\n]\n") == ["a.jpg", "b.jpg"])
        #expect(try paths("[]\n").isEmpty)
    }

    /// As `jq '.[]'`, `jq .` and `jq --seq` write records, and with what other systems put around lines.
    @Test(arguments: [
        "{\n  \"path\": \"a.jpg\",\n  \"tags\": []\n}\n{\n  \"path\": \"b.jpg\"\n}\n",
        "[\n  {\n    \"path\": \"a.jpg\"\n  },\n  {\n    \"path\": \"b.jpg\"\n  }\n]\n",
        "[{\"path\":\"a.jpg\"}]\n[{\"path\":\"b.jpg\"}]\n", "[\n  \"a.jpg\",\n  \"b.jpg\"\n]\n",
        "[\"a.jpg\"]\n[\"b.jpg\"]",
        "{\"path\":\"a.jpg\"}{\"path\":\"b.jpg\"}", "\r\n {\r\n\"path\":\r\n\"a.jpg\"}\r\n{\"path\":\"b.jpg\"}\r\n",
        "\u{1E}{\n  \"path\": \"a.jpg\"\n}\n\u{1E}{\n  \"path\": \"b.jpg\"\n}\n",
        "\u{FEFF}{\n  \"path\": \"a.jpg\"\n}\n{\n  \"path\": \"b.jpg\"\n}\n",
    ])
    func recordsMayHaveAnyLayout(_ text: String) throws {
        #expect(try paths(text, there: ["{", "}", "["]) == ["a.jpg", "b.jpg"])
    }

    @Test func aPathMayLookLikeJSON() throws {
        for name in ["[2024] trip.jpg", "[2024].jpg", "{set} 1.jpg", "[a].jpg", "{}.jpg"] {
            #expect(try paths(name + "\nb.jpg\n", there: [name]) == [name, "b.jpg"])
            #expect(try paths("\n" + name, there: [name]) == [name])
            #expect(try paths(name + "\0b.jpg\0", nul: true) == [name, "b.jpg"])
            // Nothing of that name: it may be anything.
            #expect(throws: PathListReader.Failure.self) { try paths(name + "\nb.jpg\n", there: ["b.jpg"]) }
        }
    }

    /// What could be the beginning of records is never taken for paths, whatever files there are.
    @Test(arguments: [
        "{\n", "[\n", "{\n}\n", "{\n  \"schema\": 1,\n", "[1,\n2]", "[2024]\n", "{\"path\":x}\n", "[\"a.jpg\",\n",
        "[{]\n",
        "{\n  \"path\": \"a.jpg\"\n}\nb.jpg\n", "{\n  \"path\": \"a.jpg\"\n}\n{\n  \"pa",
        "{\"path\":\"a.jpg\"}\n\"b.jpg\"\n",
        "[[{\"path\":\"a.jpg\"}]]", "[\"\"]", "[\"a\\u0000b\"]", "{ \"path\": \"a.jpg\" } x\n",
    ])
    func whatMayBeRecordsIsNeverPaths(_ text: String) throws {
        let lines = Set(text.split(separator: "\n").map(String.init))
        #expect(throws: PathListReader.Failure.self) { try paths(text, there: lines) }
    }

    @Test func aFailureTellsTheLineAndTheWayOut() throws {
        let text = "{\n  \"path\": \"a.jpg\"\n}\n{\n  \"path\": oops\n}\n"
        let failure = #expect(throws: PathListReader.Failure.self) { try paths(text) }
        #expect(failure?.line == 5)
        #expect(failure?.reason.contains("-0") == true)
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
