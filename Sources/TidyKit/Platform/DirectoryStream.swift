internal import Glibc

/// The entries of one open folder (`readdir`), in the filesystem's order.
package struct DirectoryStream: ~Copyable {
    /// `d_type`: the kind of an entry as the folder has it, without a `stat`.
    package enum EntryKind: Sendable { case regular, directory, symbolicLink, other, unknown }

    private let stream: OpaquePointer
    private let path: FilePath

    /// Reads the folder of `descriptor`, which stays open and usable. `path` is for messages.
    package init(_ descriptor: borrowing FileDescriptor, path: FilePath) throws(POSIXError) {
        // A separate descriptor, because fdopendir owns it and moves its offset.
        let own = try descriptor.open(.current, [.read, .directory])
        let descriptor = own.release()
        stream = try systemPointer("fdopendir", path) { fdopendir(descriptor) }
        self.path = path
    }

    deinit { closedir(stream) }

    /// The next entry, without `.` and `..`; nil at the end.
    package mutating func next() throws(POSIXError) -> (name: [UInt8], kind: EntryKind)? {
        while true {
            let (entry, code) = valueOrErrno(isFailure: { $0 == nil }, { readdir(stream) })
            guard let entry else {
                if code != 0 { throw POSIXError(code: code, operation: "readdir", path: path) }
                return nil
            }
            let name = Self.name(of: entry)
            if name == [UInt8(ascii: ".")] || name == [UInt8(ascii: "."), UInt8(ascii: ".")] { continue }
            let kind: EntryKind =
                switch Int(entry.pointee.d_type) {
                case Int(DT_REG): .regular
                case Int(DT_DIR): .directory
                case Int(DT_LNK): .symbolicLink
                case Int(DT_UNKNOWN): .unknown
                default: .other
                }
            return (name, kind)
        }
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        withUnsafeBytes(of: &entry.pointee.d_name) { field in
            guard let text = field.baseAddress?.assumingMemoryBound(to: CChar.self) else { return [] }
            return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        }
    }
}

extension FileDescriptor {
    /// Releases the raw descriptor to a C function that will close it.
    consuming func release() -> Int32 {
        let value = rawValue
        discard self
        return value
    }
}
