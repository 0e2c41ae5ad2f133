import Support
import TidyKit

/// A home folder with a second disk, `disk`, that a test mounts in a namespace of its own.
struct MountedDisk {
    let program: BuiltProgram
    let space: MountSpace
    /// As the program sees it.
    let disk: FilePath

    /// - Parameter options: of the tmpfs, as `mount -o` takes them.
    init(_ options: String = "size=8m") throws {
        program = try BuiltProgram()
        space = try MountSpace()
        disk = program.home.path.appending("disk")
        try FileSystem.createFolder(disk)
        try space.shell("mount -t tmpfs -o mode=755,\(options) tmpfs '\(disk.displayText)'")
    }

    /// The disk as the test sees it.
    var seen: FilePath { space.path(disk) }

    func seen(_ name: String) -> FilePath { seen.appending(name) }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> FilePath {
        let path = seen(name)
        try FileSystem.createFolders(path.directory)
        try FileDescriptor.open(path, [.write, .create, .truncate]).write(Array(text.utf8))
        try FileSystem.setModified(path, ns: 1_500_000_000_123_456_789 + Int64(name.utf8.count) * 1_000_000_000)
        return disk.appending(name)
    }

    func run(
        _ arguments: String..., environment: [String: String?] = [:]
    ) throws -> BuiltProgram.Result {
        try run(arguments, environment: environment)
    }

    func run(
        _ arguments: [String], environment: [String: String?] = [:]
    ) throws -> BuiltProgram.Result {
        try program.run(
            arguments.map { FilePath($0) }, in: .root, environment: environment,
            through: space.entrance(program.home.path))
    }

    /// Without its trashes.
    func photos() throws -> [FilePath: TestLibrary.Content] {
        try TestLibrary.snapshot(seen).filter { path, _ in
            !path.bytes.dropFirst(seen.bytes.count + 1).starts(with: ".".utf8)
        }
    }

    func names(_ folder: String) -> [String] {
        TemporaryFolder.names(in: seen(folder)).map { String(decoding: $0, as: UTF8.self) }
    }

    var homeTrash: FilePath { program.home.path.appending(".local/share/Trash") }
}
