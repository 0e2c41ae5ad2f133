internal import Glibc
internal import Support
import Testing

@testable import TidyKit

@Suite struct MetadataIndexTests {
    static let now = WallClock(year: 2024, month: 6, day: 1)!
    let home: TemporaryFolder
    var folder: FilePath { home.path.appending("cache/phototidy") }
    var path: FilePath { folder.appending("index.sqlite") }

    init() throws { home = try TemporaryFolder() }

    /// Files that need not exist: the index knows identities only. Neighbours, gaps, and inodes beyond Int64.
    static let files: [FileIdentity] = (0..<3000).map { number in
        let inode: UInt64 = number % 7 == 0 ? .max - UInt64(number) : UInt64(number * number % 9001)
        return FileIdentity(
            device: UInt64(number % 3), inode: inode, bytes: Int64(number), modifiedNs: 1, changedNs: 2)
    }

    static func content(_ number: Int) -> IndexedContent {
        if number % 5 == 0 { return .noMedia }
        if number % 5 == 1 { return .format(MediaFormat.allCases[number % MediaFormat.allCases.count]) }
        var metadata = MediaMetadata(format: .jpeg)
        metadata.width = number
        metadata.model = "Camera number \(number % 20) with a long name"
        return .metadata(metadata)
    }

    private func open(_ now: WallClock = Self.now, limit: Int64 = MetadataIndex.standardLimit) -> MetadataIndex {
        MetadataIndex(folder: folder, now: now, limit: limit)
    }

    private func fill(_ numbers: Range<Int> = 0..<3000, now: WallClock = Self.now) {
        var index = open(now)
        for number in numbers { index.keep(Self.content(number), of: Self.files[number]) }
        index.finish()
        #expect(index.problem == nil)
    }

    /// How many of the files are known. What is known must be right.
    @discardableResult
    private func known(_ now: WallClock = Self.now) -> Int {
        var index = open(now)
        let contents = index.contents(of: Self.files)
        index.finish()
        for (number, content) in contents.enumerated() {
            if let content, content != Self.content(number) { Issue.record("file \(number) is wrong") }
        }
        return contents.count { $0 != nil }
    }

    @Test func whatWasKeptIsKnownInTheNextRun() {
        #expect(known() == 0)
        fill(0..<1000)
        #expect(known() == 1000)
        fill(500..<3000)
        #expect(known() == 3000)
    }

    /// In an index that is nearly full, the use of a row is recorded by writing it anew.
    @Test func aRowThatIsWrittenAnewKeepsTheTraitsOfTheShot() throws {
        let file = FileIdentity(device: 1, inode: 2, bytes: 3, modifiedNs: 1, changedNs: 2)
        let content = IndexedContent.metadata(IndexRecordTests.everything)
        var index = open()
        index.keep(content, of: file)
        index.finish()
        let later = WallClock(seconds: Self.now.seconds + 60 * 86400)
        index = open(later, limit: try FileStatus.of(path).identity.bytes + 4096)
        index.readsShots = false
        #expect(index.contents(of: [file]) == [content])
        index.finish()
        index = open(later)
        #expect(index.contents(of: [file]) == [content])
        index.finish()
    }

    @Test func nothingIsMadeWhereNothingIsKept() throws {
        var index = open()
        _ = index.contents(of: Self.files)
        index.finish()
        #expect((try? FileStatus.of(home.path.appending("cache"))) == nil)
        fill(0..<1)
        #expect(try FileStatus.of(folder).permissions == 0o700)
        #expect(try FileStatus.of(path).permissions == 0o600)
        #expect(TemporaryFolder.names(in: folder) == [Array("index.sqlite".utf8)])
    }

    @Test func anotherStateReplacesTheOldOne() {
        fill(0..<10)
        var changed = Self.files[2]
        changed.bytes += 1
        var index = open()
        #expect(index.contents(of: [changed, Self.files[3]]) == [nil, Self.content(3)])
        index.keep(.noMedia, of: changed)
        index.finish()
        index = open()
        #expect(index.contents(of: [changed, Self.files[2], Self.files[3]]) == [.noMedia, nil, Self.content(3)])
        #expect(IndexInfo.read(in: folder).files == 10)
    }

