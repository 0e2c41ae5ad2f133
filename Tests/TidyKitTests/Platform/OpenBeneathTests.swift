import Support
import Testing

@testable import TidyKit

@Suite struct OpenBeneathTests {
    /// A path that no call takes: 24 folders with names of 200 bytes, below `folder`.
    private static func makeDeepFolder(below folder: FilePath) throws -> FilePath {
        var open = try OpenFolder(folder)
        for _ in 0..<24 {
            let name = FilePath([UInt8](repeating: UInt8(ascii: "d"), count: 200))
            try FileSystem.createFolder(name, in: open.descriptor)
            open = try OpenFolder(open.path.appending(name.bytes))
        }
        return open.path
    }

    private static func add(_ name: String, in folder: FilePath) throws {
        let open = try OpenFolder(folder)
        try open.descriptor.open(FilePath(name), [.write, .create]).write(Array("content of \(name)".utf8))
    }

    @Test func noComponentMayBeALink() throws {
        let folder = try TemporaryFolder()
        try folder.write("real/sub/a.jpg", "a")
        try folder.path.appending("link").makeLink(to: folder.path.appending("real"))
        try folder.path.appending("real/last").makeLink(to: folder.path.appending("real/sub"))
        let root = try OpenFolder(folder.path)
        #expect(throws: Never.self) { _ = try root.descriptor.openBeneath(FilePath("real/sub/a.jpg"), .read) }
        for path in ["link/sub/a.jpg", "real/last/a.jpg", "real/last"] {
            #expect(throws: POSIXError.self) { _ = try root.descriptor.openBeneath(FilePath(path), .read) }
            #expect(throws: POSIXError.self) { _ = try OpenFolder(folder.path.appending(path)) }
        }
        #expect(throws: POSIXError.self) { _ = try root.descriptor.openBeneath(FilePath("../x"), .read) }
    }

    /// What leads to an operand is followed once, and what lies below it is not followed.
    @Test func whatLeadsToARootIsFollowedOnce() throws {
        let folder = try TemporaryFolder()
        for name in ["disk/photos/sub/a.jpg", "other/photos/sub/a.jpg"] { try folder.write(name, name) }
        let link = folder.path.appending("photos")
        try link.makeLink(to: folder.path.appending("disk/photos"))
        let roots = LibraryRoots()
        roots.add(link)
        try FileSystem.remove(link)
        try link.makeLink(to: folder.path.appending("other/photos"))
        let place = folder.path.appending("disk/photos")
        #expect(try roots.open(folder: link.appending("sub")).path == place.appending("sub"))
        try FileSystem.rename(place.appending("sub"), to: place.appending("moved"))
        try place.appending("sub").makeLink(to: folder.path.appending("other/photos/sub"))
        #expect(throws: POSIXError.self) { _ = try roots.open(folder: link.appending("sub")) }
    }

    @Test func aFolderDeeperThanPATHMAXIsScannedAndDeleted() throws {
        let library = try TestLibrary()
        let deep = try Self.makeDeepFolder(below: library.root)
        #expect(deep.bytes.count > 4096)
        for name in ["a.jpg", "b.jpg"] { try Self.add(name, in: deep) }
        var scanner = try LibraryScanner(operands: [library.root], options: ScanOptions())
        var found: [FilePath] = []
        while let folder = scanner.next() { found += folder.files.map { folder.path(of: $0.name) } }
        #expect(found.sorted() == ["a.jpg", "b.jpg"].map { deep.appending($0) })
        #expect(scanner.failures.isEmpty)
        let result = try library.delete([deep.appending("a.jpg")])
        #expect(result.plan.items.map(\.status) == [.trashed], "\(result.plan.items)")
        #expect(library.trashed.files == ["a.jpg"])
        #expect(TemporaryFolder.names(in: deep) == [Array("b.jpg".utf8)])
        #expect(try library.undo()?.isComplete == true)
        #expect(TemporaryFolder.names(in: deep).count == 2)
        var options = DeletionOptions()
        options.mode = .erase
        let erased = try library.delete([deep.appending("b.jpg")], options: options)
        #expect(erased.plan.items.map(\.status) == [.erased])
    }
}
