internal import Glibc

/// A part of this user's own folders that belongs to another one, and therefore cannot be used: what `sudo phototidy` leaves
/// behind in the home folder belongs to root.
public struct ForeignOwner: Sendable {
    /// The outermost that is not this user's, with all that is below.
    public let path: FilePath
    public let owner: String
    /// This user, for `chown`.
    public let user: String

    /// Nil unless `path` is at, below or above the state, cache or data folder, and something between it and the home folder
    /// belongs to another user.
    public static func above(_ path: FilePath, in environment: Environment) -> ForeignOwner? {
        let bases = [environment.state, environment.cache, environment.data]
        guard let base = bases.first(where: { path.isSameOrBelow($0) || $0.isSameOrBelow(path) }) else { return nil }
        let top = base.isSameOrBelow(environment.home) ? environment.home : base.directory
        let user = geteuid()
        var (place, found) = (path, nil as (FilePath, UInt32)?)
        while place != top, place != .root, place.isSameOrBelow(top) {
            if let status = try? FileStatus.of(place), status.owner != user { found = (place, status.owner) }
            place = place.directory
        }
        return found.map { ForeignOwner(path: $0.0, owner: name(of: $0.1), user: name(of: user)) }
    }

    private static func name(of user: UInt32) -> String {
        guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return String(user) }
        return String(cString: name)
    }
}
