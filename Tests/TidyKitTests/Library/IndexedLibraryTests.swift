internal import Glibc
internal import Support
import Testing

@testable import TidyKit

/// Whatever the index knows, and whatever state it is in: the answer is the one of a search that reads every file.
@Suite struct IndexedLibraryTests {
    private let library: TestLibrary
    /// An hour ahead: what changed within two seconds of a run is not kept.
    private let now = WallClock(seconds: WallClock.now().seconds + 3600)

    init() throws {
        library = try TestLibrary()
        for number in 0..<6 { try add("2024/p\(number).jpg", number) }
        try library.folder.write("library/note.txt", "no photo")
    }

    private func photo(_ number: Int) -> [UInt8] {
        var exif = ExifFixture()
        exif.taken("2024:05:0\(number + 1) 12:00:00", offset: "+02:00")
        exif.camera(make: "Maker", model: "Model \(number)")
        return JPEGFixture(width: 48 + number, height: 32).with(exif).bytes
    }

    @discardableResult
    private func add(_ name: String, _ number: Int) throws -> FilePath {
        try library.folder.write("library/" + name, photo(number))
    }

    private var rows: Int64? { IndexInfo.read(in: library.environment.cache).files }

    private func search(
        _ useIndex: Bool, cache: FilePath? = nil, threads: Int = 2
    ) throws -> (json: [UInt8], statistics: LibraryStatistics) {
        var query = LibraryQuery(operands: [library.root], order: SortOrder(.taken, reversed: true), now: now)
        query.useIndex = useIndex
        let places = library.environment
        let result = try PhotoLibrary.photos(
            query,
            environment: Environment(
                home: places.home, data: places.data, state: places.state, cache: cache ?? places.cache),
            threads: threads)
        let json = PhotoRecords.pieces(result.photos[...], commas: true).flatMap(\.bytes)
        return (json, result.statistics)
    }

