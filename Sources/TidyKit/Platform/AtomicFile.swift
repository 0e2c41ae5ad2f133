internal import CPlatform
internal import Glibc

/// Writes a file atomically: its name shows the old content or all of the new one. Writes a temporary file in the same
/// folder, calls `fsync`, then `rename`.
package enum AtomicFile {
    /// Names of files that are being written; a scan ignores them.
    package static let temporaryPrefix = ".phototidy-"

    /// What a new file inherits from the one that it replaces.
    package struct Attributes: Sendable {
        package var permissions: UInt32?
        package var accessedNs: Int128?
        package var modifiedNs: Int128?

        package init(permissions: UInt32? = nil, accessedNs: Int128? = nil, modifiedNs: Int128? = nil) {
            self.permissions = permissions
            self.accessedNs = accessedNs
            self.modifiedNs = modifiedNs
        }
    }

    /// Writes `content` to `path`.
    /// - Parameter replacing: if false, throws EEXIST if the name is taken, even if another program takes it during the
    ///   call.
    /// - Parameter source: an open file; its extended attributes are copied to the new one.
    package static func write(
        _ content: [UInt8], to path: FilePath, replacing: Bool, attributes: Attributes = Attributes()
    ) throws(POSIXError) {
        try write(to: path, replacing: replacing) { (file) throws(POSIXError) in
            try file.write(content)
            try apply(attributes, to: file)
            if attributes.permissions == nil { try file.setPermissions(FileSystem.usualPermissions) }
        }
    }

    /// The general form. `fill` writes to the open temporary file, which no other user can read, and sets its
    /// permissions and any other attributes. Also removes what killed runs on this host left in that folder (see
    /// `OutputFile`).
    package static func write(
        to path: FilePath, replacing: Bool, _ fill: (borrowing FileDescriptor) throws(POSIXError) -> Void
    ) throws(POSIXError) {
        do throws(POSIXError) {
            let folder = OpenFolder(
                path.directory, try FileDescriptor.open(path.directory, [.pathOnly, .directory]))
            OutputFile.removeLeftovers(in: folder)
            try OutputFile.write(FilePath(path.lastComponent), in: folder.descriptor, replacing: replacing, fill)
        } catch {
            // An error names the file that the caller asked for: the temporary name means nothing to the user.
            throw POSIXError(code: error.code, operation: error.operation, path: path)
        }
    }

    /// Sets the permissions and times that `attributes` has.
    package static func apply(_ attributes: Attributes, to file: borrowing FileDescriptor) throws(POSIXError) {
        if let permissions = attributes.permissions { try file.setPermissions(permissions) }
        if let accessed = attributes.accessedNs, let modified = attributes.modifiedNs {
            try file.setTimes(accessedNs: accessed, modifiedNs: modified)
        }
    }
}

/// A new file in a folder of outputs. Its name shows the old content or all of the new one; no other user can read it
/// until it is complete. Its temporary name contains the host, and it is locked while it is written, so the next run
/// can recognise and remove what a killed run left.
enum OutputFile {
    /// The prefix of temporary files of this host. A photo that was set aside has a different prefix.
    static let prefix = AtomicFile.temporaryPrefix + "output-" + host + "-"

    private static let host: String = {
        var name = utsname()
        guard uname(&name) == 0 else { return "0" }
        var hash = FNV1a()
        withUnsafeBytes(of: name.nodename) { bytes in hash.add(bytes.prefix { $0 != 0 }) }
        return String(hash.value, radix: 36)
    }()

