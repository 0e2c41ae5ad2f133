internal import Support
import Testing
import TidyKit

@Suite struct LibraryWatchTests {
    /// The changes until there are as many as expected, each as kind and name.
    private func changes(_ watch: inout LibraryWatch, _ count: Int) throws -> [String] {
        var found: [String] = []
        for _ in 0..<20 where found.count < count {
            found += try watch.changes(timeout: 2000).map {
                $0.kind.rawValue + " " + String(decoding: $0.photo.path.lastComponent, as: UTF8.self)
            }
        }
        return found
    }

    @Test func tellsWhatComesChangesAndGoes() throws {
        let folder = try TemporaryFolder()
        let (one, two) = (JPEGFixture(seed: 1).bytes, JPEGFixture(seed: 2).bytes)
        try folder.write("a.jpg", one)
        var query = LibraryQuery(operands: [folder.path], now: .now())
        query.useIndex = false
        var watch = try LibraryWatch.start(query, environment: .current())
        #expect(try changes(&watch, 1, after: { try folder.write("b.jpg", one) }) == ["added b.jpg"])
        // In one step, as editors save: a file that is cut first may be seen empty.
        let saved = {
            try FileSystem.rename(try folder.write(".saved", two + [0]), to: folder.path.appending("b.jpg"))
        }
        #expect(try changes(&watch, 1, after: saved) == ["changed b.jpg"])
        #expect(try changes(&watch, 1, after: { try folder.write("new/sub/c.jpg", one) }) == ["added c.jpg"])
        // The folders that have come are watched as well.
        #expect(try changes(&watch, 1, after: { try folder.write("new/sub/d.jpg", one) }) == ["added d.jpg"])
        // A sidecar changes the photo that it belongs to; a text is no photo.
        let sidecar = {
            _ = try folder.write("notes.txt", "x")
            try folder.write("a.xmp", "<x/>")
        }
        #expect(try changes(&watch, 1, after: sidecar) == ["changed a.jpg"])
        let moved = {
            try FileSystem.rename(folder.path.appending("b.jpg"), to: folder.path.appending("z.jpg"))
        }
        #expect(try changes(&watch, 2, after: moved) == ["removed b.jpg", "added z.jpg"])
        #expect(
            try changes(&watch, 1, after: { try FileSystem.remove(folder.path.appending("new/sub/c.jpg")) })
                == ["removed c.jpg"])
    }

    private func changes(
        _ watch: inout LibraryWatch, _ count: Int, after change: () throws -> Void
    ) throws -> [String] {
        try change()
        return try changes(&watch, count)
    }

    private func changes(
        _ watch: inout LibraryWatch, _ count: Int, after change: () throws -> FilePath
    ) throws -> [String] {
        _ = try change()
        return try changes(&watch, count)
    }
}