    /// Three searches of the same state: by the index as it is, by the index as that has left it, and without.
    private func expectTheTruth(
        _ state: String, opened: Int? = nil, cache: FilePath? = nil, location: SourceLocation = #_sourceLocation
    ) throws {
        let truth = try search(false)
        let first = try search(true, cache: cache)
        #expect(first.json == truth.json, "\(state)", sourceLocation: location)
        if let opened {
            #expect(first.statistics.filesOpened == opened, "\(state)", sourceLocation: location)
        }
        let second = try search(true, cache: cache)
        #expect(second.json == truth.json, "\(state), again", sourceLocation: location)
        if cache == nil { #expect(second.statistics.filesOpened == 0, "\(state), again", sourceLocation: location) }
    }

    @Test func theAnswerFollowsEveryChange() throws {
        try expectTheTruth("filled", opened: 7)
        let root = library.root.appending("2024")
        let file = root.appending("p0.jpg")
        let before = try FileStatus.of(file)

        try FileSystem.setModified(file, ns: 1_600_000_000_000_000_000)
        try expectTheTruth("touched", opened: 1)

        // The date of the name is of no use for p0, which has its own; a name alone never decides what was cached.
        try FileSystem.rename(file, to: root.appending("IMG_20200102_030405.jpg"))
        try expectTheTruth("renamed", opened: 1)

        // Another content of the same length, with the times of the old one, by another file and by the same.
        let twin = root.appending("p1.jpg")
        let status = try FileStatus.of(twin)
        var other = photo(1)
        let place = try #require(other.indices.first { other[$0...].starts(with: "Model 1".utf8) })
        other[place + 6] = UInt8(ascii: "9")
        try FileSystem.remove(twin)
        try library.folder.write("library/2024/p1.jpg", other)
        try FileSystem.setModified(twin, ns: status.identity.modifiedNs)
        #expect(try FileStatus.of(twin).identity.bytes == status.identity.bytes)
        try expectTheTruth("replaced", opened: 1)
        other[place + 6] = UInt8(ascii: "8")
        try library.folder.write("library/2024/p1.jpg", other)
        try FileSystem.setModified(twin, ns: status.identity.modifiedNs)
        try expectTheTruth("rewritten", opened: 1)
        #expect(String(decoding: try search(true).json, as: UTF8.self).contains("Model 8"))

        try FileSystem.link(twin, as: root.appending("other name.jpg"))
        try expectTheTruth("linked")

        // ext4 and tmpfs give the number of a file that is gone to the next one, or do not; either way:
        for number in 0..<20 {
            try FileSystem.remove(root.appending("p2.jpg"))
            try add("2024/p2.jpg", number % 6)
            try expectTheTruth("inode \(number)", opened: 1)
        }
        #expect(before.identity.inode != 0)
    }

    @Test func whatBelongsToTheNameIsNeverCached() throws {
        let plain = try library.folder.write("library/2024/IMG_20200102_030405.jpg", JPEGFixture().bytes)
        try expectTheTruth("filled")
        #expect(String(decoding: try search(true).json, as: UTF8.self).contains("2020-01-02T03:04:05"))

        // One inode under two names: each has the date of its own.
        try FileSystem.link(plain, as: plain.directory.appending("IMG_20210203_040506.jpg"))
        try expectTheTruth("two names")
        let text = String(decoding: try search(true).json, as: UTF8.self)
        #expect(text.contains("2020-01-02T03:04:05") && text.contains("2021-02-03T04:05:06"))

        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
            """
        let sidecar = try library.folder.write("library/2024/p3.xmp", xmp)
        for (rating, content) in [("4", xmp), ("2", xmp.replacing("\"4\"", with: "\"2\""))] {
            try library.folder.write("library/2024/p3.xmp", content)
            let json = try search(true).json
            #expect(json == (try search(false).json))
            #expect(String(decoding: json, as: UTF8.self).contains("\"rating\":\(rating)"))
            #expect(String(decoding: json, as: UTF8.self).contains("p3.xmp\"]"))
        }
        try FileSystem.remove(sidecar)
        try expectTheTruth("without the sidecar", opened: 0)
        #expect(!String(decoding: try search(true).json, as: UTF8.self).contains("p3.xmp"))
    }

    @Test func anEmptyOrMissingRootPrunesNothing() throws {
        try expectTheTruth("filled")
        let rows = try #require(rows)
        #expect(rows == 7)
        let away = library.folder.path.appending("unplugged")
        try FileSystem.rename(library.root, to: away)
        #expect(throws: LibraryError.missing(library.root)) { try search(true) }
        try FileSystem.createFolder(library.root, permissions: 0o700)
        #expect(try search(true).json.isEmpty)
        #expect(self.rows == rows)
        try FileSystem.removeFolder(library.root)
        try FileSystem.rename(away, to: library.root)
        try expectTheTruth("plugged in again", opened: 0)
    }

    @Test func aDamagedIndexChangesNoAnswer() throws {
        try expectTheTruth("filled")
        let index = library.environment.cache.appending("index.sqlite")
        let whole = try FileSystem.contents(of: index)
        var random = SeededRandom(seed: 5)
        for step in 0..<40 {
            var damaged = whole
            switch step % 3 {
            case 0: damaged.removeLast(Int(random.next() % UInt64(whole.count)))
            case 1: for _ in 0..<40 { damaged[Int(random.next() % UInt64(whole.count))] = UInt8(random.next() & 0xFF) }
            default: damaged.replaceSubrange(0..<100, with: [UInt8](repeating: UInt8(step), count: 100))
            }
            _ = try IndexInfo.clear(in: library.environment.cache)
            try library.folder.write("home/cache/index.sqlite", damaged)
            let truth = try search(false).json
            for _ in 0..<2 { #expect(try search(true).json == truth, "step \(step)") }
        }
    }

    @Test func aLockedIndexChangesNoAnswer() throws {
        try expectTheTruth("filled")
        let index = library.environment.cache.appending("index.sqlite")
        for lock in ["BEGIN IMMEDIATE; DELETE FROM file", "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"] {
            let other = try SQLiteConnection(index, patience: 0)
            try other.execute(lock)
            try add("2024/late.jpg", 4)
            let truth = try search(false).json
            #expect(try search(true).json == truth, "\(lock)")
            try other.execute("ROLLBACK")
        }
        try expectTheTruth("given back")
    }

    @Test func anIndexThatCannotBeWrittenChangesNoAnswer() throws {
        // A file where the folder should be: nobody can write there, the superuser neither.
        let blocked = try library.folder.write("home/blocked", "")
        let truth = try search(false).json
        let result = try search(true, cache: blocked.appending("phototidy"))
        #expect(result.json == truth)
        #expect(result.statistics.indexProblem != nil)
    }

    @Test(.enabled(if: MountSpace.isAvailable, "\(MountSpace.obstacle ?? "")"))
    func indexOnAFullOrReadOnlyDiskChangesNoResult() throws {
        let space = try MountSpace()
        try space.shell("mount -t tmpfs -o size=64k tmpfs /mnt; mkdir /mnt/cache")
        let cache = space.path(FilePath("/mnt/cache"))
        try expectTheTruth("room for a little", cache: cache)
        try space.shell("cat /dev/zero > /mnt/cache/rest 2>/dev/null || true")
        for number in 0..<6 { try add("2024/more\(number).jpg", number) }
        try expectTheTruth("full", cache: cache)
        try space.shell("rm -f /mnt/cache/index*")
        try space.shell("cat /dev/zero > /mnt/cache/rest 2>/dev/null || true")
        try expectTheTruth("full from the start", cache: cache)
        #expect(try search(true, cache: cache).statistics.indexProblem != nil)
        try space.shell("rm /mnt/cache/rest; mount -o remount,size=4m /mnt")
        try expectTheTruth("room again", cache: cache)
        try space.shell("mount -o remount,ro /mnt")
        try expectTheTruth("read-only", cache: cache)
        try add("2024/last.jpg", 3)
        try expectTheTruth("read-only, with something new", cache: cache)
    }
}
