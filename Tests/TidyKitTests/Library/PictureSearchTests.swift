import Support
import Testing

@testable import TidyKit

/// `--duplicate=pixels`, from a folder to its groups.
@Suite struct PictureSearchTests {
    private let library: TestLibrary
    init() throws { library = try TestLibrary() }

    private func add(_ name: String, seed: UInt64 = 1, _ fill: (inout ExifFixture) -> Void) throws {
        var exif = ExifFixture()
        fill(&exif)
        try library.folder.write("library/" + name, JPEGFixture(width: 64, height: 48, seed: seed).with(exif).bytes)
    }

    private func found(_ value: String) throws -> [String] {
        let now = WallClock.now()
        let query = LibraryQuery(
            operands: [library.root],
            predicates: [try Predicate(option: "duplicate", value: Array(value.utf8), now: now)], now: now)
        let result = try PhotoLibrary.photos(query, environment: library.environment)
        #expect(result.warnings.isEmpty)
        return result.photos.map { String(decoding: $0.path.lastComponent, as: UTF8.self) }
    }

    @Test func thePictureCountsAndNotItsMetadata() throws {
        try add("original.jpg") {
            $0.camera(make: "Acme", model: "One")
            $0.taken("2024:05:01 10:00:00")
        }
        try add("tagged.jpg") { $0.set(.image, 0x013B, .ascii("somebody")) }
        try add("turned.jpg") { $0.orientation(6) }
        try add("other.jpg", seed: 2) { $0.orientation(1) }
        #expect(try found("bytes") == [])
        #expect(try found("pixels") == ["tagged.jpg"])
    }

    /// Formats whose picture cannot be told from the rest, and damaged files.
    @Test func whatCannotBeToldApartIsTheSameByItsBytes() throws {
        let cut = Array(JPEGFixture(width: 64, height: 48, seed: 3).bytes.dropLast(40))
        let bitmap = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B]
        for name in ["a", "b"] {
            try library.folder.write("library/\(name).jpg", cut)
            try library.folder.write("library/\(name).gif", bitmap)
        }
        try library.folder.write("library/c.gif", bitmap + [0])
        #expect(try found("pixels") == ["b.gif", "b.jpg"])
    }

    @Test func aPlanComparesThePictureAgain() throws {
        try add("a.jpg") { $0.camera(make: "Acme", model: "One") }
        try add("b.jpg") { $0.orientation(1) }
        let now = WallClock.now()
        var input = DeletionInput(options: DeletionOptions(), now: now)
        input.predicates = [try Predicate(option: "duplicate", value: Array("pixels".utf8), now: now)]
        let candidates = try input.candidates(operands: [library.root], environment: library.environment)
        var planner = try DeletionPlanner(input.options, environment: library.environment, roots: input.roots)
        let timeNs = SystemClock.nowNs()
        let plan = try planner.plan(candidates.photos, id: RunID(ns: timeNs), timeNs: timeNs)
        let item = try #require(plan.items.first)
        #expect(item.sameness == .pixels && item.status == .ready)
        // The last bytes of the picture that stays change under its old time stamps.
        let kept = try #require(item.kept.first)
        let file = try FileSystem.contents(of: kept.location)
        try FileDescriptor.open(kept.location, [.write]).write(Array(file.dropLast(4)) + [1, 2, 0xFF, 0xD9])
        try FileSystem.setModified(kept.location, ns: kept.identity.modifiedNs)
        let items = try DeletionRun.execute(plan, environment: library.environment).plan.items
        #expect(items.map(\.status) == [.changed])
        #expect(item.members[0].location.exists)
    }
}
