import Support
import Testing

@testable import TidyKit

@Suite struct SelectionStoreTests {
    private func member(_ path: FilePath) throws -> Selection.Member {
        Selection.Member(path: path, identity: try FileStatus.of(path).identity)
    }

    @Test(arguments: [
        Array("trip".utf8), Array("../../escape".utf8), Array(".hidden".utf8), Array("a b\n\t%".utf8), [0xFF, 0x2F],
        Array("..".utf8),
    ])
    func anyNameStaysInItsFolder(_ name: [UInt8]) throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let store = SelectionStore(library.environment)
        try store.change(name) { (selection) throws(SelectionError) in
            try selection.add(try SelectionMembers.members([photo]))
        }
        #expect(try store.selection(name)?.members == [try member(photo)])
        #expect(try store.names() == [name])
        let folder = library.environment.state.appending("selections")
        #expect(TemporaryFolder.names(in: folder).count == 2)
        #expect(TemporaryFolder.names(in: library.environment.state).count == 1)
    }

    @Test func aNameThatNoFileCanHaveIsRefused() throws {
        let store = SelectionStore(try TestLibrary().environment)
        #expect(throws: SelectionError.self) { try store.selection([UInt8](repeating: 0x61, count: 300)) }
    }

    @Test func nothingIsWrittenWhereNothingChanges() throws {
        let library = try TestLibrary()
        let store = SelectionStore(library.environment)
        try store.change(Selection.standardName) { $0.clear() }
        #expect(try store.names().isEmpty)
    }

    @Test func aDamagedSelectionIsAnErrorAndNotAnEmptyOne() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let store = SelectionStore(library.environment)
        try store.change([0x61]) { (selection) throws(SelectionError) in
            try selection.add(try SelectionMembers.members([photo]))
        }
        let file = library.environment.state.appending("selections/a.selection")
        try file.truncate(to: 30)
        #expect(throws: SelectionError.self) { try store.selection([0x61]) }
    }

    @Test func deletedPhotosLeaveAndUndoPutsThemBackAtTheirPlace() throws {
        let library = try TestLibrary()
        let photos = try (0..<9).map { try library.add("p\($0).jpg") }
        let store = SelectionStore(library.environment)
        for (name, order) in [(UInt8(0x61), photos), (0x62, photos.reversed()), (0x63, [photos[4]])]
            as [(UInt8, [FilePath])]
        {
            try store.change([name]) { (selection) throws(SelectionError) in
                try selection.add(try SelectionMembers.members(Array(order)))
            }
        }
        let before = try store.all()
        var options = DeletionOptions()
        options.batchSize = 2
        try library.delete([photos[0], photos[8], photos[4], photos[3], photos[5]], options: options)
        #expect(
            try store.all().map { $0.members.map(\.path) } == [
                [photos[1], photos[2], photos[6], photos[7]], [photos[7], photos[6], photos[2], photos[1]],
                [],
            ])
        try library.undo()
        let after = try store.all()
        #expect(after.map { $0.members.map(\.path) } == before.map { $0.members.map(\.path) })
        for member in after.flatMap(\.members) { #expect(SelectionMembers.state(of: member) == .same) }
    }

    @Test func aMemberUnderAnotherPathLeavesToo() throws {
        let library = try TestLibrary()
        let photo = try library.add("real/a.jpg")
        let link = library.root.appending("link")
        try link.makeLink(to: library.root.appending("real"))
        let store = SelectionStore(library.environment)
        let other = link.appending("a.jpg")
        try store.change([0x61]) { (selection) throws(SelectionError) in
            try selection.add(try SelectionMembers.members([other]))
        }
        try library.delete([photo])
        #expect(try store.selection([0x61])?.members == [])
        try library.undo()
        #expect(try store.selection([0x61])?.members.map(\.path) == [other])
    }

    @Test func hardLinkOfADeletedFileIsNotMarkedChanged() throws {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let twin = library.root.appending("twin.jpg")
        try FileSystem.link(photo, as: twin)
        let store = SelectionStore(library.environment)
        try store.change([0x61]) { (selection) throws(SelectionError) in
            try selection.add(try SelectionMembers.members([twin]))
        }
        try library.delete([photo])
        let member = try #require(try store.selection([0x61])?.members.first)
        #expect(SelectionMembers.state(of: member) == .same)
    }

    /// Whichever of them come back first: in the end each stands where it stood.
    @Test func photosThatComeBackOneByOneFindTheirPlace() throws {
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
            let library = try TestLibrary()
            let photos = try (0..<6).map { try library.add("p\($0).jpg") }
            let store = SelectionStore(library.environment)
            try store.change([0x61]) { (selection) throws(SelectionError) in
                try selection.add(try SelectionMembers.members(photos))
            }
            let going = [photos[0], photos[2], photos[1], photos[4]]
            var options = DeletionOptions()
            options.batchSize = 3
            let id = try library.delete(going, options: options).plan.id
            for index in order { try library.undo(id, Undo.Options(paths: [going[index]])) }
            #expect(try store.selection([0x61])?.members.map(\.path) == photos, "\(order)")
        }
    }

    /// A selection that cannot be read is an error by its name: nobody is to take it for an empty one.
    @Test(arguments: ["damaged", "link", "pipe", "empty"]) func oneThatCannotBeReadIsAnErrorByName(_ kind: String)
        throws
    {
        let library = try TestLibrary()
        let photo = try library.add("a.jpg")
        let store = SelectionStore(library.environment)
        for name in ["good", "bad trip"] {
            try store.change(Array(name.utf8)) { (selection) throws(SelectionError) in
                try selection.add(try SelectionMembers.members([photo]))
            }
        }
        let file = library.environment.state.appending("selections/bad%20trip.selection")
        let content = try FileSystem.contents(of: file)
        try FileSystem.remove(file)
        switch kind {
        case "link": try file.makeLink(to: library.environment.state.appending("selections/good.selection"))
        case "pipe": try file.makePipe()
        case "empty": _ = try FileDescriptor.open(file, [.write, .create])
        default: try FileDescriptor.open(file, [.write, .create]).write(Array(content.dropLast(9)))
        }
        let expected = SelectionError.damaged(name: Array("bad trip".utf8), file)
        #expect(throws: expected) { try store.names() }
        #expect(throws: expected) { try store.selection(Array("bad trip".utf8)) }
        #expect(try store.selection(Array("good".utf8))?.members.count == 1)
        #expect(expected.description.contains("bad trip"))
    }
}
