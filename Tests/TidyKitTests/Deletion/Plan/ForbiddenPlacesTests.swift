import Support
import Testing
import TidyKit

@Suite struct ForbiddenPlacesTests {
    @Test func tooMuchToName() throws {
        let library = try TestLibrary()
        let forbidden = ForbiddenPlaces(library.environment)
        let home = library.environment.home
        #expect(throws: Refusal.root(.root)) { try forbidden.check(operand: .root) }
        #expect(throws: Refusal.root(FilePath("/tmp/.."))) { try forbidden.check(operand: FilePath("/tmp/..")) }
        #expect(throws: Refusal.home(home)) { try forbidden.check(operand: home) }
        #expect(throws: Refusal.holdsHome(library.folder.path)) { try forbidden.check(operand: library.folder.path) }
        #expect(throws: Refusal.systemFolder(FilePath("/proc"))) { try forbidden.check(operand: FilePath("/proc")) }
        #expect(throws: Refusal.mountPoint(FilePath("/dev"))) { try forbidden.check(operand: FilePath("/dev")) }
        try forbidden.check(operand: library.root)
        try forbidden.check(operand: library.root.appending("none"))
    }

    @Test func aLinkToTheHomeFolderIsTheHomeFolder() throws {
        let library = try TestLibrary()
        let link = library.root.appending("link")
        try link.makeLink(to: library.environment.home)
        #expect(throws: Refusal.home(link)) { try ForbiddenPlaces(library.environment).check(operand: link) }
    }
}
