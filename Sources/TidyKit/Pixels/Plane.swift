internal import Glibc

/// One component of a picture: 8-bit samples in rows that start at multiples of 64 bytes, as zimg's and libjpeg's SIMD
/// code likes them. Used by one thread at a time.
final class Plane {
    /// Samples that mean something.
    let width: Int
    let height: Int
    /// Bytes from one row to the next; at least `width` rounded up to whole blocks of 8.
    let stride: Int
    let data: UnsafeMutablePointer<UInt8>

    /// - Parameter bufferWidth: columns that a writer needs beyond `width`, such as those of whole blocks.
    init(width: Int, height: Int, bufferWidth: Int = 0, bufferHeight: Int = 0) throws(PictureError) {
        self.width = width
        self.height = height
        stride = (max(width, bufferWidth) + 63) / 64 * 64
        let count = stride * max(height, bufferHeight)
        // Large planes live in huge pages where the system has them: touching 4 KB at a time costs more than resizing.
        let isLarge = count >= 2 * Self.hugePage
        var pointer: UnsafeMutableRawPointer?
        guard posix_memalign(&pointer, isLarge ? Self.hugePage : 64, max(count, 64)) == 0, let pointer else {
            throw .needsMemory(Int64(count), limit: 0)
        }
        if isLarge { madvise(pointer, count / Self.hugePage * Self.hugePage, Int32(MADV_HUGEPAGE)) }
        data = pointer.assumingMemoryBound(to: UInt8.self)
    }

    private static let hugePage = 2 << 20

    deinit { free(data) }

    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { data + y * stride }

    /// Repeats the last sample of each row up to a whole block, which the encoder reads: anything else there would
    /// ring into the picture.
    func padRows() {
        let padded = (width + 7) / 8 * 8
        guard padded > width else { return }
        for y in 0..<height {
            let row = row(y)
            memset(row + width, Int32(row[width - 1]), padded - width)
        }
    }
}
