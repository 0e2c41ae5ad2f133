internal import Glibc
package import TidyKit

extension FilePath {
    /// `symlink`: makes this path a link that leads to `target`.
    package func makeLink(to target: FilePath) throws {
        let code = target.withCString { target in withCString { symlink(target, $0) } }
        guard code == 0 else { throw POSIXError(code: errno, operation: "symlink", path: self) }
    }

    /// `mkfifo`: a named pipe.
    package func makePipe() throws {
        guard withCString({ mkfifo($0, 0o600) }) == 0 else {
            throw POSIXError(code: errno, operation: "mkfifo", path: self)
        }
    }

    /// `chmod`.
    package func setPermissions(_ permissions: UInt32) throws {
        guard withCString({ chmod($0, permissions) }) == 0 else {
            throw POSIXError(code: errno, operation: "chmod", path: self)
        }
    }

    /// `lchown` of this file or folder, and of nothing below it.
    package func give(to user: UInt32) throws {
        guard withCString({ lchown($0, user, user) }) == 0 else {
            throw POSIXError(code: errno, operation: "lchown", path: self)
        }
    }

    /// `truncate`: cuts a file, or makes it longer by a hole.
    package func truncate(to length: Int64) throws {
        guard withCString({ Glibc.truncate($0, off_t(length)) }) == 0 else {
            throw POSIXError(code: errno, operation: "truncate", path: self)
        }
    }

    package var exists: Bool { (try? FileStatus.of(self)) != nil }
}

extension FileSystem {
    /// `link`: a second name for a file.
    package static func link(_ file: FilePath, as name: FilePath) throws {
        guard file.withCString({ file in name.withCString { Glibc.link(file, $0) } }) == 0 else {
            throw POSIXError(code: errno, operation: "link", path: name)
        }
    }

    /// `rename`.
    package static func rename(_ from: FilePath, to: FilePath) throws {
        guard from.withCString({ from in to.withCString { Glibc.rename(from, $0) } }) == 0 else {
            throw POSIXError(code: errno, operation: "rename", path: from)
        }
    }

    /// `rmdir`. Name by name, because a path may be longer than a call takes.
    package static func removeFolder(_ path: FilePath) throws(POSIXError) {
        var folder = open(path.isAbsolute ? "/" : ".", O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        var names = path.bytes.split(separator: 0x2F).map { FilePath(Array($0)) }
        let last = names.popLast() ?? path
        for name in names {
            let next = name.withCString { openat(folder, $0, O_DIRECTORY | O_CLOEXEC) }
            close(folder)
            folder = next
        }
        guard last.withCString({ unlinkat(folder, $0, AT_REMOVEDIR) }) == 0 else {
            throw POSIXError(code: errno, operation: "rmdir", path: path)
        }
    }

    /// `utimensat` of the modification time alone, never following a link.
    package static func setModified(_ path: FilePath, ns: some BinaryInteger) throws(POSIXError) {
        let billion: Int128 = 1_000_000_000
        let ns = Int128(clamping: ns)
        let nanoseconds = (ns % billion + billion) % billion
        let seconds = (ns - nanoseconds) / billion
        let time = timespec(tv_sec: Int(clamping: seconds), tv_nsec: Int(nanoseconds))
        // UTIME_OMIT, which the Glibc overlay lacks.
        let omitted = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
        guard path.withCString({ utimensat(AT_FDCWD, $0, [omitted, time], AT_SYMLINK_NOFOLLOW) }) == 0 else {
            throw POSIXError(code: errno, operation: "utimensat", path: path)
        }
    }
}

extension FileDescriptor.Options {
    package static let truncate = FileDescriptor.Options(rawValue: O_TRUNC)
}
