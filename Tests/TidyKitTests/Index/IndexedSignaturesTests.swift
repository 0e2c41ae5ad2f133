internal import Support
import Testing

@testable import TidyKit

/// The tables of signatures and grids: as careful as that of files, and kept by another build of the program.
@Suite struct IndexedSignaturesTests {
    private static let now = MetadataIndexTests.now
    private let home: TemporaryFolder
    private var folder: FilePath { home.path.appending("cache") }

    init() throws { home = try TemporaryFolder() }

    private static func file(_ number: Int) -> FileIdentity {
        FileIdentity(device: 1, inode: UInt64(number * 3), bytes: Int64(number), modifiedNs: 1, changedNs: 2)
    }

    private func open(build: FileIdentity? = nil, now: WallClock = Self.now) -> MetadataIndex {
        MetadataIndex(folder: folder, now: now, limit: MetadataIndex.standardLimit, build: build)
    }

    private func fill(_ numbers: Range<Int>, version: UInt64 = 1) {
        var index = open()
        for number in numbers {
            index.keep([UInt8(number & 255), 2, 3], in: .signature, version: version, of: Self.file(number))
            index.keep([UInt8](repeating: 7, count: 4096), in: .grid, version: version, of: Self.file(number))
            index.keep(.noMedia, of: Self.file(number))
        }
        index.finish()
    }

    private func known(_ numbers: Range<Int>, version: UInt64 = 1, build: FileIdentity? = nil) -> Int {
        var index = open(build: build)
        let found = index.signatures(of: numbers.map(Self.file), in: .signature, version: version)
        index.finish()
        for (number, signature) in zip(numbers, found) {
            if let signature { #expect(signature == [UInt8(number & 255), 2, 3]) }
        }
        return found.count { $0 != nil }
    }

    @Test func whatWasKeptIsKnownToEveryBuildOfOneVersion() {
        fill(0..<300)
        #expect(known(0..<400) == 300)
        #expect(known(0..<300, build: Self.file(5)) == 300)
        #expect(known(0..<300, version: 2) == 0)
        var index = open(build: Self.file(5))
        // What Metadata has read belongs to the build.
        #expect(index.contents(of: [Self.file(7)]) == [nil])
        index.finish()
        let info = IndexInfo.read(in: folder)
        #expect(info.files == 300 && info.signatures == 300)
    }

    @Test func aChangedFileIsUnknown() {
        fill(0..<3)
        var index = open()
        var changed = Self.file(1)
        changed.changedNs = 9
        #expect(index.signatures(of: [changed], in: .signature, version: 1) == [nil])
        #expect(index.signatures(of: [Self.file(1)], in: .grid, version: 1)[0]?.count == 4096)
    }

    @Test func whatWasSavedSurvivesAKill() {
        var index = open()
        index.keep([1, 2, 3], in: .signature, version: 1, of: Self.file(1))
        index.save()
        #expect(known(1..<2) == 1)
        // More can be written after that.
        index.keep([2, 2, 3], in: .signature, version: 1, of: Self.file(2))
        index.finish()
        #expect(known(1..<3) == 2)
    }

    @Test func aFileThatHasJustChangedIsNotKept() {
        var index = open()
        var file = Self.file(1)
        file.changedNs = Int128(Self.now.seconds) * 1_000_000_000 - 1
        index.keep([1, 2, 3], in: .signature, version: 1, of: file)
        index.finish()
        #expect(IndexInfo.read(in: folder).signatures == 0)
    }

    @Test func damagedRowsAreIgnored() throws {
        fill(0..<200)
        let path = folder.appending(IndexStore.fileName)
        let whole = try FileSystem.contents(of: path)
        var random = SeededRandom(seed: 4)
        for _ in 0..<20 {
            var damaged = whole
            for _ in 0..<8 { damaged[Int(random.next() % UInt64(whole.count))] ^= UInt8(1 + random.next() % 255) }
            try FileDescriptor.open(path, [.write, .truncate]).write(damaged)
            #expect(known(0..<200) <= 200)
        }
    }

    /// The table of files had to be made anew since; what took hours stays.
    @Test func anotherSchemaKeepsTheSignatures() throws {
        fill(0..<10)
        let path = folder.appending(IndexStore.fileName)
        let connection = try SQLiteConnection(path, patience: 100)
        try connection.execute("PRAGMA user_version = 1")
        _ = consume connection
        #expect(known(0..<10) == 10)
        #expect(IndexInfo.read(in: folder).files == 0)
    }
}
