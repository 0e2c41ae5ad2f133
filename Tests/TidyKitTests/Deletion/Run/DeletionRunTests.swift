import Support
import Testing

@testable import TidyKit

@Suite struct DeletionRunTests {
    private func status(_ result: DeletionRun.Result) -> [DeletionPlan.Status] { result.plan.items.map(\.status) }

    @Test func aUnitMovesTogetherAndComesBack() throws {
        let library = try TestLibrary()
        let unit = PhotoUnit(
            main: try library.add("a.jpg"), companions: [try library.add("a.mov"), try library.add("a.xmp")])
        let other = try library.add("b.jpg")
        let before = try library.snapshot()
        let result = try DeletionRun.execute(try library.plan(units: [unit]), environment: library.environment)
        #expect(status(result) == [.trashed])
        #expect(try library.snapshot().keys.sorted() == [other])
        #expect(library.trashed.files == ["a.jpg", "a.mov", "a.xmp"])
        #expect(try library.undo()?.isComplete == true)
        #expect(try library.snapshot() == before)
        #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty)
        #expect(try library.undo() == nil)
    }

    @Test func whatChangedBetweenPlanAndRunStays() throws {
        let library = try TestLibrary()
        let photos = try (0..<6).map { try library.add("p\($0).jpg") }
        let plan = try library.plan(photos)
        try FileDescriptor.open(photos[0], [.write, .append]).write([1])
        try photos[1].setPermissions(0o600)
        let twin = try library.add("twin.jpg", "content of p2.jpg")
        try FileSystem.setModified(twin, ns: try FileStatus.of(photos[2]).identity.modifiedNs)
        try FileSystem.rename(twin, to: photos[2])
        try FileSystem.remove(photos[3])
        try FileSystem.remove(photos[4])
        try photos[4].makeLink(to: photos[5])
        let before = try library.snapshot()
        let result = try DeletionRun.execute(plan, environment: library.environment)
        #expect(status(result) == [.changed, .changed, .changed, .missing, .changed, .trashed])
        #expect(try library.snapshot().keys.sorted() == before.keys.filter { $0 != photos[5] }.sorted())
    }

    @Test func aFolderSwappedForALinkIsNotFollowed() throws {
        let library = try TestLibrary()
        let photo = try library.add("album/a.jpg")
        let plan = try library.plan([photo])
        try FileSystem.rename(library.root.appending("album"), to: library.root.appending("moved"))
        try library.root.appending("album").makeLink(to: library.root.appending("moved"))
        let result = try DeletionRun.execute(plan, environment: library.environment)
        #expect(status(result) == [.changed])
        #expect(library.root.appending("moved/a.jpg").exists)
    }

    @Test func aFolderThatHasGoneTakesNothingWithIt() throws {
        let library = try TestLibrary()
        let photos = [try library.add("album/a.jpg"), try library.add("b.jpg")]
        let plan = try library.plan(photos)
        try FileSystem.rename(library.root.appending("album"), to: library.root.appending("moved"))
        let result = try DeletionRun.execute(plan, environment: library.environment)
        #expect(status(result) == [.missing, .trashed])
        #expect(library.root.appending("moved/a.jpg").exists)
        #expect(library.trashed.info == ["b.jpg.trashinfo"])
    }

    @Test func oneMemberThatChangedKeepsItsUnitTogether() throws {
        let library = try TestLibrary()
        let unit = PhotoUnit(main: try library.add("a.jpg"), companions: [try library.add("a.mov")])
        let plan = try library.plan(units: [unit])
        try FileDescriptor.open(unit.companions[0], [.write, .append]).write([1])
        let result = try DeletionRun.execute(plan, environment: library.environment)
        #expect(status(result) == [.changed])
        #expect(unit.main.exists && unit.companions[0].exists)
        #expect(library.trashed.info.isEmpty)
    }

    @Test func nothingInTheTrashIsReplaced() throws {
        let library = try TestLibrary()
        try FileSystem.createFolders(library.trash.appending("files"))
        try FileSystem.createFolders(library.trash.appending("info"))
        // An orphan without a .trashinfo, and a .trashinfo without its file.
        try FileDescriptor.open(library.trash.appending("files/a.jpg"), [.write, .create]).write(Array("orphan".utf8))
        try FileDescriptor.open(library.trash.appending("info/a.2.jpg.trashinfo"), [.write, .create]).write([1])
        let photos = [try library.add("x/a.jpg"), try library.add("y/a.jpg")]
        let before = try library.snapshot()
        #expect(status(try library.delete(photos)) == [.trashed, .trashed])
        #expect(library.trashed.files == ["a.3.jpg", "a.4.jpg", "a.jpg"])
        #expect(try FileSystem.contents(of: library.trash.appending("files/a.jpg")) == Array("orphan".utf8))
        try library.undo()
        #expect(try library.snapshot() == before)
        #expect(library.trashed.files == ["a.jpg"] && library.trashed.info == ["a.2.jpg.trashinfo"])
    }

    @Test func theTrashIsForItsOwnerAlone() throws {
        let library = try TestLibrary()
        try library.delete([try library.add("a b.jpg")])
        for folder in [library.trash, library.trash.appending("files"), library.trash.appending("info")] {
            #expect(try FileStatus.of(folder).permissions == 0o700)
        }
        let info = library.trash.appending("info/a b.jpg.trashinfo")
        #expect(try FileStatus.of(info).permissions == 0o600)
        let text = String(decoding: try FileSystem.contents(of: info), as: UTF8.self)
        #expect(text.hasPrefix("[Trash Info]\nPath=\(library.root.displayText)/a%20b.jpg\nDeletionDate="))
    }

