internal import Glibc

/// Reads files in blocks to compare what they hold. Each thread has its own.
struct FileComparison: ~Copyable {
    private let buffers: UnsafeMutableRawBufferPointer
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

    private final class OpenFile {
        let descriptor: FileDescriptor
        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    // Memory that is not written to costs nothing.
    init() { buffers = .allocate(byteCount: Self.block * Self.maximumFiles, alignment: 4096) }
    deinit { buffers.deallocate() }

    /// True where both files hold the same bytes.
    mutating func areEqual(_ left: FilePath, _ right: FilePath) throws(POSIXError) -> Bool {
        let parts = classes(of: [left, right])
        if let failure = parts.failures.first { throw failure.error }
        return parts.classes.count == 1
    }

    /// Reads each file at most once, side by side, and none further than it is like another one.
    /// - Parameter paths: at most `maximumFiles`.
    mutating func classes(of paths: [FilePath]) -> Parts {
        var parts = Parts()
        var files: [OpenFile?] = []
        for (index, path) in paths.enumerated() {
            do throws(POSIXError) { files.append(OpenFile(try open(path))) } catch {
                files.append(nil)
                parts.failures.append((index, error))
            }
        }
        var waiting: [(members: [Int], offset: Int64)] = [(paths.indices.filter { files[$0] != nil }, 0)]
        while let (members, offset) = waiting.popLast() {
            if members.count < 2 {
                parts.classes += members.isEmpty ? [] : [members]
                continue
            }
            for (members, isAtEnd) in split(members, files, at: offset, &parts.failures) {
                if isAtEnd {
                    parts.classes.append(members)
                } else {
                    waiting.append((members, offset + Int64(Self.block)))
                }
            }
        }
        return parts
    }

    /// Tells files apart by their next block.
    private mutating func split(
        _ members: [Int], _ files: [OpenFile?], at offset: Int64, _ failures: inout [(index: Int, error: POSIXError)]
    ) -> [(members: [Int], isAtEnd: Bool)] {
        // The block of the first of each part stays in its place.
        var parts: [(members: [Int], place: Int, count: Int)] = []
        for (place, member) in members.enumerated() {
            guard let file = files[member] else { continue }
            let own = block(place)
            do throws(POSIXError) {
                try Interrupt.check("read")
                let count = try fill(own, from: file.descriptor, at: offset)
                let same = parts.firstIndex { part in
                    part.count == count && memcmp(block(part.place).baseAddress!, own.baseAddress!, count) == 0
                }
                if let same { parts[same].members.append(member) } else { parts.append(([member], place, count)) }
            } catch { failures.append((member, error)) }
        }
        return parts.map { ($0.members, $0.count < Self.block) }
    }

    /// A hash of the first and last bytes; of all of a small file.
    mutating func endsHash(of path: FilePath, bytes: Int64) throws(POSIXError) -> UInt64 {
        let file = try open(path)
        var hash = Checksum(seed: UInt64(bitPattern: bytes))
        let head = block(0)
        if bytes <= Self.smallFile {
            let count = try fill(UnsafeMutableRawBufferPointer(rebasing: head[..<Int(bytes)]), from: file, at: 0)
            hash.add(UnsafeRawBufferPointer(rebasing: head[..<count]))
            return hash.value
        }
        for offset in [0, bytes - Int64(Self.endLength)] {
            let count = try fill(
                UnsafeMutableRawBufferPointer(rebasing: head[..<Self.endLength]), from: file, at: offset)
            hash.add(UnsafeRawBufferPointer(rebasing: head[..<count]))
        }
        return hash.value
    }

    /// A hash of all bytes.
    mutating func hash(of path: FilePath) throws(POSIXError) -> UInt64 {
        let file = try open(path)
        var hash = Checksum(seed: 0)
        var offset: Int64 = 0
        while true {
            try Interrupt.check("read")
            let count = try fill(block(0), from: file, at: offset)
            hash.add(UnsafeRawBufferPointer(rebasing: block(0)[..<count]))
            if count < Self.block { return hash.value }
            offset += Int64(count)
        }
    }

    private func block(_ place: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: buffers[(place * Self.block)..<((place + 1) * Self.block)])
    }

    private mutating func open(_ path: FilePath) throws(POSIXError) -> FileDescriptor {
        let file = try FileDescriptor.openForReading(path)
        filesOpened += 1
        return file
    }

    private mutating func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from file: borrowing FileDescriptor, at offset: Int64
    ) throws(POSIXError) -> Int {
        let count = try file.readFully(into: buffer, at: offset)
        bytesRead = bytesRead.addingClamped(Int64(count))
        return count
    }
}
