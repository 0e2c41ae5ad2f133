import Glibc
import Support
import Testing

@testable import TidyKit

/// Time stamps that Int64 nanoseconds cannot hold: before 1677 and after 2262.
@Suite struct FarTimeStampTests {
    private static let seconds: [Int64] = [
        .min, .min + 1, -62_135_596_801, -62_135_596_800, -9_223_372_037, -9_223_372_036, -1, 0, 9_223_372_036,
        9_223_372_037, 253_402_300_799, 253_402_300_800, .max,
    ]

    private static func status(_ seconds: Int64, _ nanoseconds: Int) -> FileStatus {
        var status = stat()
        status.st_mode = S_IFREG | 0o644
        status.st_size = off_t.max
        status.st_mtim = timespec(tv_sec: Int(seconds), tv_nsec: nanoseconds)
        status.st_ctim = status.st_mtim
        status.st_atim = status.st_mtim
        return FileStatus(status)
    }

    @Test(arguments: seconds, [0, 1, 999_999_999]) func theyAreReadExactly(seconds: Int64, nanoseconds: Int) {
        let status = Self.status(seconds, nanoseconds)
        let expected = Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
        let identity = status.identity
        #expect(identity.modifiedNs == expected && identity.changedNs == expected && status.accessedNs == expected)
        var other = FileIdentity(
            device: identity.device, inode: identity.inode, bytes: .max, modifiedNs: expected, changedNs: expected)
        #expect(other == identity && identity.matchesContent(of: other))
        other.modifiedNs ^= 1
        #expect(other != identity && !identity.matchesContent(of: other))
        let time = timespec(ns: expected)
        #expect(time.tv_sec == seconds && time.tv_nsec == nanoseconds)
    }

    @Test func whatNoTimespecHoldsBecomesItsLimit() {
        #expect(timespec(ns: .max).tv_sec == .max && timespec(ns: .min).tv_sec == .min)
        // Some FUSE servers hand out more than a second of nanoseconds.
        #expect(Self.status(5, 4_000_000_000).identity.modifiedNs == 5_999_999_999)
        #expect(Self.status(5, -1).identity.modifiedNs == 5_000_000_000)
    }

    @Test(arguments: seconds) func linesRecordsAndTrashKeepThem(seconds: Int64) throws {
        let identity = Self.status(seconds, 123_456_789).identity
        var line = LineWriter()
        line.identity(identity)
        var text: [UInt8] = []
        line.finish(into: &text, seed: [])
        var reader = try #require(LineReader(text.dropLast(), seed: []))
        #expect(reader.identity() == identity)

        var json = JSONWriter()
        json.identity(identity)
        let value = try JSONReader.value(json.bytes[...])
        #expect(value.identity == identity && value.recordedIdentity == identity)

        let origin = TrashInfo.Origin(
            run: RunID(ns: 0), file: 0, unit: 0, operation: .move, identity: identity, state: nil)
        let trash = TrashSite(root: FilePath("/trash"), top: nil)
        let info = TrashInfo(location: FilePath("/a"), deletionDate: "", origin: origin)
        #expect(TrashInfo(info.text(in: trash), in: trash)?.origin?.identity == identity)
    }

    @Test func recordsThatWentThroughADoubleAreKnown() {
        let identity = Self.status(253_402_300_800, 123_456_789).identity
        var rounded = identity
        rounded.modifiedNs = Int128(Double(identity.modifiedNs))
        #expect(rounded != identity && identity.difference(fromRecord: rounded) == nil)
        rounded.modifiedNs += 1_000_000
        #expect(identity.difference(fromRecord: rounded) != nil)
    }

    @Test(arguments: seconds) func clocksAndDatesDoNotEndTheRun(seconds: Int64) {
        let identity = Self.status(seconds, 0).identity
        let wall = WallClock.utc(ns: identity.modifiedNs)
        #expect(wall.seconds == seconds)
        #expect(!wall.text.isEmpty)
        let isInCalendar = (-62_135_596_800...253_402_300_799).contains(seconds)
        let date = CaptureDate.modified(ns: identity.modifiedNs)
        #expect((date != nil) == isInCalendar)
        #expect(wall.subtracting(days: .max).seconds == .min)
        for offset in [-1440, 1440] {
            #expect(CaptureDate(wall: wall, offsetMinutes: offset, source: .xmp).utc(in: .utc).seconds != 0)
        }
    }

    @Test func theIndexPassesThemBy() throws {
        let folder = try TemporaryFolder()
        let files = Self.seconds.enumerated().map { number, seconds in
            var identity = Self.status(seconds, 5).identity
            identity.id.inode = UInt64(number + 1)
            identity.changedNs = identity.modifiedNs
            return identity
        }
        let now = WallClock(seconds: .max)
        var index = MetadataIndex(folder: folder.path, now: now)
        for file in files { index.keep(.noMedia, of: file) }
        index.finish()
        var second = MetadataIndex(folder: folder.path, now: now)
        let contents = second.contents(of: files)
        second.finish()
        for (file, content) in zip(files, contents) {
            #expect((content != nil) == (Int64(exactly: file.modifiedNs) != nil), "\(file)")
        }
    }

    @Test func orderIsExact() {
        var random = SeededRandom.byChance()
        var photos = Self.seconds.shuffled(using: &random).flatMap { seconds in
            [7, 3].map {
                Photo(path: FilePath("\(seconds) \($0)"), identity: Self.status(seconds, $0).identity, format: .jpeg)
            }
        }
        for isReversed in [false, true] {
            SortOrder(.modified, reversed: isReversed).sort(&photos)
            let times = photos.map(\.identity.modifiedNs)
            #expect(times == (isReversed ? times.sorted(by: >) : times.sorted()))
        }
    }
}
