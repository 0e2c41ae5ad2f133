internal import CZimg
internal import Glibc

/// A zimg filter graph that resizes part of a plane, with a Lanczos kernel of three taps on each side. Samples are used
/// as they are: full range, no transfer curve.
final class ResamplingGraph {
    /// The part of the source that is read, and the size of the target, in samples.
    struct Geometry: Equatable {
        /// The samples that may be read.
        var sourceWidth: Int
        var sourceHeight: Int
        /// The part that becomes the target; the kernel extends beyond it.
        var left = 0.0
        var top = 0.0
        var width: Double
        var height: Double
        var targetWidth: Int
        var targetHeight: Int
    }

    /// Taps of the Lanczos kernel on each side.
    static let taps = 3.0

    let geometry: Geometry
    private let handle: OpaquePointer
    private let scratch: UnsafeMutableRawPointer

    init(_ geometry: Geometry) throws(PictureError) {
        self.geometry = geometry
        let version = czimg_api_version()
        var from = zimg_image_format()
        zimg_image_format_default(&from, version)
        from.width = UInt32(geometry.sourceWidth)
        from.height = UInt32(geometry.sourceHeight)
        from.pixel_type = ZIMG_PIXEL_BYTE
        from.pixel_range = ZIMG_RANGE_FULL
        from.color_family = ZIMG_COLOR_GREY
        var to = from
        to.width = UInt32(geometry.targetWidth)
        to.height = UInt32(geometry.targetHeight)
        from.active_region.left = geometry.left
        from.active_region.top = geometry.top
        from.active_region.width = geometry.width
        from.active_region.height = geometry.height
        var parameters = zimg_graph_builder_params()
        zimg_graph_builder_params_default(&parameters, version)
        parameters.resample_filter = ZIMG_RESIZE_LANCZOS
        parameters.filter_param_a = Self.taps
        guard let handle = zimg_filter_graph_build(&from, &to, &parameters) else { throw Self.failure() }
        var size = 0
        var scratch: UnsafeMutableRawPointer?
        guard zimg_filter_graph_get_tmp_size(handle, &size) == ZIMG_ERROR_SUCCESS,
            posix_memalign(&scratch, 64, max(size, 64)) == 0, let scratch
        else {
            zimg_filter_graph_free(handle)
            throw .needsMemory(Int64(size), limit: 0)
        }
        self.handle = handle
        self.scratch = scratch
    }

    deinit {
        free(scratch)
        zimg_filter_graph_free(handle)
    }

    /// - Parameter sourceRow: the row of `source` that the geometry counts from; likewise `targetRow`.
    func run(
        _ source: Plane, fromRow sourceRow: Int = 0, _ target: Plane, toRow targetRow: Int = 0
    ) throws(PictureError) {
        var input = czimg_source(source.row(sourceRow), source.stride)
        var output = czimg_destination(target.row(targetRow), target.stride)
        guard zimg_filter_graph_process(handle, &input, &output, scratch, nil, nil, nil, nil) == ZIMG_ERROR_SUCCESS
        else { throw Self.failure() }
    }

    private static func failure() -> PictureError {
        var text = [CChar](repeating: 0, count: 200)
        zimg_get_last_error(&text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return .unsupported("zimg: " + String(decoding: bytes, as: UTF8.self))
    }
}
