internal import Glibc

/// What tells one state of one file from every other: `delete` looks at all five right before it moves a file.
public struct FileIdentity: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64
    public var bytes: Int64
    /// `st_mtim` and `st_ctim` in nanoseconds since 1970 (UTC).
    public var modifiedNs: Int64
    public var changedNs: Int64

    public init(device: UInt64, inode: UInt64, bytes: Int64, modifiedNs: Int64, changedNs: Int64) {
        self.device = device
        self.inode = inode
        self.bytes = bytes
        self.modifiedNs = modifiedNs
        self.changedNs = changedNs
    }

    /// Of a file that is about to be written.
    static let unwritten = FileIdentity(device: 0, inode: 0, bytes: 0, modifiedNs: 0, changedNs: 0)

    /// Equal but for the time of the last status change, which our own rename moves.
    public func matchesContent(of other: FileIdentity) -> Bool {
        device == other.device && inode == other.inode && bytes == other.bytes && modifiedNs == other.modifiedNs
    }
}

public enum FileKind: Sendable {
    case regular, directory, symbolicLink, other
}

/// `struct stat`, in the units of this program.
public struct FileStatus: Sendable, Equatable {
    public let kind: FileKind
    public let identity: FileIdentity
    /// The permission bits, `07777` of `st_mode`.
    public let permissions: UInt32
    public let owner: UInt32
    public let group: UInt32
    public let linkCount: UInt64
    public let accessedNs: Int64

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .other
            }
        identity = FileIdentity(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), bytes: Int64(status.st_size),
            modifiedNs: status.st_mtim.nanoseconds, changedNs: status.st_ctim.nanoseconds)
        permissions = UInt32(status.st_mode) & 0o7777
        owner = status.st_uid
        group = status.st_gid
        linkCount = UInt64(status.st_nlink)
        accessedNs = status.st_atim.nanoseconds
    }

    /// `fstatat`, by default of the last component itself and not of what a link points to.
    public static func of(_ path: FilePath, followLinks: Bool = false) throws(POSIXError) -> FileStatus {
        var status = stat()
        _ = try systemCall("fstatat", path) {
            path.withCString { fstatat(AT_FDCWD, $0, &status, followLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
        }
        return FileStatus(status)
    }

    /// `fstatat` of `name` in the open folder `descriptor`, never following a link.
    static func of(_ name: FilePath, in descriptor: Int32) throws(POSIXError) -> FileStatus {
        var status = stat()
        _ = try systemCall("fstatat", name) {
            name.withCString { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
        }
        return FileStatus(status)
    }
}

extension timespec {
    fileprivate var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}