    @Test func deletesAllHardLinksThoughCtimeChanges() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let (twin, third) = (library.root.appending("b.jpg"), library.root.appending("c.jpg"))
        try FileSystem.link(photo, as: twin)
        try FileSystem.link(photo, as: third)
        let before = try library.snapshot()
        #expect(status(try library.delete([photo, twin])) == [.trashed, .trashed])
        try library.undo()
        #expect(try library.snapshot() == before)
        var options = DeletionOptions()
        options.mode = .erase
        #expect(status(try library.delete([photo, twin, third], options: options)) == [.erased, .erased, .erased])
    }

    @Test func erasingLeavesNothingToUndo() throws {
        let library = try TestLibrary()
        var options = DeletionOptions()
        options.mode = .erase
        let result = try library.delete([try library.add("a.jpg")], options: options)
        #expect(status(result) == [.erased])
        #expect(!library.trash.exists)
        #expect(try library.undo() == nil)
        #expect(try Undo(library.environment).runs().map(\.state) == [.erased])
    }

    @Test func aHashThatDiffersIsAChange() throws {
        let library = try TestLibrary()
        let photos = [try library.add("a.jpg"), try library.add("b.jpg")]
        var options = DeletionOptions()
        options.verification = .hash
        var plan = try library.plan(photos, options: options)
        plan.items[0].members[0].hash?[5] ^= 1
        #expect(status(try DeletionRun.execute(plan, environment: library.environment)) == [.changed, .trashed])
    }

    /// A kill between two files of a photo leaves it torn: the same plan takes what is left.
    @Test func aPhotoThatAKillToreIsCompletedByItsPlan() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let sidecars = [try library.add("a.AAE"), try library.add("a.xmp")]
        let before = try library.snapshot()
        let plan = try library.plan(units: [PhotoUnit(main: photo, companions: sidecars)])
        var torn = plan
        torn.items[0].members.removeLast(2)
        _ = try DeletionRun.execute(torn, environment: library.environment)
        var planner = try DeletionPlanner(DeletionOptions(), environment: library.environment)
        let again = try planner.renew(plan, history: try Journal(library.environment).history(plan.id))
        #expect(again.items.map(\.status) == [.ready])
        #expect(status(try DeletionRun.execute(again, environment: library.environment)) == [.trashed])
        #expect(try library.snapshot().isEmpty)
        _ = try library.undo()
        #expect(try library.snapshot() == before)
    }

    @Test func aFinishedPlanCanBeRunAgain() throws {
        let library = try TestLibrary()
        let photos = try (0..<3).map { try library.add("p\($0).jpg") }
        let plan = try library.plan(photos)
        var first = plan
        first.items.removeLast()
        _ = try DeletionRun.execute(first, environment: library.environment)
        // A newcomer has the old name by now.
        let newcomer = try library.add("p0.jpg", "newcomer")
        var planner = try DeletionPlanner(DeletionOptions(), environment: library.environment)
        let again = try planner.renew(plan, history: try Journal(library.environment).history(plan.id))
        #expect(again.items.map(\.status) == [.trashed, .trashed, .ready])
        #expect(again.items.map(\.reason) == ["earlier", "earlier", nil])
        let result = try DeletionRun.execute(again, environment: library.environment)
        #expect(status(result) == [.trashed, .trashed, .trashed])
        #expect(newcomer.exists)
        let undone = try library.undo()
        #expect(undone?.id == plan.id)
        #expect(undone?.items.map(\.status) == [.conflict, .restored, .restored])
        let after = try planner.renew(plan, history: try Journal(library.environment).history(plan.id))
        #expect(after.items.map(\.status) == [.trashed, .ready, .ready])
    }

    /// Our own renames, there and back, are no change of the photos.
    @Test func aPlanCanBeRunAgainAfterItsUndo() throws {
        let library = try TestLibrary()
        let plan = try library.plan(try (0..<3).map { try library.add("p\($0).jpg") })
        let before = try library.snapshot()
        for _ in 0..<3 {
            var planner = try DeletionPlanner(DeletionOptions(), environment: library.environment)
            let again = try planner.renew(plan, history: try Journal(library.environment).history(plan.id))
            #expect(again.items.map(\.status) == [.ready, .ready, .ready])
            #expect(
                status(try DeletionRun.execute(again, environment: library.environment)) == [
                    .trashed, .trashed, .trashed,
                ])
            #expect(try library.snapshot().isEmpty)
            #expect(try library.undo()?.photos == 3)
            #expect(try library.snapshot() == before)
            #expect(library.trashed.files.isEmpty && library.trashed.info.isEmpty)
        }
    }

    /// What was changed after it came back is another photo than the one that was planned.
    @Test func aPhotoChangedAfterTheUndoStays() throws {
        let library = try TestLibrary()
        let photo = try library.add("p.jpg")
        let plan = try library.plan([photo])
        _ = try DeletionRun.execute(plan, environment: library.environment)
        try library.undo()
        try FileDescriptor.open(photo, [.write, .append]).write([0x21])
        var planner = try DeletionPlanner(DeletionOptions(), environment: library.environment)
        let again = try planner.renew(plan, history: try Journal(library.environment).history(plan.id))
        #expect(again.items.map(\.status) == [.changed])
    }

    @Test func anInterruptionOfNothingIsAnEmptyRun() throws {
        let library = try TestLibrary()
        let result = try library.delete([library.root.appending("none.jpg")])
        #expect(status(result) == [.missing])
        #expect(!library.environment.state.exists)
    }
}
