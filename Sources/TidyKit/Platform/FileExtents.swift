internal import CPlatform
internal import Glibc

/// Where the bytes of a file lie on the disk (FIEMAP).
struct FileExtents: Equatable, Sendable {
    /// A run of blocks.
    struct Extent: Equatable, Sendable {
        /// In bytes: the place in the file, the place on the disk, and the length.
        var logical: UInt64
        var physical: UInt64
        var length: UInt64
        /// Another file uses the blocks too.
        var isShared: Bool
        /// True for bytes of which the place is not decided yet.
        var isDelayed = false
        /// False for bytes that are not written yet, or that lie elsewhere: within the inode, compressed, encrypted.
        var isPlaced: Bool
    }

    private(set) var all: [Extent]

    init(_ all: [Extent]) { self.all = all }

    /// A file with more extents counts as sharing nothing.
    private static let most = 1 << 17
    private static let batch = 256

    /// Of an open file. Throws EOPNOTSUPP where the filesystem does not tell.
    /// - Parameter synced: whether its data are written to the disk first.
    init(of file: borrowing FileDescriptor, synced: Bool = true) throws(POSIXError) {
        all = []
        let descriptor = file.rawValue
        var buffer = [platform_extent](repeating: platform_extent(), count: Self.batch)
        var start: UInt64 = 0
        while true {
            let count = try systemCall("ioctl") {
                platform_read_extents(descriptor, start, synced ? 1 : 0, &buffer, UInt32(Self.batch))
            }
            for extent in buffer.prefix(Int(count)) {
                all.append(
                    Extent(
                        logical: extent.logical, physical: extent.physical, length: extent.length,
                        isShared: extent.flags & PLATFORM_EXTENT_SHARED != 0,
                        isDelayed: extent.flags & PLATFORM_EXTENT_DELAYED != 0,
                        isPlaced: extent.flags & ~PLATFORM_EXTENT_PLACED == 0))
                let (end, overflow) = extent.logical.addingReportingOverflow(extent.length)
                if extent.flags & PLATFORM_EXTENT_LAST != 0 || overflow || end <= start { return }
                start = end
            }
            if count == 0 { return }
            if all.count > Self.most { throw POSIXError(code: EFBIG, operation: "read") }
        }
    }

    /// False where no block is shared, whatever is not on the disk yet.
    var mayBeShared: Bool { all.contains { $0.isShared || $0.isDelayed } }

    /// True where the file has no block that the other one does not have at the same place, so that deleting one of
    /// them frees nothing.
    func areAllShared(with other: FileExtents) -> Bool {
        guard !all.isEmpty, (all + other.all).allSatisfy({ $0.isShared && $0.isPlaced && $0.length > 0 }) else {
            return false
        }
        return joined == other.joined
    }

    /// Without the divisions that the filesystem makes for its own reasons.
    private var joined: [Extent] {
        var joined: [Extent] = []
        for extent in all {
            if let last = joined.last, last.logical &+ last.length == extent.logical,
                last.physical &+ last.length == extent.physical
            {
                joined[joined.count - 1].length &+= extent.length
            } else {
                joined.append(extent)
            }
        }
        return joined
    }
}

extension FileDescriptor {
    /// True where this file shares all its blocks with the other one (`cp --reflink`, deduplication). False where the
    /// filesystem does not tell.
    borrowing func isClone(of other: borrowing FileDescriptor) -> Bool {
        // Where no filesystem shares blocks, nothing need be written to the disk to see it.
        guard let unsynced = try? FileExtents(of: self, synced: false), unsynced.mayBeShared,
            let own = try? FileExtents(of: self), own.all.contains(where: \.isShared),
            let others = try? FileExtents(of: other)
        else { return false }
        return own.areAllShared(with: others)
    }
}
