import Support
import Testing

@testable import TidyKit

@Suite struct OutputFileTests {
    private func names(_ folder: FilePath) -> [String] {
        TemporaryFolder.names(in: folder).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Nobody else can read what is not whole yet.
    @Test func whatIsBeingWrittenIsItsOwners() throws {
        let folder = try TemporaryFolder()
        let open = try OpenFolder(folder.path)
        let name = FilePath("a.jpg")
        try OutputFile.write(name, in: open.descriptor, replacing: false) { (file) throws(POSIXError) in
            #expect(try file.status().permissions == 0o600)
            try file.write([1, 2, 3])
            try file.setPermissions(0o644)
        }
        #expect(names(folder.path) == ["a.jpg"])
        #expect(try FileStatus.of(folder.path.appending("a.jpg")).permissions == 0o644)
        #expect(throws: POSIXError.self) {
            try OutputFile.write(name, in: open.descriptor, replacing: false) { (_) throws(POSIXError) in }
        }
        #expect(names(folder.path) == ["a.jpg"])
        let state = folder.path.appending("state")
        try AtomicFile.write(to: state, replacing: true) { (file) throws(POSIXError) in
            #expect(try file.status().permissions == 0o600)
        }
        try AtomicFile.write([1], to: state, replacing: true)
        #expect(try FileStatus.of(state).permissions == FileSystem.usualPermissions)
    }

    /// Left by a kill: nobody holds its lock. What is being written, what another host writes and what is set aside stay.
    @Test func whatAKillLeftIsClearedUp() throws {
        let folder = try TemporaryFolder()
        let open = try OpenFolder(folder.path)
        let own = OutputFile.prefix
        let others = [
            ".phototidy-output-otherhost-1", ".phototidy-aside-20260101-000000-000aa-0", ".phototidy-x",
            own + "IMG_1.jpg", own + "left", own, own + "1A2B3C4D5E6F7", own + "1a2b3c4d5e6f7.jpg",
            own + "1a2b3c4d5e6f78",
        ]
        for name in others + [own + "1a2b3c4d5e6f7"] { try folder.write(name, "x") }
        try OutputFile.write(FilePath("a.jpg"), in: open.descriptor, replacing: false) { (_) throws(POSIXError) in
            OutputFile.removeLeftovers(in: open)
            #expect(names(folder.path).count == others.count + 1, "its own is at work")
        }
        #expect(names(folder.path) == (others + ["a.jpg"]).sorted())
    }

    /// State, plans and contact sheets follow the same rule.
    @Test func whatAKillLeftOfAnAtomicFileIsClearedUp() throws {
        let folder = try TemporaryFolder()
        try folder.write(OutputFile.prefix + "1a2b3c4d5e6f7", "x")
        try folder.write(".phototidy-output-otherhost-1", "x")
        try AtomicFile.write([1], to: folder.path.appending("state"), replacing: true)
        #expect(names(folder.path) == [".phototidy-output-otherhost-1", "state"])
        #expect(throws: POSIXError(code: 17, operation: "renameat2", path: folder.path.appending("state"))) {
            try AtomicFile.write([2], to: folder.path.appending("state"), replacing: false)
        }
        #expect(names(folder.path) == [".phototidy-output-otherhost-1", "state"])
    }
}
