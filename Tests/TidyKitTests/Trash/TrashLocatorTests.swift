import Support
import Testing

@testable import TidyKit

/// Which trash a file goes to, by the FreeDesktop Trash specification 1.0.
@Suite struct TrashLocatorTests {
    private let library: TestLibrary
    private let user = FileSystem.realUser
    /// A mount that no folder is on: the library counts as its top folder, and the home trash as on another filesystem.
    private let disk = TrashLocator.Mount(device: .max, id: .max)

    init() throws { library = try TestLibrary() }

    private var shared: FilePath { library.root.appending(".Trash") }
    private var sharedOfUser: FilePath { shared.appending(String(user)) }
    private var own: FilePath { library.root.appending(".Trash-\(user)") }

    /// The trashes of the disk, and why others are not used.
    private func found() -> (roots: [FilePath], notes: [String]) {
        var locator = TrashLocator(library.environment)
        let sites = locator.sites(for: library.root, on: disk)
        #expect(sites.allSatisfy { $0.top == library.root })
        return (sites.map(\.root), locator.notes)
    }

    private func makeFolder(_ path: FilePath, _ permissions: UInt32 = 0o700) throws {
        try FileSystem.createFolder(path)
        try path.setPermissions(permissions)
    }

    // MARK: The home trash

    @Test func theHomeTrashComesFirstOnItsOwnMount() throws {
        let mount = try FolderFacts(OpenFolder(library.root)).mount
        var locator = TrashLocator(library.environment)
        let sites = locator.sites(for: library.root, on: mount)
        #expect(sites.first == TrashSite(root: library.trash, top: nil))
        #expect(!library.trash.exists, "it is only looked for")
    }

    @Test func onAnotherMountTheHomeTrashIsNotUsed() throws {
        #expect(!found().roots.contains(library.trash))
    }

    @Test func aHomeTrashThatIsAFileIsNotUsed() throws {
        try FileSystem.createFolders(library.environment.data)
        try FileDescriptor.open(library.trash, [.write, .create]).write([])
        let mount = try FolderFacts(OpenFolder(library.root)).mount
        var locator = TrashLocator(library.environment)
        #expect(locator.sites(for: library.root, on: mount).first?.root != library.trash)
        #expect(locator.notes.first?.hasSuffix("Trash is not used as a trash: it is not a real folder") == true)
        #expect(!locator.homeIsUsable())
    }

    /// A linked `~/.local/share/Trash` is the user's own doing.
    @Test func theHomeTrashMayBeALink() throws {
        let real = library.folder.path.appending("real")
        try makeFolder(real)
        try FileSystem.createFolders(library.environment.data)
        try library.trash.makeLink(to: real)
        #expect(TrashLocator(library.environment).homeIsUsable())
    }

    // MARK: $topdir/.Trash/$uid

    @Test func theSharedTrashIsUsedWithItsStickyBit() throws {
        try makeFolder(shared, 0o1777)
        #expect(found().roots == [sharedOfUser, own])
        #expect(!sharedOfUser.exists && !own.exists, "nothing is made")
    }

    @Test(arguments: [0o777 as UInt32, 0o2777, 0o4777])
    func withoutTheStickyBitTheSharedTrashIsRefused(_ permissions: UInt32) throws {
        try makeFolder(shared, permissions)
        let found = found()
        #expect(found.roots == [own])
        #expect(found.notes == ["\(shared.displayText) is not used as a trash: it has no sticky bit"])
    }

    @Test func aSharedTrashThatIsALinkIsRefused() throws {
        let real = library.folder.path.appending("real")
        try makeFolder(real, 0o1777)
        try shared.makeLink(to: real)
        let found = found()
        #expect(found.roots == [own])
        #expect(found.notes == ["\(shared.displayText) is not used as a trash: it is not a real folder"])
    }

    @Test func aLinkInTheSharedTrashIsRefused() throws {
        let real = library.folder.path.appending("real")
        try makeFolder(real)
        try makeFolder(shared, 0o1777)
        try sharedOfUser.makeLink(to: real)
        let found = found()
        #expect(found.roots == [own])
        #expect(found.notes == ["\(sharedOfUser.displayText) is not used as a trash: it is not a real folder"])
    }

    @Test(.enabled(if: FileSystem.effectiveUser == 0, "only the superuser gives files away"))
    func aFolderOfSomebodyElseInTheSharedTrashIsRefused() throws {
        try makeFolder(shared, 0o1777)
        try makeFolder(sharedOfUser, 0o777)
        try sharedOfUser.give(to: 12345)
        let found = found()
        #expect(found.roots == [own])
        #expect(found.notes == ["\(sharedOfUser.displayText) is not used as a trash: it belongs to somebody else"])
    }

    // MARK: $topdir/.Trash-$uid

    @Test func withoutASharedTrashTheUsersOwnIsUsed() throws {
        #expect(found() == ([own], []))
        try makeFolder(own)
        #expect(found() == ([own], []))
    }

    @Test func anOwnTrashThatIsALinkIsRefused() throws {
        let real = library.folder.path.appending("real")
        try makeFolder(real)
        try own.makeLink(to: real)
        let found = found()
        #expect(found.roots.isEmpty)
        #expect(found.notes == ["\(own.displayText) is not used as a trash: it is not a real folder"])
    }

    @Test(.enabled(if: FileSystem.effectiveUser == 0, "only the superuser gives files away"))
    func anOwnTrashOfSomebodyElseIsRefused() throws {
        try makeFolder(own, 0o777)
        try own.give(to: 12345)
        let found = found()
        #expect(found.roots.isEmpty)
        #expect(found.notes == ["\(own.displayText) is not used as a trash: it belongs to somebody else"])
    }

    @Test(arguments: ["files", "info"])
    func aLinkInATrashIsRefused(_ name: String) throws {
        let real = library.folder.path.appending("real")
        try makeFolder(real)
        try makeFolder(own)
        try own.appending(name).makeLink(to: real)
        let found = found()
        #expect(found.roots.isEmpty)
        #expect(found.notes.count == 1 && found.notes[0].contains("/\(name) is not used as a trash"))
    }

    /// All folders of one mount share its trashes, whichever folder was asked about first.
    @Test func theAnswerForAMountIsKept() throws {
        var locator = TrashLocator(library.environment)
        let sites = locator.sites(for: library.root, on: disk)
        #expect(locator.sites(for: library.root.appending("2019/summer"), on: disk) == sites)
    }
}
