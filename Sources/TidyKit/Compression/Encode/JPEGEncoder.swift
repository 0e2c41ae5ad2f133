internal import CJPEG

/// One picture at one size on its way to a JPEG stream: its planes after the DCT, to be quantised and encoded as often
/// as the search needs. Huffman tables are optimised.
struct JPEGEncoder: ~Copyable {
    private let transform: OpaquePointer
    /// The transform reads them.
    private let planes: Planes
    private let effort: CompressionSettings.Effort
    private let workers: IdleWorkers
    private var usesTrellis: Bool { effort == .best }

    /// What an encoder may use. The stream does not depend on it.
    struct Resources {
        /// Threads that may help.
        var workers = IdleWorkers()
        /// Larger pictures compute their DCT in each pass instead of keeping it.
        var keptPixels = JPEGEncoder.keptPixels
    }

    deinit { cjpeg_transform_destroy(transform) }

    /// - Parameter planes: chroma, where there is any, in the density `chroma`; rows padded (`Plane.padRows`).
    /// - Parameter effort: `best` quantises with rate-distortion optimisation.
    init(
        _ planes: Planes, chroma: Planes.Chroma, isProgressive: Bool, effort: CompressionSettings.Effort,
        resources: Resources = Resources()
    ) throws(PictureError) {
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
        let keeps = planes.width * planes.height <= resources.keptPixels
        guard let transform = cjpeg_transform_create(&picture, keeps) else {
            throw .needsMemory(Int64(planes.width * planes.height * 3), limit: 0)
        }
        self.transform = transform
        self.planes = planes
        self.effort = effort
        workers = resources.workers
    }

    /// Up to here time counts for more than memory.
    static let keptPixels = 12_000_000

    /// Smaller pictures are done before another thread is there.
    private static let sharedPixels = 150_000

    /// The bytes of the stream that `encode` makes, but for 0.1 % of chance (`FitModel.streamShare`), from the symbols of
    /// all its scans.
    /// - Parameter share: how many times as many rows the picture has that these planes are a sample of; 1 where they
    ///   are the picture.
    borrowing func count(quality: Double, share: Double = 1) -> Double {
        var pass = pass(quality)
        pass.scale = share
        pass.keeps_blocks = share == 1
        pass.updates_rates = usesTrellis
        return run(pass)
    }

    /// About as many bytes, for less time where optimisation takes much of it: that is done to a part of the blocks, and
    /// what it spares there is taken off what all of them take by rounding. Within 4 %.
    borrowing func estimate(quality: Double) -> Double {
        var plain = pass(quality)
        plain.uses_trellis = false
        plain.updates_rates = true
        let all = run(plain)
        plain.updates_rates = false
        plain.mcu_row_step = Self.estimatedRows
        var optimized = pass(quality)
        optimized.mcu_row_step = Self.estimatedRows
        return all * run(optimized) / run(plain)
    }

    /// One row of MCUs in this many is optimised for a sample.
    private static let estimatedRows: Int32 = 6

    /// A stream from SOI to EOI without any APP marker; nil where it needs `capacity` bytes or more. After a count at
    /// this quality it is made of the very blocks that were counted.
    borrowing func encode(quality: Double, capacity: Int) throws(PictureError) -> [UInt8]? {
        var pass = pass(quality)
        pass.keeps_blocks = true
        if !cjpeg_transform_has_blocks_for(transform, &pass) { _ = run(pass) }
        var error = cjpeg_error()
        var code = Int32(CJPEG_OK)
        let stream = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var output = cjpeg_buffer(bytes: buffer.baseAddress, capacity: capacity, count: 0)
            code = cjpeg_transform_write(transform, &output, &error)
            count = output.count
        }
        switch Int(code) {
        case CJPEG_OK: return stream
        case CJPEG_TOO_LONG: return nil
        default:
            let text = withUnsafeBytes(of: error.message) { Array($0.prefix { $0 != 0 }) }
            throw .unsupported("encoder: " + String(decoding: text, as: UTF8.self))
        }
    }

    /// A pass over all rows that learns and keeps nothing.
    private borrowing func pass(_ quality: Double) -> cjpeg_pass {
        let tables = QuantizationTables(quality: quality, effort: effort)
        var pass = cjpeg_pass()
        for (table, values) in [(\cjpeg_pass.tables.0, tables.luma), (\.tables.1, tables.chroma)] {
            withUnsafeMutableBytes(of: &pass[keyPath: table].values) {
                $0.copyBytes(from: values.withUnsafeBytes(Array.init))
            }
        }
        pass.uses_trellis = usesTrellis
        pass.mcu_row_step = 1
        pass.scale = 1
        return pass
    }

    /// What the pass counts. Before the first one that optimises, another one learns what symbols cost.
    private borrowing func run(_ pass: cjpeg_pass) -> Double {
        if pass.uses_trellis, !cjpeg_transform_has_rates(transform) {
            var first = pass
            first.uses_trellis = false
            first.keeps_blocks = false
            first.updates_rates = true
            _ = run(first)
        }
        var pass = pass
        cjpeg_transform_begin(transform, &pass)
        // Parts of one pass share nothing that they write.
        nonisolated(unsafe) let transform = transform
        let parts = Int(cjpeg_transform_part_count(transform))
        if planes.width * planes.height < Self.sharedPixels {
            for part in 0..<parts { cjpeg_transform_run_part(transform, Int32(part)) }
        } else {
            _ = workers.map(parts) { cjpeg_transform_run_part(transform, Int32($0)) }
        }
        return cjpeg_transform_end(transform)
    }
}
