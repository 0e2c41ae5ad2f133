import Support
import Testing

@testable import TidyKit

/// `--duplicate` deletes copies because another one stays; whoever takes that one away must not cost the last one.
@Suite struct KeptCopyTests {
    private let library: TestLibrary
    private let kept: FilePath
    private let copies: [FilePath]

    init() throws {
        library = try TestLibrary()
        kept = try library.add("a.jpg", "one picture")
        copies = [try library.add("x/b.jpg", "one picture"), try library.add("x/c.jpg", "one picture")]
    }

    private func plan(
        _ options: DeletionOptions = DeletionOptions(), companions: [FilePath] = [], keptCompanions: [FilePath] = []
    ) throws -> DeletionPlan {
        let kept = KeptCopy(path: kept, companions: keptCompanions, identity: try FileStatus.of(kept).identity)
        return try plan(copies.map { ($0, kept) }, options, companions: companions)
    }

    private func plan(
        _ files: [(FilePath, KeptCopy)], _ options: DeletionOptions = DeletionOptions(), companions: [FilePath] = []
    ) throws -> DeletionPlan {
        var planner = try DeletionPlanner(options, environment: library.environment)
        let now = SystemClock.nowNs()
        let candidates = files.enumerated().map { index, file in
            DeletionCandidate(
                unit: PhotoUnit(main: file.0, companions: index == 0 ? companions : []), kept: file.1)
        }
        return try planner.plan(candidates, id: RunID(ns: now), timeNs: now)
    }

    private func run(_ plan: DeletionPlan) throws -> [DeletionPlan.Item] {
        try DeletionRun.execute(plan, environment: library.environment).plan.items
    }

    /// As `--save-plan` and `--plan` have it.
    private func renewed(_ plan: DeletionPlan) throws -> DeletionPlan {
        var planner = try DeletionPlanner(DeletionOptions(), environment: library.environment)
        let history = try Journal(library.environment).history(plan.id)
        return try planner.renew(PlanFile.plan(PlanFile.text(plan), FilePath("plan")), history: history)
    }

    /// Copies are called so; look-alikes and burst shots, which no content makes the same, are photos.
    @Test func whatStaysIsCalledACopyOnlyWhereItIsOne() throws {
        for (sameness, noun) in [(ContentSameness.bytes, "copy"), (.pixels, "copy"), (nil, "photo")] {
            var kept = KeptCopy(path: kept, identity: try FileStatus.of(kept).identity)
            kept.sameness = sameness
            var plan = try plan(copies.map { ($0, kept) })
            plan.items[0].kept[0].location = library.root.appending("gone")
            let moved = plan.items[0].kept[0].reasonAgainstCopies(plan.items[0].keeper)
            #expect(moved == "the \(noun) that stays has gone: \(self.kept.displayText)")
        }
    }

    private func expect(
        _ items: [DeletionPlan.Item], _ reason: String, location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(items.map(\.status) == items.map { _ in .changed }, sourceLocation: location)
        #expect(items.allSatisfy { $0.reason == reason }, sourceLocation: location)
        #expect(copies.allSatisfy { $0.exists }, sourceLocation: location)
        #expect(library.trashed.files.isEmpty, sourceLocation: location)
    }

    @Test(arguments: [DeletionPlan.Mode.trash, .erase])
    func whereItHasGoneTheCopiesStay(_ mode: DeletionPlan.Mode) throws {
        var options = DeletionOptions()
        options.mode = mode
        let plan = try plan(options)
        try FileSystem.remove(kept)
        let reason = "the photo that stays has gone: \(kept.displayText)"
        try expect(try run(plan), reason)
        try expect(try renewed(plan).items, reason)
    }

    @Test func whereItIsAnotherPictureTheCopiesStay() throws {
        let plan = try plan()
        try library.folder.write("library/a.jpg", "another one")
        let reason = "the photo that stays has changed: \(kept.displayText)"
        try expect(try run(plan), reason)
        try expect(try renewed(plan).items, reason)
    }

