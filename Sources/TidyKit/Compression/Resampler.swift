internal import CZimg
internal import Glibc

/// Lanczos resizing by zimg, one plane a graph: samples are taken as they are (full range, no transfer curve), since
/// each plane is resized on its own.
enum Resampler {
    /// Taps of the Lanczos kernel on each side.
    private static let taps = 3.0

    /// All planes at `width` x `height`, chroma at that divided by `chroma`.
    static func resize(
        _ source: Planes, width: Int, height: Int, chroma: Planes.Chroma
    ) throws(CompressionError) -> Planes {
        var components: [Planes.Component] = []
        for (index, component) in source.components.enumerated() {
            let horizontal = index == 0 ? 1 : chroma.horizontal
            let vertical = index == 0 ? 1 : chroma.vertical
            let plane = try resize(
                component, width: (width + horizontal - 1) / horizontal, height: (height + vertical - 1) / vertical)
            components.append(Planes.Component(plane))
        }
        return Planes(width: width, height: height, components: components)
    }

    /// The covered part of one plane at a new size. A plane that has this size already is handed on, not copied.
    static func resize(_ source: Planes.Component, width: Int, height: Int) throws(CompressionError) -> Plane {
        let plane = source.plane
        if plane.width == width, plane.height == height { return plane }
        let target = try Plane(width: width, height: height)
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
        if source.coveredWidth < Double(plane.width) || source.coveredHeight < Double(plane.height) {
            from.active_region.left = 0
            from.active_region.top = 0
            from.active_region.width = source.coveredWidth
            from.active_region.height = source.coveredHeight
        }
        var parameters = zimg_graph_builder_params()
        zimg_graph_builder_params_default(&parameters, version)
        parameters.resample_filter = ZIMG_RESIZE_LANCZOS
        parameters.filter_param_a = taps
        guard let graph = zimg_filter_graph_build(&from, &to, &parameters) else { throw failure() }
        defer { zimg_filter_graph_free(graph) }
        var size = 0
        guard zimg_filter_graph_get_tmp_size(graph, &size) == ZIMG_ERROR_SUCCESS else { throw failure() }
        var scratch: UnsafeMutableRawPointer?
        guard posix_memalign(&scratch, 64, max(size, 64)) == 0 else { throw .needsMemory(Int64(size), limit: 0) }
        defer { free(scratch) }
        var input = czimg_source(plane.data, plane.stride)
        var output = czimg_destination(target.data, target.stride)
        guard zimg_filter_graph_process(graph, &input, &output, scratch, nil, nil, nil, nil) == ZIMG_ERROR_SUCCESS
        else { throw failure() }
        return target
    }

    private static func failure() -> CompressionError {
        var text = [CChar](repeating: 0, count: 200)
        zimg_get_last_error(&text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return .unsupported("zimg: " + String(decoding: bytes, as: UTF8.self))
    }
}
