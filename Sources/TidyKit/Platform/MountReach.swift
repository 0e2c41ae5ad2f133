/// Tells which places may be looked at for a list. A dead server, or a FUSE program that hangs, keeps every call about its
/// files waiting, for ever perhaps, and not even a thread of its own could be given up: the process would not end. So nobody
/// looks there who was not asked to.
public struct MountReach: Sendable {
    /// Mounts that may not answer, but for those that hold what is asked for.
    private let doubtful: [FilePath]

    /// - Parameter needed: places that are looked at anyway: the home trash and the state, or what the user named. Absolute.
    public init(needed: [FilePath], mounts: [MountTable.Mount] = MountTable.mounts()) {
        doubtful = mounts.filter(\.mayNotAnswer).map(\.point)
            .filter { point in !needed.contains { $0.isSameOrBelow(point) } }
    }

    /// False where a mount that may not answer is on the way to `path`.
    public func answers(_ path: FilePath) -> Bool { !doubtful.contains { path.isSameOrBelow($0) } }
}
