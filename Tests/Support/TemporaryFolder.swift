internal import Glibc
package import TidyKit

/// A folder of a test's own, removed with all that is in it when the test lets go of it.
package final class TemporaryFolder: Sendable {
    package let path: FilePath

    /// A tmpfs, for tests that sync a thousand times or need very long files; nil where there is none.
    package static let memory: FilePath? = {
        let folder = FilePath("/dev/shm")
        return FileSystem.obstacleToChanging(folder: folder) == nil ? folder : nil
    }()

    /// Whether the file system of `memory`, else the usual one, makes files as long as can be said: Int64.max bytes.
    package static let holdsLongestFiles: Bool = {
        guard let folder = try? TemporaryFolder(in: memory), let file = try? folder.write("long", []) else {
            return false
        }
        return (try? file.truncate(to: .max)) != nil
    }()

    /// - Parameter base: nil for `TMPDIR`, else `/tmp`.
    package init(in base: FilePath? = nil) throws {
        let base = base ?? Environment.value("TMPDIR") ?? FilePath("/tmp")
        let path = base.appending("phototidy-test-" + String(UInt64.random(in: 0 ... .max), radix: 36))
        try FileSystem.createFolder(path, permissions: 0o700)
        self.path = try path.resolved()
    }

    deinit { Self.remove(path) }

    /// Writes a file below the folder, making the folders in between.
    @discardableResult
    package func write(_ name: String, _ content: some Sequence<UInt8>) throws -> FilePath {
        let path = path.appending(name)
        try FileSystem.createFolders(path.directory)
        try FileDescriptor.open(path, [.write, .create, .truncate]).write(Array(content))
        return path
    }

    @discardableResult
    package func write(_ name: String, _ text: String) throws -> FilePath { try write(name, text.utf8) }

    private static func remove(_ path: FilePath) {
        guard let status = try? FileStatus.of(path) else { return }
        guard status.kind == .directory else { return (try? FileSystem.remove(path)) ?? () }
        for name in names(in: path) { remove(path.appending(name)) }
        try? FileSystem.removeFolder(path)
    }

    /// The names in a folder, sorted by bytes.
    package static func names(in folder: FilePath) -> [[UInt8]] {
        guard let descriptor = try? FileDescriptor.open(folder, [.read, .directory]),
            var stream = try? DirectoryStream(descriptor, path: folder)
        else { return [] }
        var names: [[UInt8]] = []
        while let entry = try? stream.next() { names.append(entry.name) }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
