import Support
import Testing

@testable import TidyKit

@Suite struct VerifiedCopyTests {
    private let folder: TemporaryFolder
    private let source: FilePath
    private let name = FilePath("a.jpg")
    private let copy = FilePath("copy")

    init() throws {
        folder = try TemporaryFolder()
        source = try folder.write("a.jpg", "some bytes")
        try FileSystem.setModified(source, ns: 1_500_000_000_123_456_789)
    }

    private func make(of identity: FileIdentity) throws {
        let open = try FileDescriptor.openFolderFollowingNoLink(folder.path)
        try VerifiedCopy(of: identity).make(name, in: open, to: copy, in: open)
    }

    @Test func copiesContentModeAndTime() throws {
        let status = try FileStatus.of(source)
        try make(of: status.identity)
        let made = try FileStatus.of(folder.path.appending("copy"))
        #expect(try FileSystem.contents(of: folder.path.appending("copy")) == Array("some bytes".utf8))
        #expect(made.permissions == status.permissions)
        #expect(made.identity.modifiedNs == status.identity.modifiedNs)
    }

    @Test func aSourceThatChangedIsNotCopied() throws {
        let planned = try FileStatus.of(source).identity
        try folder.write("a.jpg", "other bytes")
        #expect(throws: POSIXError.self) { try make(of: planned) }
        #expect(!folder.path.appending("copy").exists)
    }

    @Test func anExistingFileIsNeverReplaced() throws {
        try folder.write("copy", "somebody else's")
        #expect(throws: POSIXError.self) { try make(of: try FileStatus.of(source).identity) }
        #expect(try FileSystem.contents(of: folder.path.appending("copy")) == Array("somebody else's".utf8))
    }

    @Test(arguments: [("some bytes", true), ("some bytez", false), ("some byte", false), ("some bytes.", false)])
    func comparesEveryByte(_ content: String, _ isSame: Bool) throws {
        try folder.write("copy", content)
        let open = try FileDescriptor.openFolderFollowingNoLink(folder.path)
        #expect(try VerifiedCopy.isSame(name, in: open, as: copy, in: open) == isSame)
    }
}
