internal import Glibc

/// The part of a file that is in memory. A range that is already there is not read again. One buffer serves one file
/// after another.
struct FileWindow: ~Copyable {
    /// The largest single read, whatever sizes a file claims.
    static let maximumPiece = 4 << 20
    /// The size of the first read of a file, which covers the metadata of most files.
    static let headLength = 16 << 10
    private static let leastRead = 4 << 10

    private var buffer: UnsafeMutableRawBufferPointer
    private var descriptor: Int32 = -1
    private var firstRead = headLength
    private var start: Int64 = 0
    private var count = 0
    /// The length of the file by `fstat`, or less if a read ended before it.
    private(set) var byteCount: Int64 = 0
    /// Over all files.
    private(set) var bytesRead: Int64 = 0

    init() { buffer = .allocate(byteCount: 128 << 10, alignment: 16) }
    deinit { buffer.deallocate() }

    /// Switches to another file, which must stay open while views are requested. The first read takes `firstRead`
    /// bytes.
    mutating func attach(_ file: borrowing FileDescriptor, byteCount: Int64, firstRead: Int = headLength) {
        descriptor = file.rawValue
        self.firstRead = firstRead
        self.byteCount = max(0, byteCount)
        start = 0
        count = 0
    }

    /// `length` bytes from `offset` on, or fewer if the file ends or `length` exceeds `maximumPiece`. The view is valid
    /// until the next call.
    mutating func view(at offset: Int64, _ length: Int) throws(POSIXError) -> ByteView {
        guard offset >= 0, offset < byteCount, length > 0 else { return .empty }
        let wanted = Int(min(Int64(min(length, Self.maximumPiece)), byteCount - offset))
        let isJoined = offset >= start && offset - start <= Int64(count)
        var skip = isJoined ? Int(offset - start) : 0
        if !isJoined || skip + wanted > buffer.count {
            // The window moves; the bytes that it shares with the new range are kept.
            let kept = isJoined ? count - skip : 0
            if wanted > buffer.count {
                let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: wanted + Self.leastRead, alignment: 16)
                if kept > 0 { larger.baseAddress!.copyMemory(from: buffer.baseAddress! + skip, byteCount: kept) }
                buffer.deallocate()
                buffer = larger
            } else if kept > 0, skip > 0 {
                memmove(buffer.baseAddress!, buffer.baseAddress! + skip, kept)
            }
            start = offset
            count = kept
            skip = 0
        }
        try fill(skip + wanted)
        let available = min(wanted, max(0, count - skip))
        return ByteView(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[skip..<(skip + available)]))
    }

    /// As `view`; changes to the bytes last as long as the view.
    mutating func mutableView(
        at offset: Int64, _ length: Int
    ) throws(POSIXError) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(mutating: try view(at: offset, length).buffer)
    }

    private mutating func fill(_ needed: Int) throws(POSIXError) {
        while count < needed {
            let least = start == 0 && count == 0 ? firstRead : Self.leastRead
            let rest = byteCount - start - Int64(count)
            let length = min(buffer.count - count, max(needed - count, least), Int(clamping: rest))
            guard length > 0 else { return }
            let target = buffer.baseAddress! + count
            let offset = off_t(start + Int64(count))
            let got = try systemCall("pread") { pread(descriptor, target, length, offset) }
            // The file is shorter than `fstat` reported.
            if got == 0 { byteCount = start + Int64(count) }
            count += got
            bytesRead += Int64(got)
            if got == 0 { return }
        }
    }
}
