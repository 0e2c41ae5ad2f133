internal import CJPEG

/// One picture at one size on its way to a JPEG stream: its planes after the DCT, to be quantised and encoded as often
/// as the search needs. Huffman tables are optimised.
struct JPEGEncoder: ~Copyable {
    private let transform: OpaquePointer
    /// The transform reads them.
    private let planes: Planes
    private let effort: CompressionSettings.Effort
    private var optimizes: Bool { effort == .best }

    deinit { cjpeg_transform_destroy(transform) }

    /// - Parameter planes: chroma, where there is any, in the density `chroma`; rows padded (`Plane.padRows`).
    /// - Parameter effort: `best` quantises with rate-distortion optimisation.
    init(_ planes: Planes, chroma: Planes.Chroma, isProgressive: Bool, effort: CompressionSettings.Effort)
        throws(CompressionError)
    {
        var picture = cjpeg_picture()
        picture.width = Int32(planes.width)
        picture.height = Int32(planes.height)
        picture.components = Int32(planes.components.count)
        picture.h = planes.isGray ? 1 : Int32(chroma.horizontal)
        picture.v = planes.isGray ? 1 : Int32(chroma.vertical)
        picture.progressive = isProgressive
        let luma = planes.components[0].plane
        picture.plane.0 = UnsafePointer(luma.data)
        picture.stride.0 = luma.stride
        picture.plane_height.0 = Int32(luma.height)
        if !planes.isGray {
            let (blue, red) = (planes.components[1].plane, planes.components[2].plane)
            picture.plane.1 = UnsafePointer(blue.data)
            picture.stride.1 = blue.stride
            picture.plane_height.1 = Int32(blue.height)
            picture.plane.2 = UnsafePointer(red.data)
            picture.stride.2 = red.stride
            picture.plane_height.2 = Int32(red.height)
        }
        let keeps = planes.width * planes.height <= Self.keptPixels
        guard let transform = cjpeg_transform_create(&picture, keeps) else {
            throw .needsMemory(Int64(planes.width * planes.height * 3), limit: 0)
        }
        self.transform = transform
        self.planes = planes
        self.effort = effort
    }

    /// Larger pictures compute their DCT for each use: memory counts for more than the time then.
    static let keptPixels = 12_000_000

    /// About as many bytes as `encode` would make, from every `step`-th row of blocks.
    borrowing func estimate(quality: Double, every step: Int = 1) -> Double {
        withTables(quality) { cjpeg_transform_estimate(transform, $0, optimizes, Int32(step)) }
    }

    /// A stream from SOI to EOI without any APP marker, and what `estimate` would have said; nil where it needs more
    /// than `capacity` bytes.
    borrowing func encode(
        quality: Double, capacity: Int
    ) throws(CompressionError) -> (stream: [UInt8], estimate: Double)? {
        var error = cjpeg_error()
        var estimate = 0.0
        var code = Int32(CJPEG_OK)
        let stream = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            code = withTables(quality) {
                cjpeg_transform_encode(
                    transform, $0, optimizes, buffer.baseAddress, capacity, &count, &estimate, &error)
            }
        }
        switch Int(code) {
        case CJPEG_OK: return (stream, estimate)
        case CJPEG_TOO_LONG: return nil
        default:
            let text = withUnsafeBytes(of: error.message) { Array($0.prefix { $0 != 0 }) }
            throw .unsupported("encoder: " + String(decoding: text, as: UTF8.self))
        }
    }

    private borrowing func withTables<Result>(
        _ quality: Double, _ body: (UnsafePointer<cjpeg_table>) -> Result
    ) -> Result {
        let tables = QuantizationTables(quality: quality, effort: effort)
        return withUnsafeTemporaryAllocation(of: cjpeg_table.self, capacity: 2) { pair in
            for (index, values) in [tables.luma, tables.chroma].enumerated() {
                pair.initializeElement(at: index, to: cjpeg_table())
                withUnsafeMutableBytes(of: &pair[index].values) {
                    $0.copyBytes(from: values.withUnsafeBytes(Array.init))
                }
            }
            return body(UnsafePointer(pair.baseAddress!))
        }
    }
}
