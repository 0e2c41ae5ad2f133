import Support
import Testing

@testable import TidyKit

@Suite struct SharedSidecarTests {
    private let library: TestLibrary
    private let sidecars: [FilePath]

    /// Two pictures of one stem, with what belongs to both.
    init() throws {
        library = try TestLibrary()
        try library.folder.write("library/a.jpg", JPEGFixture().bytes)
        try library.folder.write("library/a.png", PNGFixture(width: 1, height: 1) { _, _ in [0, 0, 0] }.bytes)
        sidecars = [try library.add("a.aae"), try library.add("a.xmp")]
    }

    private func path(_ name: String) -> FilePath { library.root.appending(name) }

    private func input(_ options: DeletionOptions = DeletionOptions()) -> DeletionInput {
        var input = DeletionInput(options: options, now: .now())
        input.useIndex = false
        input.takesAll = true
        return input
    }

    /// The plan for files named outright; for the whole folder without names.
    private func plan(_ names: [String] = [], _ options: DeletionOptions = DeletionOptions()) throws -> DeletionPlan {
        let operands = names.isEmpty ? [library.root] : names.map(path)
        let photos = try input(options).candidates(operands: operands, environment: library.environment).photos
        var planner = try DeletionPlanner(options, environment: library.environment)
        let now = SystemClock.nowNs()
        return try planner.plan(photos, id: RunID(ns: now), timeNs: now)
    }

    private func run(_ plan: DeletionPlan) throws -> DeletionPlan {
        try DeletionRun.execute(plan, environment: library.environment).plan
    }

    private func files(_ plan: DeletionPlan) -> [[String]] {
        plan.items.map { item in
            item.members.map { String(decoding: $0.location.lastComponent, as: UTF8.self) }.sorted()
        }
    }

    /// As `--save-plan` and `--plan` have it, lines taken out.
    private func renewed(_ plan: DeletionPlan, without lines: Set<Int> = []) throws -> DeletionPlan {
        let text = PlanFile.text(plan).split(separator: UInt8(ascii: "\n")).enumerated()
            .filter { !lines.contains($0.offset) }.flatMap { $0.element + [UInt8(ascii: "\n")] }
        var planner = try DeletionPlanner(DeletionOptions(), environment: library.environment)
        let history = try Journal(library.environment).history(plan.id)
        return try planner.renew(PlanFile.plan(text, FilePath("plan")), history: history)
    }

    @Test(arguments: [[], ["a.jpg", "a.png"], ["a.jpg", "a.png", "a.xmp", "a.aae"]])
    func theLastPhotoTakesItAlongAndUndoBringsItBack(_ names: [String]) throws {
        let before = try library.snapshot()
        let plan = try plan(names)
        #expect(files(plan) == [["a.jpg"], ["a.aae", "a.png", "a.xmp"]])
        let result = try run(plan)
        #expect(files(result) == files(plan) && result.items.allSatisfy { $0.status == .trashed })
        #expect(try library.snapshot().isEmpty)
        #expect(try library.undo()?.files == 4)
        #expect(try library.snapshot() == before)
    }

    @Test func theOrderOfThePlanSaysWhichIsTheLast() throws {
        #expect(files(try plan(["a.png", "a.jpg"])) == [["a.png"], ["a.aae", "a.jpg", "a.xmp"]])
    }

    @Test func itStaysWithAPhotoThatStaysAndGoesWithItLater() throws {
        let before = try library.snapshot()
        #expect(files(try run(try plan(["a.jpg"]))) == [["a.jpg"]])
        #expect(try library.snapshot().keys.sorted() == [sidecars[0], path("a.png"), sidecars[1]])
        #expect(files(try run(try plan(["a.png"]))) == [["a.aae", "a.png", "a.xmp"]])
        #expect(try library.snapshot().isEmpty)
        _ = try library.undo()
        _ = try library.undo()
        #expect(try library.snapshot() == before)
    }

    @Test func aPhotoThatCannotGoKeepsIt() throws {
        var options = DeletionOptions()
        options.protected = [path("a.png")]
        let plan = try plan([], options)
        #expect(files(plan) == [["a.jpg"], ["a.png"]])
        #expect(plan.items.map(\.status) == [.ready, .protected])
    }