    @Test func whereALinkHasItsNameTheCopiesStay() throws {
        let plan = try plan()
        try FileSystem.remove(kept)
        try kept.makeLink(to: copies[0])
        try expect(try run(plan), "the photo that stays has changed: \(kept.displayText)")
    }

    @Test func whatTheSearchSawCounts() throws {
        let seen = KeptCopy(path: kept, identity: try FileStatus.of(kept).identity)
        try library.folder.write("library/a.jpg", "another one")
        try expect(
            try plan(copies.map { ($0, seen) }).items, "the photo that stays has changed: \(kept.displayText)")
        try FileSystem.remove(kept)
        try expect(try plan(copies.map { ($0, seen) }).items, "the photo that stays has gone: \(kept.displayText)")
    }

    /// Same size, same times, written in place: only its content tells.
    @Test func itsHashIsComparedToo() throws {
        var options = DeletionOptions()
        options.verification = .hash
        let plan = try plan(options)
        let modified = try FileStatus.of(kept).identity.modifiedNs
        try FileDescriptor.open(kept, [.write]).write(Array("One".utf8))
        try FileSystem.setModified(kept, ns: modified)
        try expect(try run(try renewed(plan)), "the photo that stays has changed: \(kept.displayText)")
        try expect(try run(plan), "the photo that stays has changed: \(kept.displayText)")
    }

    /// Written in place under its old size and time stamps, as only the content tells.
    @Test(arguments: [false, true]) func itsContentIsComparedRightBeforeACopyGoes(isLoaded: Bool) throws {
        let copy = KeptCopy(path: kept, identity: try FileStatus.of(kept).identity, sameness: .bytes)
        let plan = try plan(copies.map { ($0, copy) })
        let modified = try FileStatus.of(kept).identity.modifiedNs
        try FileDescriptor.open(kept, [.write]).write(Array("One".utf8))
        try FileSystem.setModified(kept, ns: modified)
        let reason = "it is no longer a copy of what stays: \(kept.displayText)"
        try expect(try run(isLoaded ? try renewed(plan) : plan), reason)
    }

    @Test func theContentOfACopyIsComparedWithItsCompanions() throws {
        let movie = try library.add("x/b.mov", "a movie")
        let other = try library.add("a.mov", "a movie")
        let copy = KeptCopy(
            path: kept, companions: [other], identity: try FileStatus.of(kept).identity, sameness: .bytes)
        let plan = try plan(copies.map { ($0, copy) }, companions: [movie])
        try FileDescriptor.open(other, [.write]).write(Array("b".utf8))
        let items = try run(plan)
        #expect(items.map(\.status) == [.changed, .trashed])
        #expect(movie.exists && copies[0].exists)
    }

    @Test func aCompanionThatOnlyTheCopyHasKeepsIt() throws {
        let movie = try library.add("x/b.mov", "a movie")
        let copy = KeptCopy(path: kept, identity: try FileStatus.of(kept).identity, sameness: .bytes)
        var plan = try plan(copies.map { ($0, copy) }, companions: [movie])
        #expect(plan.items.map(\.status) == [.changed, .ready])
        #expect(plan.items[0].reason == "the copy that stays has no b.mov")
        // As a plan that was saved by an earlier version has it.
        plan.items[0].status = .ready
        #expect(try run(try renewed(plan)).map(\.status) == [.changed, .trashed])
        #expect(movie.exists && copies[0].exists)
    }

    @Test func aPlanFileSaysWhatIsCompared() throws {
        for sameness in [ContentSameness.bytes, .pixels, nil] {
            let copy = KeptCopy(path: kept, identity: try FileStatus.of(kept).identity, sameness: sameness)
            let plan = try plan(copies.map { ($0, copy) })
            #expect(try renewed(plan).items.map(\.sameness) == [sameness, sameness])
        }
    }

