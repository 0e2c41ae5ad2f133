/// Folders that nothing is ever deleted from, and operands that are too much to name.
public struct ForbiddenPlaces: Sendable {
    private let home: FilePath?
    private let state: [FilePath]
    private let trash: [FilePath]
    private static let system = [FilePath("/proc"), FilePath("/sys")]

    public init(_ environment: Environment) {
        home = try? environment.home.resolved()
        state = [environment.state, environment.cache].flatMap { [$0, (try? $0.resolved()) ?? $0] }
        let homeTrash = environment.data.appending("Trash")
        trash = [homeTrash, (try? homeTrash.resolved()) ?? homeTrash]
    }

    /// Throws for a folder operand that is `/`, the home folder or above it, or a mount point; and for what `check` throws.
    /// - Parameter named: as the user wrote it. A path that does not exist passes: it is reported as missing.
    public func check(operand named: FilePath) throws(Refusal) {
        guard let path = try? named.resolved(), let status = try? FileStatus.of(path) else { return }
        if path == .root { throw .root(named) }
        try check(path, named: named)
        guard status.kind == .directory else { return }
        if path == home { throw .home(named) }
        if let home, home.isSameOrBelow(path) { throw .holdsHome(named) }
        if let traits = try? FileTraits.of(path), traits.isMountPoint { throw .mountPoint(named) }
    }

    /// Throws for what stands in our own state, in a trash, or in `/proc` and `/sys`.
    /// - Parameter path: absolute, every link resolved.
    func check(_ path: FilePath, named: FilePath) throws(Refusal) {
        if Self.system.contains(where: path.isSameOrBelow) { throw .systemFolder(named) }
        if state.contains(where: path.isSameOrBelow) { throw .ownState(named) }
        if trash.contains(where: path.isSameOrBelow) { throw .trash(named) }
        for part in path.bytes.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual(".Trash".utf8) || part.starts(with: ".Trash-".utf8) { throw .trash(named) }
        }
    }
}