    @Test func oneInodeUnderTwoNamesIsFoundForBoth() {
        fill(0..<10)
        var index = open()
        let twice = [Self.files[4], Self.files[5], Self.files[4]]
        #expect(index.contents(of: twice) == [Self.content(4), Self.content(5), Self.content(4)])
    }

    /// Within the granule of the clock a file can change again and look the same.
    @Test func aFileThatHasJustChangedIsNotKept() {
        let start = Self.now.seconds * 1_000_000_000
        var file = Self.files[1]
        for (age, isKept) in [(-1, false), (0, false), (2_000_000_000, false), (2_000_000_001, true)] {
            file.id.inode += 1
            file.changedNs = Int128(start) - Int128(age)
            var index = open()
            index.keep(.noMedia, of: file)
            index.finish()
            index = open()
            #expect((index.contents(of: [file]) == [.noMedia]) == isKept, "\(age) ns")
        }
    }

    @Test func damageCostsOnlyTime() throws {
        fill()
        let whole = try FileSystem.contents(of: path)
        var random = SeededRandom(seed: 1)
        for step in 0..<48 {
            var damaged = whole
            switch step % 4 {
            case 0: damaged.removeLast(min(whole.count, step / 4 * whole.count / 12))
            case 1:
                for _ in 0...step { damaged[Int(random.next() % UInt64(whole.count))] = UInt8(random.next() & 0xFF) }
            case 2:
                let start = Int(random.next() % UInt64(whole.count - 5000))
                for index in start..<(start + 5000) { damaged[index] = UInt8(random.next() & 0xFF) }
            default:
                // Pages in another order.
                let count = UInt64(whole.count / 4096)
                let (from, to) = (Int(random.next() % count) * 4096, Int(random.next() % count) * 4096)
                damaged.replaceSubrange(to..<(to + 4096), with: whole[from..<(from + 4096)])
            }
            _ = try IndexInfo.clear(in: folder)
            try home.write("cache/phototidy/index.sqlite", damaged)
            // A few runs later it works again: detected damage causes a rebuild, undetected damage only costs time.
            var rounds = 0
            while known() <= 2800, rounds < 8 {
                fill()
                rounds += 1
            }
            #expect(rounds < 8, "step \(step)")
        }
    }

    /// Neighbours are read in one go: one damaged row must not hide those behind it for ever.
    @Test func aDamagedRowIsGotOver() throws {
        let files = (1...300).map { FileIdentity(device: 1, inode: $0, bytes: 5, modifiedNs: 6, changedNs: 7) }
        func fill() -> Int {
            var index = open()
            let known = index.contents(of: files)
            for (file, content) in zip(files, known) where content == nil { index.keep(.noMedia, of: file) }
            index.finish()
            return known.count { $0 == .noMedia }
        }
        #expect(fill() == 0)
        let whole = try FileSystem.contents(of: path)
        var random = SeededRandom(seed: 3)
        for step in 0..<60 {
            var damaged = whole
            damaged[4096 + Int(random.next() % UInt64(whole.count - 4096))] ^= UInt8(1 + random.next() % 255)
            _ = try IndexInfo.clear(in: folder)
            try home.write("cache/phototidy/index.sqlite", damaged)
            _ = fill()
            _ = fill()
            #expect(fill() == 300, "step \(step)")
        }
    }

