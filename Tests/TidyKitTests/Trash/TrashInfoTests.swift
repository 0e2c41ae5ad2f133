import Testing

@testable import TidyKit

@Suite struct TrashInfoTests {
    private let origin = TrashInfo.Origin(
        run: RunID(ns: 0), file: 3, unit: 2, operation: .move,
        identity: FileIdentity(device: 1, inode: 2, bytes: 3, modifiedNs: -4, changedNs: 5))
    private let home = TrashSite(root: FilePath("/home/u/.local/share/Trash"), top: nil)
    private let stick = TrashSite(root: FilePath("/media/stick/.Trash-1000"), top: FilePath("/media/stick"))

    @Test func comesBackWithAnyPath() {
        for bytes in [[0x2F, 0xFF, 0x0A, 0x25], Array("/a b/ü.jpg".utf8)] as [[UInt8]] {
            let info = TrashInfo(location: FilePath(bytes), deletionDate: "2024-05-01T12:00:00", origin: origin)
            #expect(TrashInfo(info.text(in: home), in: home) == info)
            let below = TrashInfo(
                location: FilePath("/media/stick".utf8 + bytes), deletionDate: "2024-05-01T12:00:00", origin: origin)
            #expect(TrashInfo(below.text(in: stick), in: stick) == below)
        }
    }

    @Test func hasTheFormOfTheSpecification() {
        let info = TrashInfo(location: FilePath("/a b.jpg"), deletionDate: "2024-05-01T12:00:00", origin: nil)
        #expect(
            String(decoding: info.text(in: home), as: UTF8.self)
                == "[Trash Info]\nPath=/a%20b.jpg\nDeletionDate=2024-05-01T12:00:00\n")
    }

    @Test func ofAnotherProgramIsReadToo() {
        let text = "[Trash Info]\nFoo=bar\nPath=x%2Fy\nPath=second\nDeletionDate=2024-01-01T00:00:00\n[Other]\nPath=z\n"
        let info = TrashInfo(Array(text.utf8), in: stick)
        #expect(info?.location == FilePath("/media/stick/x/y"))
        #expect(info?.origin == nil)
    }

    @Test(arguments: ["", "Path=/a\n", "[Trash Info]\n", "[Trash Info]\nPath=\n", "[trash info]\nPath=/a\n"])
    func whatIsNoneIsNone(_ text: String) { #expect(TrashInfo(Array(text.utf8), in: home) == nil) }

    /// A number that no run has: whoever counts on from it would end the program.
    @Test(arguments: ["9223372036854775807 0", "0 9223372036854775807", "-1 0", "0 -1", "2147483648 0"])
    func numbersThatNoRunHasAreNoOrigin(_ numbers: String) {
        let text = "[Trash Info]\nPath=x\nX-Phototidy-Run=a\nX-Phototidy-File=\(numbers) move 1 2 3 4 5\n"
        let info = TrashInfo(Array(text.utf8), in: stick)
        #expect(info != nil && info?.origin == nil)
        let words = numbers.split(separator: " ").compactMap { Int($0) }
        let entry = JournalEntry.intent(
            JournalEntry.Intent(
                file: words[0], unit: words[1], operation: .move, path: FilePath("/a"), identity: origin.identity))
        var line: [UInt8] = []
        entry.write(to: &line, id: origin.run)
        #expect(JournalEntry(line: line.dropLast(), id: origin.run) == nil)
    }

    /// Whatever a disk says, its trash names no place outside its top folder.
    @Test(arguments: [
        "/home/u/.ssh/authorized_keys", "../x", "a/../../x", "a/..", "..", ".", "./a", "a/./b", "a//b", "a/", "/",
        "%2Fetc%2Fpasswd", "a%00b", "%2E%2E/x", "//x",
    ])
    func noPathLeadsOutOfTheTopFolder(_ path: String) {
        #expect(TrashInfo(Array("[Trash Info]\nPath=\(path)\n".utf8), in: stick) == nil)
    }

    @Test(arguments: ["a.jpg", "../x", "/a/../b", "/a//b", "/a/", "/", "/a%00b", "/./a"])
    func theHomeTrashTakesAbsolutePathsAlone(_ path: String) {
        #expect(TrashInfo(Array("[Trash Info]\nPath=\(path)\n".utf8), in: home) == nil)
    }
}
