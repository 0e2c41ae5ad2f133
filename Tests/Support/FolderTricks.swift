internal import Glibc
public import TidyKit

extension FilePath {
    /// `symlink`: makes this path a link that leads to `target`.
    public func makeLink(to target: FilePath) throws {
        let code = target.withCString { target in withCString { symlink(target, $0) } }
        guard code == 0 else { throw POSIXError(code: errno, operation: "symlink", path: self) }
    }

    /// `mkfifo`: a named pipe.
    public func makePipe() throws {
        guard withCString({ mkfifo($0, 0o600) }) == 0 else {
            throw POSIXError(code: errno, operation: "mkfifo", path: self)
        }
    }

    /// `chmod`.
    public func setPermissions(_ permissions: UInt32) throws {
        guard withCString({ chmod($0, permissions) }) == 0 else {
            throw POSIXError(code: errno, operation: "chmod", path: self)
        }
    }

    /// `lchown` of this file or folder, and of nothing below it.
    public func give(to user: UInt32) throws {
        guard withCString({ lchown($0, user, user) }) == 0 else {
            throw POSIXError(code: errno, operation: "lchown", path: self)
        }
    }

    public var exists: Bool { (try? FileStatus.of(self)) != nil }
}

extension FileSystem {
    /// `link`: a second name for a file.
    public static func link(_ file: FilePath, as name: FilePath) throws {
        guard file.withCString({ file in name.withCString { Glibc.link(file, $0) } }) == 0 else {
            throw POSIXError(code: errno, operation: "link", path: name)
        }
    }

    /// `rename`.
    public static func rename(_ from: FilePath, to: FilePath) throws {
        guard from.withCString({ from in to.withCString { Glibc.rename(from, $0) } }) == 0 else {
            throw POSIXError(code: errno, operation: "rename", path: from)
        }
    }
}
