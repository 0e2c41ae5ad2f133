package import TidyKit

/// A library and a home folder of a test's own, with the trash and the state that belong to it.
package struct TestLibrary: Sendable {
    package let folder: TemporaryFolder
    package let environment: Environment
    /// Holds the photos.
    package let root: FilePath

    /// - Parameter inMemory: on a tmpfs where there is one: for tests that sync a thousand times.
    package init(inMemory: Bool = false) throws {
        folder = try TemporaryFolder(in: inMemory ? TemporaryFolder.memory : nil)
        let home = folder.path.appending("home")
        root = folder.path.appending("library")
        try FileSystem.createFolders(root)
        try FileSystem.createFolders(home)
        environment = Environment(
            home: home, data: home.appending("data"), state: home.appending("state"), cache: home.appending("cache"))
    }

    package var trash: FilePath { environment.data.appending("Trash") }

    /// Writes a file with a content and a modification time of its own.
    @discardableResult
    package func add(_ name: String, _ content: String? = nil) throws -> FilePath {
        let path = try folder.write("library/" + name, content ?? "content of \(name)")
        let seconds = Int64(name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFFFF })
        try FileSystem.setModified(path, ns: 1_500_000_000_000_000_000 + seconds * 1_000_000_007)
        return path
    }

    /// What a photo is to its owner.
    package struct Content: Hashable, Sendable {
        package let bytes: [UInt8]
        package let modifiedNs: Int128
        package let permissions: UInt32
    }

    /// All files of the library.
    package func snapshot() throws -> [FilePath: Content] { try Self.snapshot(root) }

    package static func snapshot(_ folder: FilePath) throws -> [FilePath: Content] {
        var files: [FilePath: Content] = [:]
        for name in TemporaryFolder.names(in: folder) {
            let path = folder.appending(name)
            let status = try FileStatus.of(path)
            switch status.kind {
            case .directory: files.merge(try snapshot(path)) { first, _ in first }
            case .regular:
                files[path] = Content(
                    bytes: try FileSystem.contents(of: path), modifiedNs: status.identity.modifiedNs,
                    permissions: status.permissions)
            default: continue
            }
        }
        return files
    }

    /// The names in `files` and in `info` of the home trash.
    package var trashed: (files: [String], info: [String]) {
        func names(_ part: String) -> [String] {
            TemporaryFolder.names(in: trash.appending(part)).map { String(decoding: $0, as: UTF8.self) }
        }
        return (names("files"), names("info"))
    }

    /// A plan for exactly these files, without their companions.
    package func plan(
        _ paths: [FilePath], options: DeletionOptions = DeletionOptions()
    ) throws -> DeletionPlan {
        try plan(units: paths.map { PhotoUnit(main: $0) }, options: options)
    }

    package func plan(units: [PhotoUnit], options: DeletionOptions = DeletionOptions()) throws -> DeletionPlan {
        var planner = try DeletionPlanner(options, environment: environment)
        let now = SystemClock.nowNs()
        return try planner.plan(units.map { DeletionCandidate(unit: $0) }, id: RunID(ns: now), timeNs: now)
    }

    /// Plans and deletes.
    @discardableResult
    package func delete(
        _ paths: [FilePath], options: DeletionOptions = DeletionOptions()
    ) throws -> DeletionRun.Result {
        try DeletionRun.execute(try plan(paths, options: options), environment: environment)
    }

    /// - Parameter answer: to the question about a run that is recorded only on a disk.
    @discardableResult
    package func undo(
        _ id: RunID? = nil, _ options: Undo.Options = Undo.Options(), answer: Bool = false
    ) throws -> UndoResult? {
        try Undo(environment).execute(id, options) { _ in answer }
    }
}
