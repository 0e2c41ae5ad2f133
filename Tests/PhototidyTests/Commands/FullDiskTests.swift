import Support
import Testing
import TidyKit

/// Disks that are really full: every amount of room that a run may find, from none to enough.
@Suite(.enabled(if: MountSpace.isAvailable, "nothing can be mounted here"))
struct FullDiskTests {
    private static let photos = (0..<6).map { "album/p\($0).jpg" }

    /// What holds the last byte or the last inode.
    enum Shortage: String, CaseIterable, Sendable {
        case bytes, inodes
    }

    /// The parts of the run that are on the full disk.
    enum Place: String, CaseIterable, Sendable {
        case libraryAndState, stateAlone, libraryAlone
    }

    /// The disk is left with room for `room` pages or inodes. Whatever the run makes of it: each file in one place, nothing
    /// stray, and all of them back by `undo` as soon as there is room again.
    private func check(_ shortage: Shortage, _ place: Place, room: Int) throws -> Bool {
        let mark: Comment = "\(shortage), \(place), room for \(room)"
        let world = try MountedDisk(shortage == .bytes ? "size=1m" : "size=8m,nr_inodes=64")
        let disk = world.disk.displayText
        let library = place == .stateAlone ? "library/" : "disk/"
        for name in Self.photos + ["album/p1.jpg.xmp"] {
            let text = "content of \(name)"
            if place == .stateAlone {
                let path = try world.program.home.write("library/" + name, text)
                try FileSystem.setModified(path, ns: 1_500_000_000_123_456_789)
            } else {
                try world.write(name, text)
            }
        }
        let environment = place == .libraryAlone ? [:] : ["XDG_STATE_HOME": disk + "/.state"]
        let root = place == .stateAlone ? world.program.home.path.appending("library") : world.seen("album")
        let before = try TestLibrary.snapshot(root)
        try world.space.shell(
            shortage == .bytes
                ? "cd '\(disk)'; head -c \(room * 4096) /dev/zero > spare; cat /dev/zero > filler 2>/dev/null || :; rm spare"
                : "cd '\(disk)'; mkdir filler; i=0; while touch filler/$i 2>/dev/null; do i=$((i+1)); done; "
                    + "j=0; while [ $j -lt \(room) ] && [ $j -lt $i ]; do rm filler/$j; j=$((j+1)); done")
        let arguments = ["delete", "--yes", "--batch-size", "2"] + Self.photos.map { library + $0 }
        let result = try world.program.run(
            arguments.map { FilePath($0) }, in: .root, environment: environment,
            through: world.space.entrance(world.program.home.path))
        let trash = place == .stateAlone ? world.homeTrash : world.seen(".Trash-\(FileSystem.realUser)")
        let files = trash.appending("files")
        let trashed = files.exists ? try TestLibrary.snapshot(files) : [:]
        let left = try TestLibrary.snapshot(root)
        func sorted(_ contents: [TestLibrary.Content]) -> [[UInt8]] {
            contents.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
        }
        #expect(sorted(Array(left.values) + Array(trashed.values)) == sorted(Array(before.values)), mark)
        let pair = ["p1.jpg", "p1.jpg.xmp"].map { name in left.keys.contains { $0.displayText.hasSuffix("/" + name) } }
        #expect(pair[0] == pair[1], "\(mark): the photo was split")
        #expect(result.exitCode != 0 || !result.errorText.contains("stopped:"), "\(mark): \(result.errorText)")
        let isDone = left.isEmpty && result.exitCode == 0
        if !isDone {
            #expect([3, 5].contains(result.exitCode), "\(mark): \(result.exitCode) \(result.errorText)")
            #expect(result.errorText.contains("No space left"), "\(mark): \(result.errorText)")
        }
        try world.space.shell("rm -r '\(disk)/filler'")
        let undo = try world.run("undo", environment: environment)
        #expect(undo.exitCode == (trashed.isEmpty ? 1 : 0), "\(mark): \(undo.errorText)")
        #expect(try TestLibrary.snapshot(root) == before, mark)
        for part in ["files", "info"] { #expect(TemporaryFolder.names(in: trash.appending(part)).isEmpty, mark) }
        return isDone
    }

    @Test(arguments: Shortage.allCases, Place.allCases)
    func whateverRoomIsLeftNothingIsLost(_ shortage: Shortage, _ place: Place) throws {
        #expect(try check(shortage, place, room: 0) == false)
        for room in 1...30 {
            if try check(shortage, place, room: room) { return }
        }
        Issue.record("the run never had enough room")
    }

    /// Undo on a full disk: what cannot be noted is brought back all the same, and a second undo finds nothing left.
    @Test func undoNeedsNoRoom() throws {
        let world = try MountedDisk("size=1m")
        for name in Self.photos { try world.write(name, name) }
        let environment = ["XDG_STATE_HOME": world.disk.displayText + "/.state"]
        let before = try TestLibrary.snapshot(world.seen("album"))
        let names = Self.photos.map { FilePath("disk/" + $0) }
        let entrance = world.space.entrance(world.program.home.path)
        let result = try world.program.run(
            [FilePath("delete"), FilePath("--yes")] + names, in: .root, environment: environment, through: entrance)
        #expect(result.exitCode == 0, "\(result.errorText)")
        try world.space.shell("cat /dev/zero > '\(world.disk.displayText)/filler' 2>/dev/null || :")
        _ = try world.run("undo", environment: environment)
        #expect(try TestLibrary.snapshot(world.seen("album")) == before)
        try world.space.shell("rm '\(world.disk.displayText)/filler'")
        #expect([0, 1].contains(try world.run("undo", environment: environment).exitCode))
        #expect(try TestLibrary.snapshot(world.seen("album")) == before)
        #expect(world.names(".Trash-\(FileSystem.realUser)/info").isEmpty)
    }
}
