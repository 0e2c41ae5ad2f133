internal import Glibc

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
    /// what else it likes.
    public static func write(
        to path: FilePath, replacing: Bool, _ fill: (borrowing FileDescriptor) throws(POSIXError) -> Void
    ) throws(POSIXError) {
        let folder = path.directory
        let temporary = folder.appending(temporaryPrefix + String(UInt64.random(in: 0 ... .max), radix: 36))
        // An error names what the caller asked for: nobody knows the temporary name.
        func named(_ error: POSIXError) -> POSIXError {
            let isOurs = error.path == nil || error.path == temporary
            return POSIXError(code: error.code, operation: error.operation, path: isOurs ? path : error.path)
        }
        let file: FileDescriptor
        do throws(POSIXError) {
            file = try FileDescriptor.open(temporary, [.write, .create, .exclusive, .noFollow], permissions: 0o600)
        } catch { throw named(error) }
        do throws(POSIXError) {
            try fill(file)
            try file.synchronize()
            if replacing {
                try FileSystem.replace(path, with: temporary)
            } else {
                try FileSystem.moveWithoutReplacing(temporary, to: path)
            }
        } catch {
            try? FileSystem.remove(temporary)
            throw named(error)
        }
        try FileSystem.synchronizeFolder(folder, orFileSystemOf: file)
    }

    public static func apply(_ attributes: Attributes, to file: borrowing FileDescriptor) throws(POSIXError) {
        if let permissions = attributes.permissions { try file.setPermissions(permissions) }
        if let accessed = attributes.accessedNs, let modified = attributes.modifiedNs {
            try file.setTimes(accessedNs: accessed, modifiedNs: modified)
        }
    }
}
