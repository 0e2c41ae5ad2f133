internal import Glibc

/// Which file or folder, whatever path leads to it and whatever it holds: `st_dev` and `st_ino`.
public struct FileID: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64

    public init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// What tells one state of one file from every other: `delete` looks at all five right before it moves a file.
public struct FileIdentity: Hashable, Sendable {
    public var id: FileID
    public var bytes: Int64
    /// `st_mtim` and `st_ctim`: whole seconds since 1970 (UTC), rounded down, and the nanoseconds behind them. Kept apart
    /// because Int64 nanoseconds end in 1677 and 2262, and two Int128 would take twice the memory.
    private(set) var modifiedSeconds: Int64
    private(set) var changedSeconds: Int64
    private(set) var modifiedFraction: UInt32
    private var changedFraction: UInt32

    /// - Parameter modifiedNs: and `changedNs`, nanoseconds since 1970; what no `struct timespec` holds becomes its limit.
    public init(device: UInt64, inode: UInt64, bytes: Int64, modifiedNs: Int128, changedNs: Int128) {
        id = FileID(device: device, inode: inode)
        self.bytes = bytes
        let (modified, changed) = (timespec(ns: modifiedNs), timespec(ns: changedNs))
        modifiedSeconds = Int64(modified.tv_sec)
        modifiedFraction = UInt32(modified.tv_nsec)
        changedSeconds = Int64(changed.tv_sec)
        changedFraction = UInt32(changed.tv_nsec)
    }

    public var device: UInt64 { id.device }
    public var inode: UInt64 { id.inode }

    /// `st_mtim` in nanoseconds since 1970 (UTC), exact for every value of `struct timespec`.
    public var modifiedNs: Int128 {
        get { timespec(tv_sec: time_t(modifiedSeconds), tv_nsec: Int(modifiedFraction)).nanoseconds }
        set {
            let time = timespec(ns: newValue)
            modifiedSeconds = Int64(time.tv_sec)
            modifiedFraction = UInt32(time.tv_nsec)
        }
    }

    /// `st_ctim` in the same way.
    public var changedNs: Int128 {
        get { timespec(tv_sec: time_t(changedSeconds), tv_nsec: Int(changedFraction)).nanoseconds }
        set {
            let time = timespec(ns: newValue)
            changedSeconds = Int64(time.tv_sec)
            changedFraction = UInt32(time.tv_nsec)
        }
    }

    /// Of a file that is about to be written.
    static let unwritten = FileIdentity(device: 0, inode: 0, bytes: 0, modifiedNs: 0, changedNs: 0)

    /// Equal but for the time of the last status change, which our own rename moves.
    public func matchesContent(of other: FileIdentity) -> Bool {
        id == other.id && bytes == other.bytes && modifiedSeconds == other.modifiedSeconds
            && modifiedFraction == other.modifiedFraction
    }
}

public enum FileKind: Sendable {
    case regular, directory, symbolicLink, other
}

/// `struct stat`, in the units of this program.
public struct FileStatus: Sendable, Equatable {
    public let kind: FileKind
    public let identity: FileIdentity
    public var id: FileID { identity.id }
    /// The permission bits, `07777` of `st_mode`.
    public let permissions: UInt32
    public let owner: UInt32
    public let group: UInt32
    public let linkCount: UInt64
    public let accessedNs: Int128

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
        try path.reached { (folder, path) throws(POSIXError) in
            var status = stat()
            _ = try systemCall("fstatat", path) {
                path.withCString { fstatat(folder, $0, &status, followLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
            }
            return FileStatus(status)
        }
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

extension FileStatus {
    /// Of the empty file that holds a name until the file takes it, on filesystems that can neither move without replacing nor
    /// link. Nobody else makes such files: what a kill leaves of them can be told from a file of the user.
    static let permissionsOfClaim: UInt32 = 0

    /// It is such a file.
    var isClaim: Bool {
        kind == .regular && identity.bytes == 0 && linkCount == 1 && permissions & 0o7777 == Self.permissionsOfClaim
            && owner == FileSystem.realUser
    }
}
