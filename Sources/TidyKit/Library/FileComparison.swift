internal import Glibc

/// A file whose content is compared with that of others, as it was when it was found.
struct ComparedFile: Hashable, Sendable {
    let path: FilePath
    let identity: FileIdentity

    init(path: FilePath, identity: FileIdentity) {
        self.path = path
        self.identity = identity
    }

    /// As it is now.
    init(_ path: FilePath) throws(POSIXError) {
        self.init(path: path, identity: try FileStatus.of(path).identity)
    }

    /// The open file. Throws ESTALE if the name now leads to another file, or if the file has changed: a device in its
    /// place would have no end, and a folder that was replaced by a link may lead to the very file that is to go.
    func open() throws(POSIXError) -> OpenedFile {
        let descriptor = try FileDescriptor.openForReading(path)
        let status = try descriptor.status()
        guard status.kind == .regular, status.identity.matchesContent(of: identity) else { throw .changed(path) }
        return OpenedFile(descriptor, path: path, identity: status.identity)
    }
}

/// A file that is being read.
final class OpenedFile {
    let descriptor: FileDescriptor
    let identity: FileIdentity
    private let path: FilePath

    fileprivate init(_ descriptor: consuming FileDescriptor, path: FilePath, identity: FileIdentity) {
        self.descriptor = descriptor
        self.path = path
        self.identity = identity
    }

    /// Throws ESTALE if the file has changed since it was opened: what was read may never have been its content.
    func checkUnchanged() throws(POSIXError) {
        guard try descriptor.status().identity == identity else { throw .changed(path) }
    }
}

extension POSIXError {
    fileprivate static func changed(_ path: FilePath) -> POSIXError {
        POSIXError(code: ESTALE, operation: "fstat", path: path)
    }
}

/// Reads files in blocks to compare what they hold. Each thread has its own.
struct FileComparison: ~Copyable {
    private let buffers: UnsafeMutableRawBufferPointer
    private var keyed = KeyedHash()
    private static let block = 1 << 17
    /// Files that are compared at once: each has a block of its own, and is open.
    static let maximumFiles = 16
    /// The bytes at either end by which most files differ already.
    static let endLength = 4096
    /// Smaller files are read in one piece.
    static let smallFile: Int64 = 1 << 14
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0

    /// Files of one size, told apart by their content.
    struct Parts: Sendable {
        /// As indices of what was compared, each of at least one file.
        var classes: [[Int]] = []
        var failures: [(index: Int, error: POSIXError)] = []
    }

    // Memory that is not written to costs nothing.
    init() { buffers = .allocate(byteCount: Self.block * Self.maximumFiles, alignment: 4096) }
    deinit { buffers.deallocate() }

    /// True where both files hold the same bytes.
    mutating func areEqual(_ left: ComparedFile, _ right: ComparedFile) throws(POSIXError) -> Bool {
        let parts = classes(of: [left, right])
        if let failure = parts.failures.first { throw failure.error }
        return parts.classes.count == 1
    }

    /// Same, for files as they are now.
    mutating func areEqual(_ left: FilePath, _ right: FilePath) throws(POSIXError) -> Bool {
        try areEqual(ComparedFile(left), ComparedFile(right))
    }

    /// Reads all files side by side, each at most once, and stops reading a file once it differs from all others. A
    /// file that changes meanwhile is in no class.
    /// - Parameter files: at most `maximumFiles`.
    mutating func classes(of files: [ComparedFile]) -> Parts {
        var parts = Parts()
        var open: [OpenedFile?] = []
        for (index, file) in files.enumerated() {
            do throws(POSIXError) { open.append(try self.open(file)) } catch {
                open.append(nil)
                parts.failures.append((index, error))
            }
        }
        var waiting: [(members: [Int], offset: Int64)] = []
        for members in Dictionary(grouping: files.indices.filter { open[$0] != nil }, by: { files[$0].identity.bytes })
            .values
        {
            waiting.append((members, 0))
        }
        while let (members, offset) = waiting.popLast() {
            // A file that grows while it is read is not read for ever.
            if members.count < 2 || offset >= files[members[0]].identity.bytes {
                parts.classes += members.isEmpty ? [] : [members]
                continue
            }
            for (members, isAtEnd) in split(members, open, at: offset, &parts.failures) {
                if isAtEnd {
                    parts.classes.append(members)
                } else {
                    waiting.append((members, offset + Int64(Self.block)))
                }
            }
        }
        removeChanged(from: &parts, open)
        parts.classes.sort { $0[0] < $1[0] }
        return parts
    }

