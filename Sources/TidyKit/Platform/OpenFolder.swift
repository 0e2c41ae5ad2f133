/// An open folder, for calls relative to it.
final class OpenFolder: Sendable {
    let path: FilePath
    let descriptor: FileDescriptor

    /// - Parameter path: absolute. Follows no symbolic link on the way.
    init(_ path: FilePath) throws(POSIXError) {
        self.path = path
        descriptor = try FileDescriptor.openFolderFollowingNoLink(path)
    }

    /// - Parameter path: where `descriptor` leads: absolute, without links.
    init(_ path: FilePath, _ descriptor: consuming FileDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }
}
