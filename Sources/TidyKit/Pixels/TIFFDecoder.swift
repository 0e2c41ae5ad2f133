internal import CTIFF
internal import Glibc

/// libtiff, opened when the first TIFF file is decoded.
struct TIFFLibrary {
    private static let missing: String? = ctiff_open_library().map { String(cString: $0) }

    static func shared() throws(PictureError) -> TIFFLibrary {
        if let missing { throw .unsupported("TIFF needs \(missing), which the package libtiff6 brings") }
        return TIFFLibrary()
    }
}

/// The first picture of a TIFF file, decoded by libtiff, which turns it as its tag says.
enum TIFFDecoder {
    static func planes(_ bytes: [UInt8], _ options: DecodingOptions) throws(PictureError) -> Planes {
        _ = try TIFFLibrary.shared()
        return try bytes.span.withUnsafeBytes { (raw) throws(PictureError) in
            var (width, height) = (UInt32(0), UInt32(0))
            guard
                let file = ctiff_open(
                    raw.baseAddress?.assumingMemoryBound(to: UInt8.self), raw.count, &width, &height)
            else { throw .damaged("TIFF without a picture") }
            defer { ctiff_close(file) }
            try options.checkSize(Int(width), Int(height))
            let (columns, rows) = (Int(width), Int(height))
            let bytes = columns * rows * 4
            guard Int64(bytes) <= options.memory / 4 else {
                throw .needsMemory(Int64(bytes), limit: options.memory / 4)
            }
            guard let pixels = calloc(bytes, 1) else { throw .needsMemory(Int64(bytes), limit: 0) }
            defer { free(pixels) }
            let samples = pixels.assumingMemoryBound(to: UInt8.self)
            guard ctiff_read(file, width, height, samples) != 0 else { throw .damaged("TIFF") }
            let builder = try PlaneBuilder(width: columns, height: rows)
            for y in 0..<rows { builder.setRow(y, rgba: UnsafePointer(samples + y * columns * 4)) }
            return builder.planes
        }
    }
}
