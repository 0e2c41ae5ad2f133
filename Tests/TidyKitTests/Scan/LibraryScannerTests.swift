internal import Glibc
internal import Support
import Testing

@testable import TidyKit

@Suite struct LibraryScannerTests {
    /// All paths below the folder that a scan gives, relative to it.
    private func scan(
        _ operands: [FilePath], in folder: TemporaryFolder, options: ScanOptions = ScanOptions()
    ) throws -> (paths: [String], scanner: LibraryScanner) {
        var scanner = try LibraryScanner(operands: operands, options: options)
        var paths: [String] = []
        while let scanned = scanner.next() {
            paths += scanned.files.map { scanned.path(of: $0.name).displayText }
        }
        let prefix = folder.path.displayText + "/"
        return (paths.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }.sorted(), scanner)
    }

    @Test func passesOverWhatNobodyWantsAndCountsIt() throws {
        let folder = try TemporaryFolder()
        for name in [
            "a.jpg", "sub/b.jpg", ".hidden.jpg", ".hidden/c.jpg", "@eaDir/t.jpg", "#recycle/d.jpg", ".thumbnails/e.jpg",
            ".Trash-1000/f.jpg", "._a.jpg", ".phototidy-x1", "out/g.jpg", ".IMG_9.HEIC.icloud",
        ] { try folder.write(name, "x") }
        let options = ScanOptions(excludedFolders: [folder.path.appending("out")])
        let (paths, scanner) = try scan([folder.path], in: folder, options: options)
        #expect(paths == [".IMG_9.HEIC.icloud", "a.jpg", "sub/b.jpg"])
        #expect(
            scanner.skipped == [
                .hidden: 2, .nasFolder: 2, .thumbnails: 1, .trash: 1, .resourceFork: 1, .temporary: 1, .output: 1,
            ])
        let (all, _) = try scan([folder.path], in: folder, options: ScanOptions(includeHidden: true))
        #expect(all == [".IMG_9.HEIC.icloud", ".hidden.jpg", ".hidden/c.jpg", "a.jpg", "out/g.jpg", "sub/b.jpg"])
    }

    @Test func linksAreNotFollowedButAnOperandIs() throws {
        let folder = try TemporaryFolder()
        try folder.write("real/a.jpg", "x")
        symlink(folder.path.appending("real").displayText, folder.path.appending("link").displayText)
        symlink(folder.path.displayText, folder.path.appending("real/loop").displayText)
        #expect(try scan([folder.path], in: folder).paths == ["real/a.jpg"])
        let (paths, scanner) = try scan([folder.path.appending("link")], in: folder)
        #expect(paths == ["link/a.jpg"])
        #expect(scanner.skipped == [.symbolicLink: 1])
        #expect(scanner.failures.isEmpty)
    }

    @Test func aFolderIsEnteredOnce() throws {
        let folder = try TemporaryFolder()
        try folder.write("sub/a.jpg", "x")
        try folder.write("b.jpg", "x")
        let operands = [folder.path.appending("sub"), folder.path, folder.path, folder.path.appending("sub/a.jpg")]
        #expect(try scan(operands, in: folder).paths == ["b.jpg", "sub/a.jpg"])
        #expect(try scan(operands.reversed(), in: folder).paths == ["b.jpg", "sub/a.jpg"])
    }

    @Test func aFileNamedOutrightBringsItsFolderAlong() throws {
        let folder = try TemporaryFolder()
        for name in ["a.jpg", "a.mov", "b.jpg", ".c.jpg"] { try folder.write(name, "x") }
        var scanner = try LibraryScanner(
            operands: [folder.path.appending("a.jpg"), folder.path.appending(".c.jpg")], options: ScanOptions())
        let next = scanner.next()
        let scanned = try #require(next)
        #expect(scanned.requested == [Array("a.jpg".utf8), Array(".c.jpg".utf8)])
        #expect(Set(scanned.files.map(\.name)) == Set(["a.jpg", "a.mov", "b.jpg", ".c.jpg"].map { Array($0.utf8) }))
        #expect(scanner.next() == nil)
        // A scan of the folder lifts the rule that would hide the named one.
        let (paths, _) = try scan([folder.path, folder.path.appending(".c.jpg")], in: folder)
        #expect(paths == [".c.jpg", "a.jpg", "a.mov", "b.jpg"])
    }

    @Test func namedFilesKeepTheirSpelling() throws {
        let folder = try TemporaryFolder()
        for name in ["a.jpg", "b.jpg"] { try folder.write(name, "x") }
        let base = folder.path.displayText
        let operands = [base + "/a.jpg", base + "/./b.jpg", base + "//a.jpg"].map { FilePath($0) }
        var scanner = try LibraryScanner(operands: operands, options: ScanOptions())
        var found: [FilePath] = []
        while let scanned = scanner.next() {
            found += try #require(scanned.requested).map { FilePath(scanned.prefix + $0) }
        }
        #expect(found == Array(operands.prefix(2)))
    }

    @Test func whatIsMissingIsAnErrorBeforeAnythingIsRead() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", "x")
        symlink("nowhere", folder.path.appending("dangling").displayText)
        for name in ["none", "a.jpg/x", "dangling"] {
            #expect(throws: ScanError.self) {
                try LibraryScanner(operands: [folder.path, folder.path.appending(name)], options: ScanOptions())
            }
        }
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
    func anUnreadableFolderIsNotedAndTheRestGoesOn() throws {
        let folder = try TemporaryFolder()
        try folder.write("locked/a.jpg", "x")
        try folder.write("open/b.jpg", "x")
        let locked = folder.path.appending("locked")
        chmod(locked.displayText, 0)
        defer { chmod(locked.displayText, 0o700) }
        let (paths, scanner) = try scan([folder.path], in: folder)
        #expect(paths == ["open/b.jpg"])
        #expect(scanner.failures.map(\.path) == [locked])
    }

    @Test func pipesAndLinksToFilesAreNoPhotos() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.jpg", "x")
        mkfifo(folder.path.appending("pipe.jpg").displayText, 0o600)
        symlink("a.jpg", folder.path.appending("link.jpg").displayText)
        let (paths, scanner) = try scan([folder.path], in: folder)
        #expect(paths == ["a.jpg"])
        #expect(scanner.skipped == [.special: 1, .symbolicLink: 1])
        let (none, named) = try scan([folder.path.appending("link.jpg")], in: folder)
        #expect(none.isEmpty)
        #expect(named.failures.count == 1)
    }

    @Test func namesAreBytes() throws {
        let folder = try TemporaryFolder()
        let names: [[UInt8]] = [
            Array("caf\u{E9}.jpg".utf8), Array("cafe\u{301}.jpg".utf8), [0xE9, 0x2E, 0x6A], Array("new\nline".utf8),
        ]
        for name in names { try FileDescriptor.open(folder.path.appending(name), [.write, .create]).write([1]) }
        var scanner = try LibraryScanner(operands: [folder.path], options: ScanOptions())
        let next = scanner.next()
        let scanned = try #require(next)
        #expect(Set(scanned.files.map(\.name)) == Set(names))
    }
}