    @Test func whatLiesBesideItDoesNotConfuseIt() throws {
        fill()
        let noise = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 37 ^ $0 >> 3) }
        for name in ["index.sqlite-wal", "index.sqlite-shm", "index.sqlite-journal"] {
            try home.write("cache/phototidy/" + name, noise)
            known()
            fill()
            #expect(known() == 3000)
        }
        // An empty file, and one that is not a database.
        for content in ["", "no database", String(repeating: "SQLite format 3\0", count: 600)] {
            try home.write("cache/phototidy/index.sqlite", content)
            #expect(known() == 0)
            fill(0..<10)
            #expect(known() == 10)
        }
    }

    @Test func anotherSchemaIsMadeAnew() throws {
        fill(0..<10)
        for statement in [
            "PRAGMA user_version = 99", "PRAGMA user_version = 0", "DROP TABLE file",
            "DROP TABLE file; CREATE TABLE file (device, inode, other)",
            "CREATE VIEW other AS SELECT 1; DROP TABLE file",
        ] {
            let connection = try SQLiteConnection(path, patience: 0)
            try connection.execute(statement)
            known()
            fill(0..<10)
            #expect(known() == 10, "\(statement)")
        }
    }

    @Test func whatCannotBeOpenedIsDoneWithout() throws {
        try FileSystem.createFolders(path)
        var index = open()
        index.keep(.noMedia, of: Self.files[0])
        index.finish()
        #expect(index.problem == .noFile(path))
        try FileSystem.removeFolder(path)
        // Nobody writes into the pipe: opening it as a file would wait for ever.
        #expect(path.withCString { mkfifo($0, 0o600) } == 0)
        #expect(known() == 0)
        #expect(open().problem == .noFile(path))
        try FileSystem.remove(path)
        // A file in the place of the folder.
        try FileSystem.removeFolder(folder)
        try home.write("cache/phototidy", "")
        #expect(known() == 0)
        index = open()
        index.keep(.noMedia, of: Self.files[0])
        index.finish()
        #expect(index.problem != nil)
    }

    @Test func anotherProcessThatWritesHindersOnlyWriting() throws {
        fill(0..<10)
        let other = try SQLiteConnection(path, patience: 0)
        try other.execute("BEGIN IMMEDIATE; DELETE FROM file")
        #expect(known() == 10)
        var index = open()
        index.keep(Self.content(20), of: Self.files[20])
        index.finish()
        #expect(index.problem?.isDamage == false)
        try other.execute("ROLLBACK")
        #expect(known() == 10)
        fill(20..<21)
        #expect(known() == 11)
    }

    @Test func anotherProcessThatHasItAloneCostsOnlyTime() throws {
        fill(0..<10)
        do {
            let other = try SQLiteConnection(path, patience: 0)
            try other.execute("PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM file")
            #expect(known() == 0)
            let index = open()
            #expect(index.problem?.isDamage == false)
            try other.execute("SELECT 1")
        }
        #expect(known() == 10)
    }

    @Test func twoRunsAtOnceBothComeThrough() {
        var first = open()
        var second = open()
        for number in 0..<100 { first.keep(Self.content(number), of: Self.files[number]) }
        for number in 100..<200 { second.keep(Self.content(number), of: Self.files[number]) }
        first.finish()
        #expect(second.contents(of: [Self.files[0]]) == [nil])
        second.finish()
        #expect(first.problem == nil && second.problem == nil)
        #expect(known() == 200)
    }

    @Test func whatWasUsedLongAgoMakesRoom() {
        let month = WallClock(seconds: Self.now.seconds + 40 * 86400)
        fill(0..<1500)
        fill(1500..<3000, now: month)
        let used = IndexInfo.read(in: folder).bytes
        // In use, and the bound is near: these are the ones to stay.
        var index = open(month, limit: used)
        _ = index.contents(of: Array(Self.files[0..<100]))
        index.finish()
        index = open(month, limit: used - 8192)
        index.keep(Self.content(0), of: Self.files[0])
        index.finish()
        #expect(index.problem == nil)
        #expect(known(month) == 1600)
        // All of it was used lately: no row goes, none comes.
        index = open(month, limit: 4096)
        #expect(index.contents(of: [Self.files[2000]]) == [Self.content(2000)])
        index.keep(.noMedia, of: Self.files[1000])
        index.finish()
        #expect(index.problem == .full)
        #expect(known(month) == 1600)
    }

    @Test func infoAndClear() throws {
        #expect(IndexInfo.read(in: folder) == IndexInfo(path: path, bytes: 0, files: 0, signatures: 0, problem: nil))
        #expect(try IndexInfo.clear(in: folder) == 0)
        fill()
        let info = IndexInfo.read(in: folder)
        #expect(info.files == 3000 && info.bytes > 100_000 && info.problem == nil)
        #expect(try IndexInfo.clear(in: folder) == info.bytes)
        #expect(known() == 0)
        try home.write("cache/phototidy/index.sqlite", "no database at all, but longer than a header")
        #expect(IndexInfo.read(in: folder).files == nil)
    }
}
