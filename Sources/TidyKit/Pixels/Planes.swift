internal import Glibc

/// A picture as planes: luma alone, or Y, Cb, Cr of JFIF (full range, BT.601 matrix).
struct Planes {
    /// Size of the picture in pixels at this scale.
    var width: Int
    var height: Int
    /// One or three.
    var components: [Component]
    var remarks = Remarks()

    /// What a decoder found that the user should know.
    struct Remarks: Equatable {
        /// Transparent parts of the source were laid on white.
        var liesOnWhite = false
        var leftovers = JPEGLeftovers()
    }

    struct Component {
        var plane: Plane
        /// How much of the plane the picture covers: it may cover only part of the last column and row of a scaled or
        /// subsampled plane.
        var coveredWidth: Double
        var coveredHeight: Double

        init(_ plane: Plane, coveredWidth: Double? = nil, coveredHeight: Double? = nil) {
            self.plane = plane
            self.coveredWidth = coveredWidth ?? Double(plane.width)
            self.coveredHeight = coveredHeight ?? Double(plane.height)
        }
    }

    init(width: Int, height: Int, components: [Component]) {
        self.width = width
        self.height = height
        self.components = components
    }

    var isGray: Bool { components.count == 1 }
    var longEdge: Int { max(width, height) }

    /// The density of chroma: each plane has the size of the picture divided by these, rounded up.
    enum Chroma: Sendable, Equatable {
        case full
        case half
        /// Sampling factors of luma relative to chroma.
        var horizontal: Int { self == .full ? 1 : 2 }
        var vertical: Int { self == .full ? 1 : 2 }
    }
}

/// One component of a picture: 8-bit samples in rows that are aligned to 64 bytes for the SIMD code of zimg and
/// libjpeg. Not for use by several threads at once.
final class Plane {
    /// The size in samples, without padding.
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
        // Huge pages, if the system has them: touching large planes 4 KB at a time costs more than resizing them.
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

    /// Repeats the last sample of each row up to a whole block, which the encoder reads: other values would ring into
    /// the picture.
    func padRows() {
        let padded = (width + 7) / 8 * 8
        guard padded > width else { return }
        for y in 0..<height {
            let row = row(y)
            memset(row + width, Int32(row[width - 1]), padded - width)
        }
    }
}
