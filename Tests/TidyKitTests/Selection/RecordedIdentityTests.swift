import Support
import Testing

@testable import TidyKit

/// Records that went through a program which holds numbers as doubles.
@Suite struct RecordedIdentityTests {
    private static let identity = FileIdentity(
        device: 1, inode: 18_014_398_509_482_001, bytes: 10, modifiedNs: 1_714_557_600_123_456_789,
        changedNs: 1_714_557_600_123_456_789)

    /// `jq 1.6`, `%.17g`, and the exact value of the double.
    @Test(arguments: ["1714557600123456800", "1.7145576001234568e+18", "1714557600123456768"])
    func aRoundedTimeIsTheSame(written: String) throws {
        let record =
            #"{"path":"a","identity":{"device":1,"inode":18014398509482000,"bytes":10,"#
            + #""modifiedNs":\#(written),"changedNs":\#(written)}}"#
        let photo = try #require(try PathListReader.photos(Array(record.utf8), nul: false).first)
        let recorded = try #require(photo.identity)
        #expect(Self.identity.difference(fromRecord: recorded) == nil)
        #expect(Self.identity.difference(from: recorded) != nil)
    }

    @Test func whatNoDoubleWouldPrintIsAnotherTime() {
        for other: Int128 in [-1, 1, -89, 100, 1000, -256] {
            var recorded = Self.identity
            recorded.modifiedNs += other
            #expect(Self.identity.difference(fromRecord: recorded) != nil)
        }
        var small = Self.identity
        small.bytes += 1
        #expect(Self.identity.difference(fromRecord: small) != nil)
    }

    @Test func wholeSecondsAreWrittenShort() throws {
        let record = #"{"path":"a","identity":{"device":1,"inode":2,"bytes":3,"modifiedNs":1.7e+18,"changedNs":1}}"#
        let photo = try PathListReader.photos(Array(record.utf8), nul: false)[0]
        #expect(photo.identity?.modifiedNs == 1_700_000_000_000_000_000)
    }

    /// Going on would leave out the check.
    @Test(arguments: [#"{"device":1}"#, #""x""#, #"{"device":1,"inode":2,"bytes":3,"modifiedNs":1.5,"changedNs":1}"#])
    func anIdentityThatCannotBeReadIsAnError(identity: String) {
        #expect(throws: PathListReader.Failure.self) {
            try PathListReader.photos(Array(#"{"path":"a","identity":\#(identity)}"#.utf8), nul: false)
        }
    }

    @Test func deleteAcceptsRoundedRecords() throws {
        let library = try TestLibrary()
        let path = try library.add("a.jpg")
        try FileSystem.setModified(path, ns: 1_714_557_600_123_456_789)
        var rounded = try FileStatus.of(path).identity
        rounded.modifiedNs = 1_714_557_600_123_456_800
        rounded.changedNs = Int128(Double(rounded.changedNs))
        var planner = try DeletionPlanner(DeletionOptions(), environment: library.environment)
        let candidate = DeletionCandidate(unit: PhotoUnit(main: path), recorded: rounded)
        var plan = try planner.plan([candidate], id: RunID(ns: 1), timeNs: 1)
        #expect(plan.items[0].status == .ready)
        plan.items[0].members[0].identity = rounded
        #expect(try planner.renew(plan, history: nil).items[0].status == .changed)
    }
}
