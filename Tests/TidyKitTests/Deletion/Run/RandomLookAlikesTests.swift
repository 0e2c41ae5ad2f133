import Support
import Testing

@testable import TidyKit

/// Groups of every kind under random wishes: something of each group is left, whatever others do in between.
@Suite struct RandomLookAlikesTests {
    /// Two scenes, each in several encodings: copies if chosen twice, look-alikes otherwise.
    private static let pictures: [[UInt8]] = (1...2).flatMap { seed in
        let picture = DrawnPicture(width: 320, height: 240, seed: UInt64(seed), grain: 20)
        var exif = ExifFixture()
        exif.camera(make: "Acme", model: "One")
        exif.taken("2024:05:01 10:00:0\(seed)")
        let plain = picture.jpeg(quality: 90)
        return [JPEGFixture(picture: plain).with(exif).bytes, plain, picture.jpeg(quality: 60)]
    }

    private struct Case {
        let library: TestLibrary
        let files: [FilePath]
        var input: DeletionInput
        var query: LibraryQuery

        init(_ random: inout SeededRandom) throws {
            library = try TestLibrary(inMemory: true)
            var files: Set<FilePath> = []
            for number in 0..<Int.random(in: 2...9, using: &random) {
                let folder = ["a", "b", "b/c"].randomElement(using: &random)!
                let name = ["x", "x copy", "y"].randomElement(using: &random)!
                let bytes = pictures.randomElement(using: &random)!
                files.insert(try library.folder.write("library/\(folder)/\(name)\(number % 3).jpg", bytes))
            }
            self.files = files.sorted()
            let now = WallClock.now()
            var options = DeletionOptions()
            if Int.random(in: 0..<3, using: &random) == 0 { options.protected = [library.root.appending("b/c")] }
            options.protected.removeAll { !$0.exists }
            input = DeletionInput(options: options, now: now)
            input.useIndex = false
            let kinds: [(String, String?)] = [("duplicate", nil), ("similar", nil), ("burst", "2")]
            let (option, value) = kinds.randomElement(using: &random)!
            input.predicates = [try Predicate(option: option, value: value.map { Array($0.utf8) }, now: now)]
            if Bool.random(using: &random) {
                let glob = ["*/b/*", "*copy*"].randomElement(using: &random)!
                input.predicates.append(try Predicate(option: "path", value: Array(glob.utf8), now: now))
            }
            input.grouping.keep = Array(KeepRule.allCases.shuffled(using: &random).prefix(2))
            let favored = self.files.randomElement(using: &random)!
            switch Int.random(in: 0..<4, using: &random) {
            case 0: input.grouping.preferred = [try PlacePattern(favored.directory)]
            case 1: input.grouping.selected = [try favored.resolved()]
            case 2:
                input.grouping.against = [favored.directory]
                input.grouping.protected = [try PlacePattern(folder: favored.directory)]
            default: break
            }
            query = LibraryQuery(operands: [library.root], predicates: input.predicates, now: now)
            query.useIndex = false
            query.grouping = input.grouping
            for place in options.protected { query.grouping.protected.append(try PlacePattern(place)) }
        }

        func plan() throws -> DeletionPlan {
            let candidates = try input.candidates(operands: [library.root], environment: library.environment)
            var planner = try DeletionPlanner(input.options, environment: library.environment, roots: input.roots)
            let timeNs = SystemClock.nowNs()
            return try planner.plan(candidates.photos, id: RunID(ns: timeNs), timeNs: timeNs)
        }
    }

    @Test func aSearchNamesWhatStaysAndExplainsIt() throws {
        var random = SeededRandom.byChance()
        var count = 0
        for _ in 0..<25 {
            let sample = try Case(&random)
            let found = try PhotoLibrary.photos(sample.query, environment: sample.library.environment)
            let paths = Set(found.photos.map(\.path))
            for photo in found.photos {
                let group = try #require(photo.group)
                #expect(group.role == .redundant && group.keep.exists && !paths.contains(group.keep))
                let isProtected = sample.query.grouping.protected.contains { $0.covers(photo.path, at: photo.path) }
                #expect(!isProtected)
                count += 1
            }
            var whole = sample.query
            whole.grouping.showsGroups = true
            let shown = try PhotoLibrary.photos(whole, environment: sample.library.environment).photos
            for group in Set(shown.compactMap(\.group?.group)) {
                let members = shown.filter { $0.group?.group == group }
                #expect(members.count == group.size && members[0].path == group.keep)
            }
            #expect(Set(shown.compactMap { $0.group?.id }).count == Set(shown.compactMap { $0.group?.keep }).count)
            let file = sample.files.randomElement(using: &random)!
            let explained = try PhotoLibrary.explain(file, sample.query, environment: sample.library.environment)
            #expect(explained.isIn == paths.contains(file), "\(file.displayText)")
        }
        #expect(count > 10)
    }

    @Test func somethingOfEachGroupIsLeft() throws {
        var random = SeededRandom.byChance()
        var moved = 0
        for _ in 0..<25 {
            let sample = try Case(&random)
            let members = try PhotoLibrary.photos(sample.query, environment: sample.library.environment).memberships
            let plan = try sample.plan()
            let isDisturbed = Bool.random(using: &random)
            let forecast = try DeletionRun.rehearse(plan, environment: sample.library.environment).plan
            if isDisturbed {
                for file in sample.files where Int.random(in: 0..<5, using: &random) == 0 {
                    try FileSystem.remove(file)
                }
            }
            let groups = Dictionary(grouping: members.keys.filter(\.exists)) { members[$0]!.keep }
            let items = try DeletionRun.execute(plan, environment: sample.library.environment).plan.items
            for (keep, files) in groups {
                let isLeft = files.contains { $0.exists }
                #expect(isLeft, "nothing is left of the group of \(keep.displayText)")
            }
            for item in items where item.status.isDone {
                #expect(item.kept.first?.location.exists == true)
                moved += 1
            }
            if !isDisturbed {
                let (done, foreseen) = (items.map(\.status.isDone), forecast.items.map { $0.status == .ready })
                #expect(done == foreseen)
            }
        }
        #expect(moved > 10)
    }
}
