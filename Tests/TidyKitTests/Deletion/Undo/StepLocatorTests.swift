import Support
import Testing

@testable import TidyKit

@Suite struct StepLocatorTests {
    private let library: TestLibrary
    private let photo: FilePath
    private let id: RunID
    private let step: RunHistory.Step

    init() throws {
        library = try TestLibrary()
        photo = try library.add("a.jpg")
        let plan = try library.plan([photo])
        _ = try DeletionRun.execute(plan, environment: library.environment)
        id = plan.id
        step = try #require(try Journal(library.environment).history(plan.id)?.steps.first)
    }

    private func location(_ step: RunHistory.Step) -> StepLocation {
        var locator = StepLocator(id: id, library.environment)
        return locator.location(of: step)
    }

    private var inTrash: FilePath { library.trash.appending("files/a.jpg") }

    @Test func findsAFileInTheTrashAndAtItsOrigin() throws {
        #expect(location(step) == .trash)
        try library.undo()
        #expect(location(step) == .origin)
    }

    @Test func aFileThatIsNowhereIsLost() throws {
        try FileSystem.remove(inTrash)
        #expect(location(step) == .lost)
    }

    @Test func aFileThatWasChangedInTheTrashIsNotTaken() throws {
        try library.folder.write("home/data/Trash/files/a.jpg", "changed")
        #expect(location(step) == .changedInTrash)
    }

    /// A journal could otherwise have any file of any folder moved.
    @Test func aTrashThatCannotHoldThePhotoIsRejected() throws {
        var foreign = step
        foreign.intent.trash = library.folder.path.appending("other/.Trash-1000")
        #expect(location(foreign) == .unreachable(POSIXError(code: 1, operation: "open", path: foreign.intent.trash)))
    }
}
