internal import CPlatform
internal import Glibc

/// Changes of names relative to open folders: what a swapped folder further up cannot lead astray.
extension FileSystem {
    /// `linkat`: a second name for the file, never replacing one. EPERM or EOPNOTSUPP where the filesystem has no links.
    public static func link(
        _ name: FilePath, in folder: borrowing FileDescriptor, to newName: FilePath,
        in newFolder: borrowing FileDescriptor
    ) throws(POSIXError) {
        let (from, to) = (folder.rawValue, newFolder.rawValue)
        _ = try systemCall("linkat", newName) {
            name.withCString { name in newName.withCString { linkat(from, name, to, $0, 0) } }
        }
    }

    /// `renameat2(RENAME_EXCHANGE)`: both names change places in one step.
    public static func exchange(
        _ name: FilePath, in folder: borrowing FileDescriptor, with other: FilePath,
        in otherFolder: borrowing FileDescriptor
    ) throws(POSIXError) {
        let (first, second) = (folder.rawValue, otherFolder.rawValue)
        _ = try systemCall("renameat2", name) {
            name.withCString { name in other.withCString { platform_rename_exchange(first, name, second, $0) } }
        }
    }

    /// `renameat`: replaces `newName`.
    public static func replace(
        _ newName: FilePath, in newFolder: borrowing FileDescriptor, with name: FilePath,
        in folder: borrowing FileDescriptor
    ) throws(POSIXError) {
        let (from, to) = (folder.rawValue, newFolder.rawValue)
        _ = try systemCall("renameat", newName) {
            name.withCString { name in newName.withCString { renameat(from, name, to, $0) } }
        }
    }

    /// `mkdirat`; throws EEXIST where the name is taken.
    public static func createFolder(
        _ name: FilePath, in folder: borrowing FileDescriptor, permissions: UInt32 = 0o777
    ) throws(POSIXError) {
        let descriptor = folder.rawValue
        _ = try systemCall("mkdirat", name) { name.withCString { mkdirat(descriptor, $0, permissions) } }
    }
}