    @Test func aProtectedOneKeepsTheLastPhoto() throws {
        var options = DeletionOptions()
        options.protected = [sidecars[1]]
        #expect(try run(try plan([], options)).items.map(\.status) == [.trashed, .protected])
        #expect(try library.snapshot().keys.sorted() == [sidecars[0], path("a.png"), sidecars[1]])
    }

    @Test func aPhotoThatFailsToMoveKeepsIt() throws {
        let plan = try plan()
        try path("a.jpg").setPermissions(0o600)
        let result = try run(plan)
        #expect(result.items.map(\.status) == [.changed, .trashed])
        #expect(files(result)[1] == ["a.png"])
        #expect(result.files == 1)
        #expect(try library.snapshot().keys.sorted() == [sidecars[0], path("a.jpg"), sidecars[1]])
        // Run again, the plan leaves it too.
        let again = try renewed(plan)
        #expect(again.items.map(\.status) == [.changed, .trashed])
        #expect(again.items[1].reason == "earlier")
        #expect(try library.undo()?.files == 1)
    }

    @Test func whenTheLastFailsItStaysWithIt() throws {
        let plan = try plan()
        try path("a.png").setPermissions(0o600)
        #expect(try run(plan).items.map(\.status) == [.trashed, .changed])
        #expect(sidecars.allSatisfy { $0.exists })
    }

    @Test func aSavedPlanKnowsIt() throws {
        let plan = try plan()
        #expect(files(try renewed(plan)) == files(plan))
        #expect(files(try renewed(plan, without: [1])) == [["a.png"]])
        #expect(files(try renewed(plan, without: [2])) == [["a.jpg"]])
        #expect(files(try run(try renewed(plan))) == files(plan))
        let again = try renewed(plan)
        #expect(again.items.allSatisfy { $0.status == .trashed && $0.reason == "earlier" })
        #expect(files(again) == files(plan))
    }

    @Test func refusedWhereItWouldGo() throws {
        var options = DeletionOptions()
        options.companions = .refuse
        #expect(files(try plan(["a.jpg"], options)) == [["a.jpg"]])
        #expect(throws: DeletionError.refused(.hasCompanions(path("a.png"), companion: sidecars[0]))) {
            _ = try plan([], options)
        }
    }

    @Test func companionsOnlyLeavesItWhereItIs() throws {
        var options = DeletionOptions()
        options.companions = .only
        #expect(files(try plan([], options)) == [["a.jpg"], ["a.png"]])
        #expect(files(try plan(["a.xmp"], options)) == [["a.xmp"]])
    }

    @Test func namedWithoutAllItsPhotosItIsRefused() throws {
        #expect(throws: DeletionError.refused(.companionAlone(sidecars[1], main: path("a.jpg")))) {
            _ = try plan(["a.xmp"])
        }
        #expect(throws: DeletionError.refused(.companionAlone(sidecars[1], main: path("a.png")))) {
            _ = try plan(["a.jpg", "a.xmp"])
        }
    }

    @Test func hashedLikeTheOthers() throws {
        var options = DeletionOptions()
        options.verification = .hash
        let members = try plan([], options).items.flatMap(\.members)
        #expect(members.count == 4 && members.allSatisfy { $0.hash != nil })
    }

    @Test func aPairOfRAWAndJPEGIsOnePhotoOfThem() throws {
        let raw = Array("II*\0\u{10}\0\0\0CR\u{2}\0".utf8) + [UInt8](repeating: 0, count: 64)
        try library.folder.write("library/a.cr2", raw)
        let plan = try plan()
        #expect(files(plan) == [["a.cr2", "a.jpg"], ["a.aae", "a.png", "a.xmp"]])
        #expect(files(try self.plan(["a.png", "a.jpg"])) == [["a.png"], ["a.aae", "a.cr2", "a.jpg", "a.xmp"]])
        #expect(try run(plan).items.allSatisfy { $0.status == .trashed })
        #expect(try library.snapshot().isEmpty)
    }
}
