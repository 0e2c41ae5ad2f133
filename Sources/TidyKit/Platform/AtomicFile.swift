/// Writes a file so that its name shows the old content or the new one, never less: a temporary file in the same
/// folder, checked writes, `fsync`, one `rename`.
public enum AtomicFile {
    /// Names of files that are being written; a scan passes them over.
    public static let temporaryPrefix = ".phototidy-"

    /// What a new file takes over from the one it stands for.
    public struct Attributes: Sendable {
        public var permissions: UInt32?
        public var accessedNs: Int128?
        public var modifiedNs: Int128?

        public init(permissions: UInt32? = nil, accessedNs: Int128? = nil, modifiedNs: Int128? = nil) {
            self.permissions = permissions
            self.accessedNs = accessedNs
            self.modifiedNs = modifiedNs
        }
    }

    /// Writes `content` to `path`.
    /// - Parameter replacing: false throws EEXIST where the name is taken, also when it was taken meanwhile.
    /// - Parameter source: an open file whose extended attributes the new one gets.
    public static func write(
        _ content: [UInt8], to path: FilePath, replacing: Bool, attributes: Attributes = Attributes()
    ) throws(POSIXError) {
        try write(to: path, replacing: replacing) { (file) throws(POSIXError) in
            try file.write(content)
            try apply(attributes, to: file)
            if attributes.permissions == nil { try file.setPermissions(FileSystem.usualPermissions) }
        }
    }

    /// The general form: `fill` writes to the open temporary file, which nobody else can read, and sets its permissions and
    /// what else it likes. What a killed run of this host left in that folder is removed: see `OutputFile`.
    public static func write(
        to path: FilePath, replacing: Bool, _ fill: (borrowing FileDescriptor) throws(POSIXError) -> Void
    ) throws(POSIXError) {
        do throws(POSIXError) {
            let folder = OpenFolder(
                path.directory, try FileDescriptor.open(path.directory, [.pathOnly, .directory]))
            OutputFile.removeLeftovers(in: folder)
            try OutputFile.write(FilePath(path.lastComponent), in: folder.descriptor, replacing: replacing, fill)
        } catch {
            // An error names what the caller asked for: nobody knows the temporary name.
            throw POSIXError(code: error.code, operation: error.operation, path: path)
        }
    }

    public static func apply(_ attributes: Attributes, to file: borrowing FileDescriptor) throws(POSIXError) {
        if let permissions = attributes.permissions { try file.setPermissions(permissions) }
        if let accessed = attributes.accessedNs, let modified = attributes.modifiedNs {
            try file.setTimes(accessedNs: accessed, modifiedNs: modified)
        }
    }
}