    private func removeChanged(from parts: inout Parts, _ open: [OpenedFile?]) {
        for place in parts.classes.indices {
            parts.classes[place].removeAll { index in
                do throws(POSIXError) {
                    try open[index]?.checkUnchanged()
                    return false
                } catch {
                    parts.failures.append((index, error))
                    return true
                }
            }
        }
        parts.classes.removeAll { $0.isEmpty }
    }

    /// Tells files apart by their next block.
    private mutating func split(
        _ members: [Int], _ files: [OpenedFile?], at offset: Int64, _ failures: inout [(index: Int, error: POSIXError)]
    ) -> [(members: [Int], isAtEnd: Bool)] {
        // The block of the first of each part stays in its place.
        var parts: [(members: [Int], place: Int, count: Int)] = []
        for (place, member) in members.enumerated() {
            guard let file = files[member] else { continue }
            let own = block(place)
            do throws(POSIXError) {
                try Interrupt.check("read")
                let count = try fill(own, from: file, at: offset)
                let same = parts.firstIndex { part in
                    part.count == count && memcmp(block(part.place).baseAddress!, own.baseAddress!, count) == 0
                }
                if let same { parts[same].members.append(member) } else { parts.append(([member], place, count)) }
            } catch { failures.append((member, error)) }
        }
        return parts.map { ($0.members, $0.count < Self.block) }
    }

    /// A hash of the first and last bytes; of all of a small file.
    mutating func endsHash(of file: ComparedFile) throws(POSIXError) -> UInt64 {
        let bytes = file.identity.bytes
        let file = try open(file)
        // Discards what an error has left of another file.
        _ = keyed.finish()
        let head = block(0)
        let isSmall = bytes <= Self.smallFile
        let length = isSmall ? Int(bytes) : Self.endLength
        for offset in isSmall ? [0] : [0, bytes - Int64(Self.endLength)] {
            let count = try fill(UnsafeMutableRawBufferPointer(rebasing: head[..<length]), from: file, at: offset)
            keyed.update(UnsafeRawBufferPointer(rebasing: head[..<count]))
        }
        return keyed.finish()
    }

    /// A hash of all bytes.
    mutating func hash(of file: ComparedFile) throws(POSIXError) -> UInt64 {
        let bytes = file.identity.bytes
        let file = try open(file)
        // Discards what an error has left of another file.
        _ = keyed.finish()
        for offset in stride(from: 0, to: bytes, by: Int(Self.block)) {
            try Interrupt.check("read")
            let count = try fill(block(0), from: file, at: offset)
            keyed.update(UnsafeRawBufferPointer(rebasing: block(0)[..<count]))
        }
        return keyed.finish()
    }

    private func block(_ place: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: buffers[(place * Self.block)..<((place + 1) * Self.block)])
    }

    private mutating func open(_ file: ComparedFile) throws(POSIXError) -> OpenedFile {
        let opened = try file.open()
        filesOpened += 1
        return opened
    }

    private mutating func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from file: OpenedFile, at offset: Int64
    ) throws(POSIXError) -> Int {
        let count = try file.descriptor.readFully(into: buffer, at: offset)
        bytesRead = bytesRead.addingClamped(Int64(count))
        return count
    }
}