    @Test func aSecondNameOfTheSameFileIsNoCopy() throws {
        let name = library.root.appending("name.jpg")
        try FileSystem.link(kept, as: name)
        let copy = KeptCopy(path: kept, identity: try FileStatus.of(kept).identity)
        let items = try run(try plan([(name, copy)]))
        #expect(items.map(\.status) == [.changed])
        #expect(items[0].reason == "the photo that stays is the same file: \(kept.displayText)")
        #expect(name.exists)
    }

    /// A saved plan that someone has written anew, checksums and all.
    @Test func aPlanCannotNameTheCopyItselfAsTheOneThatStays() throws {
        let name = library.root.appending("second name.jpg")
        try FileSystem.link(copies[0], as: name)
        for path in [copies[0], name] {
            var plan = try plan()
            plan.items.removeLast()
            plan.items[0].kept = [
                DeletionPlan.Member(path: path, location: path, identity: try FileStatus.of(path).identity)
            ]
            plan.items[0].members[0].identity = try FileStatus.of(copies[0]).identity
            let items = try renewed(plan).items
            #expect(items.map(\.status) == [.changed])
            #expect(items[0].reason == "the photo that stays is the same file: \(path.displayText)")
        }
    }

    @Test func aCopyInATrashDoesNotStay() throws {
        let trashed = try library.folder.write("home/data/Trash/files/a.jpg", "one picture")
        let copy = KeptCopy(path: trashed, identity: try FileStatus.of(trashed).identity)
        let plan = try plan(copies.map { ($0, copy) })
        #expect(plan.items.map(\.status) == [.changed, .changed])
        #expect(plan.items[0].reason?.hasPrefix("the photo that stays is in a trash") == true)
    }

    @Test func itsCompanionsStayForThoseOfACopy() throws {
        let movie = try library.add("x/b.mov", "a movie")
        let others = [try library.add("a.aae", "edits"), try library.add("a.mov", "a movie")]
        let plan = try plan(companions: [movie], keptCompanions: others)
        #expect(plan.items.map { $0.kept.map(\.location) } == [[kept, others[1]], [kept]])
        try FileSystem.remove(others[0])
        #expect(try renewed(plan).items.map(\.status) == [.ready, .ready])
        try FileSystem.remove(others[1])
        let items = try run(plan)
        #expect(items.map(\.status) == [.changed, .trashed])
        #expect(items[0].reason == "the photo that stays has gone: \(others[1].displayText)")
        #expect(movie.exists && copies[0].exists)
    }

    @Test func itMustNotGoInTheSamePlan() throws {
        func copy(_ path: FilePath) throws -> KeptCopy {
            KeptCopy(path: path, identity: try FileStatus.of(path).identity)
        }
        let items = try run(try plan([(kept, try copy(copies[0])), (copies[0], try copy(kept))]))
        #expect(items.map(\.status) == [.changed, .changed])
        #expect(kept.exists && copies[0].exists)
    }

    /// Its ctime does not count, and what the plan moved before is done whatever became of it.
    @Test func asLongAsItStandsThePlanRunsAndRunsAgain() throws {
        let before = try library.snapshot()
        let plan = try plan()
        let file = library.folder.path.appending("p.plan")
        try PlanFile.save(plan, to: file)
        var loaded = try PlanFile.load(file)
        loaded.timeNs = plan.timeNs
        #expect(loaded == plan)
        try FileSystem.link(kept, as: library.root.appending("other name.jpg"))
        try FileSystem.remove(library.root.appending("other name.jpg"))
        #expect(try run(try renewed(plan)).map(\.status) == [.trashed, .trashed])
        #expect(try renewed(plan).items.map(\.reason) == ["earlier", "earlier"])
        #expect(try library.undo()?.isComplete == true)
        #expect(try library.snapshot() == before)
        #expect(try run(try renewed(plan)).map(\.status) == [.trashed, .trashed])
        try FileSystem.remove(kept)
        #expect(try renewed(plan).items.map(\.reason) == ["earlier", "earlier"])
    }
}
