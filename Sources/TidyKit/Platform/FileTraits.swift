internal import CPlatform
internal import Glibc

/// What `statx(2)` tells of a file beyond `stat`; the file is never opened.
public struct FileTraits: Sendable, Equatable {
    /// The mount that the file is seen through (`stx_mnt_id`): a rename never crosses it, even within one filesystem.
    /// 0 where the kernel does not say.
    public let mountID: UInt64
    /// `STATX_ATTR_MOUNT_ROOT`
    public let isMountPoint: Bool
    /// `chattr +i` or `+a`: cannot be renamed or removed; nothing can be taken out of such a folder.
    public let isImmutable: Bool

    public static func of(_ path: FilePath) throws(POSIXError) -> FileTraits {
        try path.reached { (folder, path) throws(POSIXError) in try of(path, in: folder) }
    }

    fileprivate static func of(_ name: FilePath, in folder: Int32) throws(POSIXError) -> FileTraits {
        var traits = platform_traits()
        _ = try systemCall("statx", name) { name.withCString { platform_read_traits(folder, $0, &traits) } }
        return FileTraits(
            mountID: traits.mount_id, isMountPoint: traits.is_mount_root, isImmutable: traits.is_immutable)
    }
}

extension FileDescriptor {
    /// `statx` of `name` in this folder, never following a link.
    public borrowing func traits(of name: FilePath) throws(POSIXError) -> FileTraits {
        try FileTraits.of(name, in: rawValue)
    }

    /// `statx` of this file itself.
    public borrowing func traits() throws(POSIXError) -> FileTraits { try FileTraits.of(FilePath([]), in: rawValue) }
}
