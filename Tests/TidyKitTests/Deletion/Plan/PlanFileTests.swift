import Glibc
import Support
import Testing

@testable import TidyKit

@Suite struct PlanFileTests {
    private func saved(_ library: TestLibrary) throws -> (plan: DeletionPlan, file: FilePath, lines: [[UInt8]]) {
        var photos = [try library.add("a.jpg"), try library.add("b c.jpg"), try library.add("d\nü.jpg")]
        let odd = FilePath(library.root.bytes + [0x2F, 0xFF, 0x2E, 0x6A, 0x70, 0x67])
        try FileSystem.rename(try library.add("x"), to: odd)
        photos.append(odd)
        var options = DeletionOptions()
        options.protected = [photos[1]]
        options.verification = .hash
        let plan = try library.plan(photos, options: options)
        let file = library.folder.path.appending("p.plan")
        try PlanFile.save(plan, to: file)
        return (plan, file, try FileSystem.contents(of: file).split(separator: 0x0A).map(Array.init))
    }

    @Test func comesBackAsItWas() throws {
        let library = try TestLibrary()
        let (plan, file, lines) = try saved(library)
        #expect(lines.count == 5)
        var loaded = try PlanFile.load(file)
        loaded.timeNs = plan.timeNs
        #expect(loaded == plan)
        #expect(loaded.items.map(\.status) == [.ready, .protected, .ready, .ready])
    }

    /// The question in front of a saved plan tells the same span of dates as the run that made it.
    @Test(arguments: [
        CaptureDate(
            wall: .utc(ns: 1_714_557_600_000_000_000), subseconds: "250", offsetMinutes: 120, source: .dateTimeOriginal),
        CaptureDate(wall: .utc(ns: 0), source: .xmp),
        CaptureDate(wall: .utc(ns: 1_500_000_000_000_000_000), offsetMinutes: 0, source: .modified),
    ])
    func theDatesOfThePhotosComeBack(_ date: CaptureDate) throws {
        let library = try TestLibrary()
        var plan = try library.plan([try library.add("a.jpg")])
        plan.items[0].taken = date
        let file = library.folder.path.appending("p.plan")
        try PlanFile.save(plan, to: file)
        #expect(try PlanFile.load(file).items.map(\.taken) == [date])
    }

    @Test func neverReplacesAFile() throws {
        let library = try TestLibrary()
        let (plan, file, _) = try saved(library)
        #expect(throws: DeletionError.refused(.planExists(file))) { try PlanFile.save(plan, to: file) }
    }

    @Test func itemLinesMayBeTakenOut() throws {
        let library = try TestLibrary()
        let (plan, file, lines) = try saved(library)
        let thinned = Array((lines[...1] + lines[3...]).joined(separator: [0x0A]))
        let loaded = try PlanFile.plan(thinned, file)
        #expect(loaded.items == [plan.items[0], plan.items[2], plan.items[3]])
    }

    @Test func aChangedByteAnywhereIsRefused() throws {
        let library = try TestLibrary()
        let (_, file, lines) = try saved(library)
        let content = Array(lines.joined(separator: [0x0A])) + [0x0A]
        for index in content.indices where index % 7 == 0 && content[index] != 0x0A {
            var changed = content
            changed[index] ^= 2
            #expect(throws: DeletionError.self) { try PlanFile.plan(changed, file) }
        }
        for length in [1, 50, content.count / 2, content.count - 3] {
            #expect(throws: DeletionError.self) { try PlanFile.plan(Array(content[..<length]), file) }
        }
        #expect(throws: DeletionError.self) { try PlanFile.plan([], file) }
    }

    @Test func anItemOfAnotherPlanIsRefused() throws {
        let library = try TestLibrary()
        let (_, file, lines) = try saved(library)
        let other = PlanFile.text(try library.plan([library.root.appending("a.jpg")])).split(separator: 0x0A)
        let mixed = Array((lines + [Array(other[1])]).joined(separator: [0x0A]))
        #expect(
            throws: DeletionError.badPlan(file, line: 6, reason: "the line was changed, or belongs to another plan")
        ) {
            try PlanFile.plan(mixed, file)
        }
    }

    @Test func aRepeatedLineCountsOnce() throws {
        let library = try TestLibrary()
        let (plan, file, lines) = try saved(library)
        let doubled = Array((lines + [lines[1]]).joined(separator: [0x0A]))
        #expect(try PlanFile.plan(doubled, file).items.count == plan.items.count)
    }

    /// A pipe without a writer would keep the run waiting for ever.
    @Test func aPipeInAFolderIsNoPlan() throws {
        let library = try TestLibrary()
        let pipe = library.root.appending("plan")
        #expect(pipe.withCString { mkfifo($0, 0o600) } == 0)
        #expect(throws: DeletionError.self) { _ = try PlanFile.load(pipe) }
    }

    /// Who writes a plan by hand may write any number.
    @Test func aBatchMayBeOfAnySize() throws {
        let library = try TestLibrary()
        var (plan, _, _) = try saved(library)
        plan.batchSize = .max
        let loaded = try PlanFile.plan(PlanFile.text(plan), FilePath("p.plan"))
        #expect(loaded.batches == 1 && loaded.batch(ofItem: 3) == 1)
        plan.items = []
        #expect(plan.batches == 0)
    }
}
