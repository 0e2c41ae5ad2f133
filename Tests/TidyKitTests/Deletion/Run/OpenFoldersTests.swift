import Support
import Testing

@testable import TidyKit

/// A disk of somebody else may name a path of many thousand folders.
@Suite struct OpenFoldersTests {
    private static func deep(_ folder: FilePath, _ count: Int) -> FilePath {
        FilePath(folder.bytes + Array(repeating: Array("/a".utf8), count: count).joined())
    }

    /// 100,000 names of which none is there: the nearest folder is found without a look at each of them.
    @Test func theNearestFolderOfAPathOfAHundredThousandNames() throws {
        let folder = try TemporaryFolder()
        var folders = OpenFolders()
        let path = Self.deep(folder.path, 100_000)
        #expect(try folders.nearestFolder(to: path).path == folder.path)
        #expect(throws: POSIXError.self) { try folders.folder(path) }
    }

    @Test func aFolderIsMadeAsDeepAsItIsNamed() throws {
        let folder = try TemporaryFolder()
        var folders = OpenFolders()
        let path = Self.deep(folder.path, 20_000)
        #expect(try folders.makeFolder(path).path == path)
        #expect(try folders.nearestFolder(to: path).path == path)
        #expect(try folders.nearestFolder(to: path.appending("b/c")).path == path)
        // The folder that is removed with the test is removed by recursion.
        let program = try BuiltProgram()
        #expect(try program.runTool("/bin/rm", [FilePath("-r"), folder.path.appending("a")]).exitCode == 0)
    }

    @Test func aLinkOnTheWayIsNotFollowed() throws {
        let folder = try TemporaryFolder()
        try FileSystem.createFolders(folder.path.appending("real"))
        try folder.path.appending("link").makeLink(to: folder.path.appending("real"))
        var folders = OpenFolders()
        for name in ["link/a", "link/a/b"] {
            #expect(throws: POSIXError.self) { try folders.makeFolder(folder.path.appending(name)) }
            #expect(throws: POSIXError.self) { try folders.nearestFolder(to: folder.path.appending(name)) }
        }
        #expect(TemporaryFolder.names(in: folder.path.appending("real")).isEmpty)
    }
}
