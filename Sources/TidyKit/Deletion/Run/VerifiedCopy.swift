internal import Glibc

/// A copy, for moves between filesystems: byte for byte, compared afterwards, with mode, owner, times and extended
/// attributes.
struct VerifiedCopy {
    /// The identity that the source must have before and after.
    private let identity: FileIdentity
    /// If true, a copy without some of the extended attributes is accepted.
    private let mayLoseAttributes: Bool

    init(of identity: FileIdentity, mayLoseAttributes: Bool = false) {
        self.identity = identity
        self.mayLoseAttributes = mayLoseAttributes
    }

    /// Copies `name` in `folder` to a new file `copy` in `target`. Replaces nothing, and leaves nothing behind on
    /// failure.
    /// - Returns: why attributes were lost; nil if all were kept.
    @discardableResult
    func make(
        _ name: FilePath, in folder: borrowing FileDescriptor, to copy: FilePath, in target: borrowing FileDescriptor
    ) throws(POSIXError) -> POSIXError? {
        var lost: POSIXError?
        let source = try folder.openForReading(name)
        let status = try source.status()
        guard status.kind == .regular, status.identity.matchesContent(of: identity) else {
            throw POSIXError(code: ESTALE, operation: "fstat", path: name)
        }
        let file = try target.open(copy, [.readWrite, .create, .exclusive, .noFollow], permissions: 0o600)
        do throws(POSIXError) {
            try Self.transfer(source, to: file)
            do throws(POSIXError) { try source.copyExtendedAttributes(to: file) } catch {
                guard mayLoseAttributes else { throw error }
                lost = error
            }
            file.setOwnerIfAllowed(status.owner, group: status.group)
            try file.setPermissions(status.permissions)
            try file.setTimes(accessedNs: status.accessedNs, modifiedNs: status.identity.modifiedNs)
            try file.synchronize()
            guard try Self.isSame(source, file), try source.status().identity.matchesContent(of: status.identity) else {
                throw POSIXError(code: ESTALE, operation: "compare", path: name)
            }
            return lost
        } catch {
            try? FileSystem.remove(copy, in: target)
            throw error
        }
    }

    private static func transfer(
        _ source: borrowing FileDescriptor, to file: borrowing FileDescriptor
    ) throws(POSIXError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try source.readFully(into: buffer, at: offset)
            try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if count < buffer.count { return }
            offset += Int64(count)
        }
    }

    /// True if `name` in `folder` and `other` in `target` have the same bytes. Not a `FileComparison`: names are those
    /// of open folders, the identity of a new copy is not known before, and Ctrl-C must not leave a move half checked.
    static func isSame(
        _ name: FilePath, in folder: borrowing FileDescriptor, as other: FilePath, in target: borrowing FileDescriptor
    ) throws(POSIXError) -> Bool {
        try isSame(try folder.openForReading(name), try target.openForReading(other))
    }

    private static func isSame(
        _ first: borrowing FileDescriptor, _ second: borrowing FileDescriptor
    ) throws(POSIXError) -> Bool {
        let size = 1 << 18
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * size, alignment: 4096)
        defer { buffer.deallocate() }
        let (left, right) = (
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]),
            UnsafeMutableRawBufferPointer(rebasing: buffer[size...])
        )
        var offset: Int64 = 0
        while true {
            let count = try first.readFully(into: left, at: offset)
            guard try second.readFully(into: right, at: offset) == count else { return false }
            if count == 0 { return true }
            guard let one = left.baseAddress, let other = right.baseAddress, memcmp(one, other, count) == 0 else {
                return false
            }
            offset += Int64(count)
        }
    }
}
