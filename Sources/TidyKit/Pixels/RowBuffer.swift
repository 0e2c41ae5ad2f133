internal import Glibc

/// Rows of pixels in memory, zero at first.
final class RowBuffer {
    let rowBytes: Int
    private let base: UnsafeMutableRawPointer

    init(rows: Int, rowBytes: Int) throws(PictureError) {
        guard let base = calloc(max(rows, 1), max(rowBytes, 1)) else {
            throw .needsMemory(Int64(rows) * Int64(rowBytes), limit: 0)
        }
        self.base = base
        self.rowBytes = rowBytes
    }

    deinit { free(base) }

    func row(_ y: Int) -> UnsafeMutableRawPointer { base + y * rowBytes }
}
