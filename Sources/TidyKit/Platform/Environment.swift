internal import Glibc

/// Where this user's files of this program live, by the XDG Base Directory specification 0.8.
public struct Environment: Sendable {
    public let home: FilePath
    /// `$XDG_DATA_HOME`, where the home trash lives.
    public let data: FilePath
    /// `$XDG_STATE_HOME/phototidy`: selections and the journal.
    public let state: FilePath
    /// `$XDG_CACHE_HOME/phototidy`: the index; can be removed at any time.
    public let cache: FilePath

    public init(home: FilePath, data: FilePath, state: FilePath, cache: FilePath) {
        self.home = home
        self.data = data
        self.state = state
        self.cache = cache
    }

    /// `state` without symbolic links, as far as it exists: the same folder by another spelling of `HOME` is the same.
    var resolvedState: FilePath { state.resolvedWhereItExists }

    /// From the variables of this process. A relative path in an XDG variable is to be ignored, says the specification.
    public static func current() -> Environment {
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

    /// A variable of this process; nil where it is unset or empty.
    public static func value(_ name: String) -> FilePath? {
        guard let pointer = getenv(name), pointer.pointee != 0 else { return nil }
        return FilePath(cString: pointer)
    }
}
