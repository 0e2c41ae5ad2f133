import Support
import Testing

@testable import TidyKit

/// Copies and bursts are deleted because another photo stays: whatever is asked for, and whatever happens in between.
@Suite struct RandomGroupsTests {
    /// What a library holds: bytes, or pictures whatever their metadata.
    private func contents(_ library: TestLibrary, pictures: Bool) throws -> Set<[UInt8]> {
        var reader = DigestReader()
        var contents: Set<[UInt8]> = []
        for (path, file) in try library.snapshot() {
            contents.insert(pictures ? try reader.codedDigest(of: ComparedFile(path)) ?? file.bytes : file.bytes)
        }
        return contents
    }

    private func fill(_ library: TestLibrary, _ random: inout SeededRandom) throws -> [FilePath] {
        var files: [FilePath] = []
        for _ in 0..<Int.random(in: 2...14, using: &random) {
            let folder = ["a", "b", "b/c"].randomElement(using: &random)!
            let name = ["IMG_1", "IMG_1 copy", "IMG_2", "x-1", "y (1)"].randomElement(using: &random)!
            var exif = ExifFixture()
            exif.camera(make: "Acme", model: "One")
            exif.taken("2024:05:01 10:00:0\(Int.random(in: 0...3, using: &random))")
            let seed = UInt64.random(in: 1...2, using: &random)
            let bytes = JPEGFixture(width: 32, height: 24, seed: seed).with(exif).bytes
            let file = try library.folder.write("library/\(folder)/\(name).jpg", bytes)
            if !files.contains(file) { files.append(file) }
            if files.count > 1, Bool.random(using: &random), let other = files.randomElement(using: &random) {
                let name = other.directory.appending("link\(files.count).jpg")
                if other.exists, !name.exists { try FileSystem.link(other, as: name) }
            }
        }
        return files
    }

    private func input(_ library: TestLibrary, _ files: [FilePath], _ random: inout SeededRandom) throws
        -> DeletionInput
    {
        var options = DeletionOptions()
        options.batchSize = Int.random(in: 1...4, using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 { options.mode = .erase }
        if Int.random(in: 0..<3, using: &random) == 0 { options.protected = [files.randomElement(using: &random)!] }
        if Int.random(in: 0..<4, using: &random) == 0 { options.protected.append(FilePath("*/b/*")) }
        let now = WallClock.now()
        var input = DeletionInput(options: options, now: now)
        let (option, value) = [("duplicate", nil), ("duplicate", "pixels"), ("burst", nil), ("burst", "2")]
            .randomElement(using: &random)!
        input.predicates = [try Predicate(option: option, value: value.map { Array($0.utf8) }, now: now)]
        if Int.random(in: 0..<3, using: &random) == 0 {
            input.predicates.append(try Predicate(option: "path", value: Array("*/b/*".utf8), now: now))
        }
        input.grouping.keep = Array(KeepRule.allCases.shuffled(using: &random).prefix(2))
        if Int.random(in: 0..<3, using: &random) == 0 {
            let place = files.randomElement(using: &random)!.directory
            input.grouping.against = [place]
            input.grouping.protected = [try PlacePattern(folder: place)]
        }
        return input
    }

    /// What others do between the plan and its run.
    private func meddle(_ files: [FilePath], _ random: inout SeededRandom) throws {
        for file in files where Int.random(in: 0..<6, using: &random) == 0 {
            guard file.exists else { continue }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: try FileSystem.remove(file)
            case 1:
                try AtomicFile.write(
                    Array("\(UInt64.random(in: 0...(.max), using: &random))".utf8), to: file, replacing: true)
            default:
                // In place, under the old time stamps.
                let modified = try FileStatus.of(file).identity.modifiedNs
                try FileDescriptor.open(file, [.write]).write([
                    0xFF, 0xD8, 0xFF, UInt8.random(in: 0...255, using: &random),
                ])
                try FileSystem.setModified(file, ns: modified)
            }
        }
    }

    @Test func noGroupEverEndsEmpty() throws {
        var random = SeededRandom.byChance()
        var moved = 0
        for _ in 0..<60 {
            let library = try TestLibrary(inMemory: true)
            let files = try fill(library, &random)
            let input = try input(library, files, &random)
            let candidates = try input.candidates(operands: [library.root], environment: library.environment)
            var planner = try DeletionPlanner(input.options, environment: library.environment, roots: input.roots)
            let timeNs = SystemClock.nowNs()
            var plan = try planner.plan(candidates.photos, id: RunID(ns: timeNs), timeNs: timeNs)
            if Bool.random(using: &random) { try meddle(files, &random) }
            if Bool.random(using: &random) {
                plan = try planner.renew(try PlanFile.plan(PlanFile.text(plan), FilePath("plan")), history: nil)
            }
            let pictures = input.predicates[0].value == Array("pixels".utf8)
            let before = try contents(library, pictures: pictures)
            let items = try DeletionRun.execute(plan, environment: library.environment).plan.items
            if input.predicates[0].option == "duplicate" {
                #expect(try contents(library, pictures: pictures) == before)
            }
            for item in items where item.status.isDone {
                let kept = try #require(item.kept.first)
                #expect(try FileStatus.of(kept.location).identity.matchesContent(of: kept.identity))
                moved += 1
            }
        }
        #expect(moved > 20)
    }
}
