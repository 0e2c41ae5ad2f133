internal import Glibc

/// Compares files byte by byte. Each thread has its own.
struct FileComparison: ~Copyable {
    private let buffers: UnsafeMutableRawBufferPointer
    private static let half = 1 << 17
    private(set) var filesOpened = 0
    private(set) var bytesRead: Int64 = 0

    init() { buffers = .allocate(byteCount: Self.half * 2, alignment: 4096) }
    deinit { buffers.deallocate() }

    /// Groups files of the same size into classes of the same content, as indices into `paths`. A class has at least
    /// two files.
    mutating func classes(of paths: [FilePath]) -> (classes: [[Int]], warnings: [LibraryWarning]) {
        var heads: [(head: [UInt8], members: [Int])] = []
        var warnings: [LibraryWarning] = []
        func note(_ path: FilePath, _ error: POSIXError) {
            if !error.isMissing { warnings.append(LibraryWarning(path: path, reason: error.reason)) }
        }
        for (index, path) in paths.enumerated() {
            do throws(POSIXError) {
                let head = try head(of: path)
                if let known = heads.firstIndex(where: { $0.head == head }) {
                    heads[known].members.append(index)
                } else {
                    heads.append((head, [index]))
                }
            } catch { note(path, error) }
        }
        var classes: [[Int]] = []
        for (_, members) in heads where members.count > 1 {
            var own: [[Int]] = []
            for member in members {
                do throws(POSIXError) {
                    var place: Int?
                    for (number, known) in own.enumerated()
                    where try areEqual(paths[known[0]], paths[member]) {
                        place = number
                        break
                    }
                    if let place { own[place].append(member) } else { own.append([member]) }
                } catch { note(error.path ?? paths[member], error) }
            }
            classes += own.filter { $0.count > 1 }
        }
        return (classes, warnings)
    }

    private mutating func head(of path: FilePath) throws(POSIXError) -> [UInt8] {
        let file = try open(path)
        let count = try fill(UnsafeMutableRawBufferPointer(rebasing: buffers[..<16384]), from: file, at: 0)
        return Array(buffers[..<count])
    }

    private mutating func open(_ path: FilePath) throws(POSIXError) -> FileDescriptor {
        let file = try FileDescriptor.openForReading(path)
        filesOpened += 1
        return file
    }

    /// True if both files have the same bytes.
    mutating func areEqual(_ left: FilePath, _ right: FilePath) throws(POSIXError) -> Bool {
        let left = try open(left)
        let right = try open(right)
        let (first, second) = (
            UnsafeMutableRawBufferPointer(rebasing: buffers[..<Self.half]),
            UnsafeMutableRawBufferPointer(rebasing: buffers[Self.half...])
        )
        var offset: Int64 = 0
        while true {
            try Interrupt.check("read")
            let count = try fill(first, from: left, at: offset)
            guard try fill(second, from: right, at: offset) == count else { return false }
            if count == 0 { return true }
            if memcmp(first.baseAddress!, second.baseAddress!, count) != 0 { return false }
            offset += Int64(count)
        }
    }

    private mutating func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from file: borrowing FileDescriptor, at offset: Int64
    ) throws(POSIXError) -> Int {
        let count = try file.readFully(into: buffer, at: offset)
        bytesRead += Int64(count)
        return count
    }
}
