internal import CJPEG

/// One picture at one size: its coefficients, to be quantised and encoded as often as the search needs. Huffman tables
/// are optimised.
struct JPEGEncoder: ~Copyable {
    private let transform: OpaquePointer
    /// Keeps the planes alive, which the transform reads.
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

    /// - Parameter planes: chroma, if any, has the density `chroma`; rows are padded (`Plane.padRows`).
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

    /// The largest picture whose coefficients are worth their memory.
    static let keptPixels = 12_000_000

    /// Smaller pictures are finished before another thread could start.
    private static let sharedPixels = 150_000

    /// The bytes of the stream that `encode` makes, from the symbols of all its scans, within 0.1 %
    /// (`FitModel.streamShare`).
    /// - Parameter share: the rows of the picture divided by those of these planes; 1 unless they are bands of it.
    borrowing func count(quality: Double, share: Double = 1) -> Double {
        var pass = pass(quality)
        pass.scale = share
        pass.keeps_blocks = share == 1
        pass.updates_rates = usesTrellis
        return run(pass)
    }

    /// The same within 4 %, in less time where optimisation is slow: only some rows are optimised, and the saving there
    /// is applied to the rounded count of all rows.
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

    /// One row of MCUs in this many is optimised for an estimate.
    private static let estimatedRows: Int32 = 6

    /// A stream from SOI to EOI without any APP marker; nil if it needs `capacity` bytes or more. After a count at this
    /// quality it contains the blocks that were counted.
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

    /// A pass over all rows that keeps no blocks and updates no rates.
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

    /// Runs the pass and returns its count. If it needs rates and there are none yet, a pass without optimisation sets
    /// them first.
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
        // Parts of one pass write to separate memory.
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
