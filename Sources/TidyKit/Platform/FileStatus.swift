internal import CPlatform
internal import Glibc

/// `S_IFMT` of `st_mode`, as far as this program distinguishes it.
package enum FileKind: Sendable {
    case regular, directory, symbolicLink, other
}

/// `struct stat` in this program's units.
package struct FileStatus: Sendable, Equatable {
    package let kind: FileKind
    package let identity: FileIdentity
    package var id: FileID { identity.id }
    /// The permission bits, `07777` of `st_mode`.
    package let permissions: UInt32
    package let owner: UInt32
    package let group: UInt32
    package let linkCount: UInt64
    package let accessedNs: Int128

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

    /// `fstatat`. Does not follow a link in the last component by default.
    package static func of(_ path: FilePath, followLinks: Bool = false) throws(POSIXError) -> FileStatus {
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
    /// The permissions of a reservation: an empty file that holds a name until the real file takes it, on filesystems
    /// that have neither RENAME_NOREPLACE nor hard links. No other program creates such files, so one that a killed run
    /// left cannot be confused with a file of the user.
    static let permissionsOfReservation: UInt32 = 0

    /// True if it is a reservation.
    var isReservation: Bool {
        kind == .regular && identity.bytes == 0 && linkCount == 1 && owner == FileSystem.realUser
            && permissions & 0o7777 == Self.permissionsOfReservation
    }
}

/// What `statx(2)` returns beyond `stat`. The file is never opened.
package struct FileTraits: Sendable, Equatable {
    /// The mount through which the file is seen (`stx_mnt_id`). A rename never crosses mounts, even within one
    /// filesystem. 0 if the kernel does not provide it.
    package let mountID: UInt64
    /// `STATX_ATTR_MOUNT_ROOT`
    package let isMountPoint: Bool
    /// `chattr +i`: the file cannot be changed; in such a folder no name can be added or removed.
    package let isImmutable: Bool
    /// `chattr +a`: the file can only be appended to, not renamed, removed or truncated. In such a folder names can be
    /// added, but not removed.
    package let isAppendOnly: Bool

    /// Why the file, or everything in the folder, cannot be moved; nil if it can.
    var fixedness: String? { isImmutable ? "immutable" : isAppendOnly ? "append-only" : nil }

    /// `statx` of `path`, never following a link in the last component.
    package static func of(_ path: FilePath) throws(POSIXError) -> FileTraits {
        try path.reached { (folder, path) throws(POSIXError) in try of(path, in: folder) }
    }

    fileprivate static func of(_ name: FilePath, in folder: Int32) throws(POSIXError) -> FileTraits {
        var traits = platform_traits()
        _ = try systemCall("statx", name) { name.withCString { platform_read_traits(folder, $0, &traits) } }
        return FileTraits(
            mountID: traits.mount_id, isMountPoint: traits.is_mount_root, isImmutable: traits.is_immutable,
            isAppendOnly: traits.is_append_only)
    }
}

extension FileDescriptor {
    /// `statx` of `name` in this folder, never following a link.
    package borrowing func traits(of name: FilePath) throws(POSIXError) -> FileTraits {
        try FileTraits.of(name, in: rawValue)
    }

    /// `statx` of this file itself.
    package borrowing func traits() throws(POSIXError) -> FileTraits { try FileTraits.of(FilePath([]), in: rawValue) }
}
