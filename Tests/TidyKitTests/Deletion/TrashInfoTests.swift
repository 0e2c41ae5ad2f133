import Testing

@testable import TidyKit

@Suite struct TrashInfoTests {
    private let origin = TrashInfo.Origin(
        run: RunID(ns: 0), file: 3, unit: 2, operation: .move,
        identity: FileIdentity(device: 1, inode: 2, bytes: 3, modifiedNs: -4, changedNs: 5))

    @Test func comesBackWithAnyPath() {
        for bytes in [[0x2F, 0xFF, 0x0A, 0x25], Array("/a b/ü.jpg".utf8)] as [[UInt8]] {
            let info = TrashInfo(path: FilePath(bytes), deletionDate: "2024-05-01T12:00:00", origin: origin)
            #expect(TrashInfo(info.text) == info)
        }
    }

    @Test func hasTheFormOfTheSpecification() {
        let info = TrashInfo(path: FilePath("/a b.jpg"), deletionDate: "2024-05-01T12:00:00", origin: nil)
        #expect(
            String(decoding: info.text, as: UTF8.self)
                == "[Trash Info]\nPath=/a%20b.jpg\nDeletionDate=2024-05-01T12:00:00\n")
    }

    @Test func ofAnotherProgramIsReadToo() {
        let text = "[Trash Info]\nFoo=bar\nPath=x%2Fy\nPath=second\nDeletionDate=2024-01-01T00:00:00\n[Other]\nPath=z\n"
        let info = TrashInfo(Array(text.utf8))
        #expect(info?.path == FilePath("x/y"))
        #expect(info?.origin == nil)
    }

    @Test(arguments: ["", "Path=/a\n", "[Trash Info]\n", "[Trash Info]\nPath=\n", "[trash info]\nPath=/a\n"])
    func whatIsNoneIsNone(_ text: String) { #expect(TrashInfo(Array(text.utf8)) == nil) }
}