    /// - Parameter replacing: if false, throws EEXIST if the name is taken, even if another program takes it during the
    ///   call.
    /// - Parameter fill: writes to the open temporary file, and sets its permissions and any other attributes.
    static func write(
        _ name: FilePath, in folder: borrowing FileDescriptor, replacing: Bool,
        _ fill: (borrowing FileDescriptor) throws(POSIXError) -> Void
    ) throws(POSIXError) {
        let temporary: Temporary
        do throws(POSIXError) { temporary = try Temporary(in: folder) } catch {
            throw POSIXError(code: error.code, operation: error.operation, path: name)
        }
        do throws(POSIXError) {
            try fill(temporary.file)
            try temporary.file.synchronize()
            if replacing {
                try FileSystem.replace(name, in: folder, with: temporary.name, in: folder)
            } else {
                try FileSystem.moveWithoutReplacing(temporary.name, in: folder, to: name, in: folder)
            }
        } catch {
            try? FileSystem.remove(temporary.name, in: folder)
            throw POSIXError(code: error.code, operation: error.operation, path: name)
        }
        try synchronize(folder, temporary.file)
    }

    /// The number of digits of a 64-bit number in base 36.
    private static let digits = 13

    private static func temporaryName() -> FilePath {
        let number = String(UInt64.random(in: 0 ... .max), radix: 36)
        return FilePath(prefix + String(repeating: "0", count: digits - number.count) + number)
    }

    /// True if `temporaryName` could have made this name. Other names with that prefix belong to other programs.
    private static func isTemporaryName(_ name: [UInt8]) -> Bool {
        let tail = name.dropFirst(prefix.utf8.count)
        return name.starts(with: prefix.utf8) && tail.count == digits
            && tail.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }

    private struct Temporary: ~Copyable {
        let file: FileDescriptor
        let name: FilePath

        /// Creates the file for its owner alone, and locks it. A run that cleans up may remove it before it is locked;
        /// another one is created then.
        init(in folder: borrowing FileDescriptor) throws(POSIXError) {
            while true {
                let name = OutputFile.temporaryName()
                let file = try folder.open(name, [.readWrite, .create, .exclusive, .noFollow], permissions: 0o600)
                let isOurs = OutputFile.lock(file) != .taken && OutputFile.isAt(name, in: folder, file)
                if isOurs {
                    self.file = file
                    self.name = name
                    return
                }
            }
        }
    }

    private enum Lock { case held, taken, unsupported }

    private static func lock(_ file: borrowing FileDescriptor) -> Lock {
        let descriptor = file.rawValue
        do throws(POSIXError) {
            _ = try systemCall("fcntl") { platform_lock(descriptor) }
            return .held
        } catch { return error.code == EAGAIN || error.code == EACCES ? .taken : .unsupported }
    }

    private static func isAt(
        _ name: FilePath, in folder: borrowing FileDescriptor, _ file: borrowing FileDescriptor
    ) -> Bool {
        guard let own = try? file.status(), let now = try? folder.status(of: name) else { return false }
        return own.id == now.id
    }

    /// Removes what killed runs of this host left: files with such a name that nobody has locked.
    static func removeLeftovers(in folder: OpenFolder) {
        guard var stream = try? DirectoryStream(folder.descriptor, path: folder.path) else { return }
        while let (entry, _) = try? stream.next() {
            guard isTemporaryName(entry) else { continue }
            let name = FilePath(entry)
            guard let file = try? folder.descriptor.open(name, [.readWrite, .noFollow, .nonBlocking]),
                let status = try? file.status(), status.kind == .regular, status.linkCount == 1,
                status.owner == FileSystem.effectiveUser, lock(file) == .held,
                isAt(name, in: folder.descriptor, file)
            else { continue }
            try? FileSystem.remove(name, in: folder.descriptor)
        }
    }

    /// `fsync` of the folder; `syncfs` if the folder cannot be opened for reading.
    private static func synchronize(
        _ folder: borrowing FileDescriptor, _ file: borrowing FileDescriptor
    ) throws(POSIXError) {
        do throws(POSIXError) { try folder.open(.current, [.read, .directory]).synchronize() } catch {
            guard error.code == EACCES else { throw error }
            try file.synchronizeFileSystem()
        }
    }
}
