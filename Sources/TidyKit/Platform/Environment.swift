internal import CPlatform
internal import Glibc

/// Where this program keeps its files for this user (XDG Base Directory specification 0.8).
package struct Environment: Sendable {
    package let home: FilePath
    /// `$XDG_DATA_HOME`, where the home trash lives.
    package let data: FilePath
    /// `$XDG_STATE_HOME/phototidy`: selections and the journal.
    package let state: FilePath
    /// `$XDG_CACHE_HOME/phototidy`: the index. It can be removed at any time.
    package let cache: FilePath

    package init(home: FilePath, data: FilePath, state: FilePath, cache: FilePath) {
        self.home = home
        self.data = data
        self.state = state
        self.cache = cache
    }

    /// `state` with the links in its existing part resolved, so that two spellings of `HOME` give the same path.
    var resolvedState: FilePath { state.resolvedWhereItExists }

    /// Reads the variables of this process. The specification says that a relative path in an XDG variable is ignored.
    package static func current() -> Environment {
        let home = value("HOME") ?? getpwuid(getuid()).map { FilePath(cString: $0.pointee.pw_dir) } ?? .root
        func base(_ name: String, _ standard: String) -> FilePath {
            if let path = value(name), path.isAbsolute { return path.withoutTrailingSlashes }
            return home.appending(standard)
        }
        return Environment(
            home: home, data: base("XDG_DATA_HOME", ".local/share"),
            state: base("XDG_STATE_HOME", ".local/state").appending("phototidy"),
            cache: base("XDG_CACHE_HOME", ".cache").appending("phototidy"))
    }

    /// A variable of this process; nil if it is unset or empty.
    package static func value(_ name: String) -> FilePath? {
        guard let pointer = getenv(name), pointer.pointee != 0 else { return nil }
        return FilePath(cString: pointer)
    }
}

/// A part of this user's folders that belongs to another user and therefore cannot be used. For example, what `sudo
/// phototidy` leaves in the home folder belongs to root.
package struct ForeignOwner: Sendable {
    /// The outermost path that does not belong to this user.
    package let path: FilePath
    package let owner: String
    /// The name of this user, for `chown`.
    package let user: String

    /// Nil unless `path` is at, below or above the state, cache or data folder, and something between it and the home
    /// folder belongs to another user.
    package static func above(_ path: FilePath, in environment: Environment) -> ForeignOwner? {
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

/// The arguments of this process, byte for byte. Swift's `CommandLine` reads them from `/proc`, which is not mounted
/// everywhere.
package enum ProcessArguments {
    /// The arguments after the program's own name; nil if the C library does not provide them.
    package static func afterName() -> [[UInt8]]? {
        let count = platform_argument_count()
        guard count > 0 else { return nil }
        return (1..<max(1, count)).compactMap { index in
            platform_argument(index).map { FilePath(cString: $0).bytes }
        }
    }
}
