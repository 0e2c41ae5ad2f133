internal import CZimg
internal import Glibc

/// Lanczos resizing by zimg, one plane a graph: samples are taken as they are (full range, no transfer curve), since
/// each plane is resized on its own.
enum Resampler {
    /// Taps of the Lanczos kernel on each side.
    private static let taps = 3.0

    /// All planes at `width` x `height`, chroma at that divided by `chroma` and rounded up.
    /// - Parameter orientation: how the picture will be turned after this. Where a size is odd, the last sample of chroma
    ///   stands half outside the picture, at the right and at the bottom as they will be then.
    static func resize(
        _ source: Planes, width: Int, height: Int, chroma: Planes.Chroma, turning orientation: Orientation = .upright
    ) throws(CompressionError) -> Planes {
        var planes = try resize([source.components[0]], width: width, height: height, span: Span())
        let (columns, rows) = (
            (width + chroma.horizontal - 1) / chroma.horizontal, (height + chroma.vertical - 1) / chroma.vertical
        )
        let span = Span(
            width: Double(columns * chroma.horizontal) / Double(width),
            height: Double(rows * chroma.vertical) / Double(height), fromRight: orientation.reversesColumns,
            fromBottom: orientation.reversesRows)
        planes += try resize(Array(source.components.dropFirst()), width: columns, height: rows, span: span)
        return Planes(width: width, height: height, components: planes.map { Planes.Component($0) })
    }

    /// How much of the picture a plane stands for, where it reaches beyond its edge, and past which edge.
    private struct Span {
        var width = 1.0
        var height = 1.0
        var fromRight = false
        var fromBottom = false
    }

    /// The covered part of one plane at a new size.
    static func resize(_ source: Planes.Component, width: Int, height: Int) throws(CompressionError) -> Plane {
        try resize([source], width: width, height: height, span: Span())[0]
    }

    /// The covered parts of planes at a new size; planes of one shape share the kernel. A plane that has this size
    /// already is handed on, not copied.
    private static func resize(
        _ sources: [Planes.Component], width: Int, height: Int, span: Span
    ) throws(CompressionError) -> [Plane] {
        var planes: [Plane] = []
        var graph: Graph?
        for source in sources {
            let isShifted = span.fromRight && span.width > 1 || span.fromBottom && span.height > 1
            if source.plane.width == width, source.plane.height == height, !isShifted {
                planes.append(source.plane)
                continue
            }
            if graph?.fits(source) != true { graph = try Graph(source, width: width, height: height, span: span) }
            let target = try Plane(width: width, height: height)
            try graph?.run(source.plane, target)
            planes.append(target)
        }
        return planes
    }

    /// zimg's filter graph from one shape of plane to another.
    private final class Graph {
        private let handle: OpaquePointer
        private let scratch: UnsafeMutableRawPointer
        private let width: Int
        private let height: Int
        private let covered: (Double, Double)

        init(_ source: Planes.Component, width: Int, height: Int, span: Span) throws(CompressionError) {
            let plane = source.plane
            self.width = plane.width
            self.height = plane.height
            covered = (source.coveredWidth, source.coveredHeight)
            let version = czimg_api_version()
            var from = zimg_image_format()
            zimg_image_format_default(&from, version)
            from.width = UInt32(plane.width)
            from.height = UInt32(plane.height)
            from.pixel_type = ZIMG_PIXEL_BYTE
            from.pixel_range = ZIMG_RANGE_FULL
            from.color_family = ZIMG_COLOR_GREY
            var to = from
            to.width = UInt32(width)
            to.height = UInt32(height)
            let (wide, high) = (source.coveredWidth * span.width, source.coveredHeight * span.height)
            from.active_region.left = span.fromRight ? source.coveredWidth - wide : 0
            from.active_region.top = span.fromBottom ? source.coveredHeight - high : 0
            from.active_region.width = wide
            from.active_region.height = high
            var parameters = zimg_graph_builder_params()
            zimg_graph_builder_params_default(&parameters, version)
            parameters.resample_filter = ZIMG_RESIZE_LANCZOS
            parameters.filter_param_a = taps
            guard let handle = zimg_filter_graph_build(&from, &to, &parameters) else { throw failure() }
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

        func fits(_ source: Planes.Component) -> Bool {
            source.plane.width == width && source.plane.height == height
                && (source.coveredWidth, source.coveredHeight) == covered
        }

        func run(_ source: Plane, _ target: Plane) throws(CompressionError) {
            var input = czimg_source(source.data, source.stride)
            var output = czimg_destination(target.data, target.stride)
            guard
                zimg_filter_graph_process(handle, &input, &output, scratch, nil, nil, nil, nil) == ZIMG_ERROR_SUCCESS
            else { throw failure() }
        }
    }

    private static func failure() -> CompressionError {
        var text = [CChar](repeating: 0, count: 200)
        zimg_get_last_error(&text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return .unsupported("zimg: " + String(decoding: bytes, as: UTF8.self))
    }
}
