internal import CJPEG

/// libjpeg-turbo's decoder over bytes in memory.
///
/// YCbCr and gray pictures are decoded to the planes in the file, without a colour round trip; RGB, CMYK and YCCK to
/// pixels, which `PlaneBuilder` turns into planes. A warning of the library means that data were missing or made no
/// sense: it is thrown as `damaged` unless `allowDamaged` is set.
struct JPEGDecoder: ~Copyable {
    struct Header {
        var width: Int
        var height: Int
        var model: Model
        var components: Int
        /// All components have the full density.
        var hasFullChroma: Bool
        var isProgressive: Bool
        var isArithmetic: Bool
        /// The values of the quantisation tables fit a baseline file.
        var hasNarrowTables: Bool
        /// The size of an MCU in pixels (T.81, A.2): one block if there is a single component.
        var unit: (width: Int, height: Int)
        /// The luma quantisation table, in natural order.
        var table: [UInt16]
        /// JFIF: unit 0 (aspect only), 1 (per inch), 2 (per cm); nil without a JFIF marker.
        var density: JPEGFile.Density?
        /// An Adobe marker: CMYK samples are stored inverted.
        var isAdobe: Bool
    }

    enum Model { case gray, ycc, rgb, cmyk, ycck }

    private let owner: Handle
    var handle: OpaquePointer { owner.pointer }
    let header: Header

    /// Frees the C decoder, even if `init` fails half-way.
    private struct Handle: ~Copyable {
        let pointer: OpaquePointer
        deinit { cjpeg_decoder_destroy(pointer) }
    }

    private init(owner: consuming Handle, header: Header) {
        self.owner = owner
        self.header = header
    }

    /// Reads the markers up to the first scan. `bytes` must outlive this value.
    /// - Parameter memory: the limit of the library in bytes; it keeps the coefficients of progressive files.
    static func open(_ bytes: UnsafeRawBufferPointer, memory: Int) throws(PictureError) -> JPEGDecoder {
        var error = cjpeg_error()
        guard
            let handle = cjpeg_decoder_create(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, memory, &error)
        else { throw Self.failure(error) }
        let owner = Handle(pointer: handle)
        var raw = cjpeg_header()
        cjpeg_decoder_get_header(handle, &raw)
        let model: Model
        switch Int(raw.color) {
        case CJPEG_GRAY: model = .gray
        case CJPEG_YCC: model = .ycc
        case CJPEG_RGB: model = .rgb
        case CJPEG_CMYK: model = .cmyk
        case CJPEG_YCCK: model = .ycck
        default: throw .unsupported("JPEG with \(raw.components) components of unknown meaning")
        }
        let sampling = [raw.h.0 * raw.v.0, raw.h.1 * raw.v.1, raw.h.2 * raw.v.2]
        let table = withUnsafeBytes(of: raw.table) { Array($0.bindMemory(to: UInt16.self)) }
        let header = Header(
            width: Int(raw.width), height: Int(raw.height), model: model, components: Int(raw.components),
            hasFullChroma: raw.components < 3 || sampling.allSatisfy { $0 >= sampling[0] },
            isProgressive: raw.progressive, isArithmetic: raw.arithmetic, hasNarrowTables: !raw.wide_tables,
            unit: Self.unit(raw), table: table,
            density: raw.jfif
                ? JPEGFile.Density(
                    unit: UInt8(clamping: raw.density_unit), horizontal: UInt16(clamping: raw.x_density),
                    vertical: UInt16(clamping: raw.y_density)) : nil,
            isAdobe: raw.adobe)
        return JPEGDecoder(owner: owner, header: header)
    }

    private static func unit(_ header: cjpeg_header) -> (width: Int, height: Int) {
        guard header.components > 1 else { return (8, 8) }
        let (h, v) = (header.h, header.v)
        return (8 * Int(max(h.0, h.1, h.2, h.3)), 8 * Int(max(v.0, v.1, v.2, v.3)))
    }

    /// Decodes at 1/`denominator` (1, 2, 4, 8) of the size. Chroma is halved only if the file has planes and their rows
    /// come in pairs. The fill bytes in the remarks may still have any value.
    /// - Parameter profile: the ICC profile of CMYK data; without one the conversion is a simple model of ink.
    consuming func planes(
        _ reduction: SourcePicture.Reduction, profile: [UInt8]?, allowDamaged: Bool
    ) throws(PictureError) -> Planes {
        let form =
            switch header.model {
            case .gray, .ycc: CJPEG_AS_PLANES
            case .rgb: CJPEG_AS_RGB
            case .cmyk, .ycck: CJPEG_AS_CMYK
            }
        var error = cjpeg_error()
        var output = cjpeg_output()
        let denominator = reduction.denominator
        guard cjpeg_decoder_start(handle, Int32(denominator), Int32(form), &output, &error) == CJPEG_OK else {
            throw Self.failure(error)
        }
        var planes: Planes
        switch header.model {
        case .gray, .ycc: planes = try readPlanes(output, halvesChroma: reduction.halvesChroma)
        case .rgb: planes = try readRGB(output)
        case .cmyk, .ycck: planes = try readCMYK(output, profile: profile)
        }
        for component in planes.components where form != CJPEG_AS_PLANES && denominator > 1 {
            component.plane.restoreDetail()
        }
        guard cjpeg_decoder_finish(handle, &error) == CJPEG_OK else { throw Self.failure(error) }
        if !allowDamaged, cjpeg_decoder_warning_count(handle) > 0 {
            throw .damaged(String(cString: cjpeg_decoder_warning(handle)))
        }
        let left = cjpeg_decoder_leftovers(handle)
        planes.remarks.leftovers = JPEGLeftovers(
            strayBytes: left.bytes_between_segments, fillBytes: left.bytes_after_scan, lacksEnd: left.lacks_eoi)
        return planes
    }

    private borrowing func readPlanes(
        _ output: cjpeg_output, halvesChroma: Bool
    ) throws(PictureError) -> Planes {
        let widths = [output.plane_width.0, output.plane_width.1, output.plane_width.2]
        let heights = [output.plane_height.0, output.plane_height.1, output.plane_height.2]
        let bufferWidths = [output.buffer_width.0, output.buffer_width.1, output.buffer_width.2]
        let bufferHeights = [output.buffer_height.0, output.buffer_height.1, output.buffer_height.2]
        let coveredWidths = [output.covered_width.0, output.covered_width.1, output.covered_width.2]
        let coveredHeights = [output.covered_height.0, output.covered_height.1, output.covered_height.2]
        let canBeHalved = [false, output.can_be_halved.1, output.can_be_halved.2]
        var components: [Planes.Component] = []
        for index in 0..<header.components {
            var (width, height) = (Int(widths[index]), Int(heights[index]))
            var buffer = (width: Int(bufferWidths[index]), height: Int(bufferHeights[index]))
            var scale = 1.0
            if halvesChroma, canBeHalved[index] {
                (width, height) = ((width + 1) / 2, (height + 1) / 2)
                buffer = (width, height)
                scale = 0.5
            }
            let plane = try Plane(
                width: width, height: height, bufferWidth: buffer.width, bufferHeight: buffer.height)
            components.append(
                Planes.Component(
                    plane, coveredWidth: coveredWidths[index] * scale, coveredHeight: coveredHeights[index] * scale))
        }
        var targets = cjpeg_planes()
        targets.data.0 = components[0].plane.data
        targets.stride.0 = components[0].plane.stride
        if components.count == 3 {
            targets.data.1 = components[1].plane.data
            targets.stride.1 = components[1].plane.stride
            targets.data.2 = components[2].plane.data
            targets.stride.2 = components[2].plane.stride
        }
        var error = cjpeg_error()
        guard cjpeg_decoder_read_planes(handle, &targets, halvesChroma, &error) == CJPEG_OK else {
            throw Self.failure(error)
        }
        let isReduced = [output.is_reduced.0, output.is_reduced.1, output.is_reduced.2]
        for (index, component) in components.enumerated() {
            guard isReduced[index] || halvesChroma && canBeHalved[index] else { continue }
            component.plane.restoreDetail()
        }
        return Planes(width: Int(output.width), height: Int(output.height), components: components)
    }

    private borrowing func readRGB(_ output: cjpeg_output) throws(PictureError) -> Planes {
        let builder = try PlaneBuilder(width: Int(output.width), height: Int(output.height))
        var row = [UInt8](repeating: 0, count: builder.width * 3)
        for y in 0..<builder.height {
            try readRow(&row)
            builder.setRow(y, rgb: row)
        }
        return builder.planes
    }

    private borrowing func readCMYK(
        _ output: cjpeg_output, profile: [UInt8]?
    ) throws(PictureError) -> Planes {
        let builder = try PlaneBuilder(width: Int(output.width), height: Int(output.height))
        let converter = CMYKConversion(profile: profile, isInverted: header.isAdobe)
        var row = [UInt8](repeating: 0, count: builder.width * 4)
        var rgb = [UInt8](repeating: 0, count: builder.width * 3)
        for y in 0..<builder.height {
            try readRow(&row)
            converter.convert(row, to: &rgb)
            builder.setRow(y, rgb: rgb)
        }
        return builder.planes
    }

    private borrowing func readRow(_ row: inout [UInt8]) throws(PictureError) {
        var error = cjpeg_error()
        guard cjpeg_decoder_read_rows(handle, &row, row.count, 1, &error) == CJPEG_OK else {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: cjpeg_error) -> PictureError {
        let bytes = withUnsafeBytes(of: error.message) { Array($0.prefix { $0 != 0 }) }
        let text = String(decoding: bytes, as: UTF8.self)
        switch Int(error.code) {
        case CJPEG_NO_MEMORY: return .unsupported("needs more memory than the budget allows (\(text)); raise --memory")
        // 12-bit, lossless and hierarchical files are sound. A marker that is not in the standard is damage.
        default:
            let isUnknown = text.hasPrefix("Unsupported") && !text.hasPrefix("Unsupported marker")
            return isUnknown ? .unsupported(text) : .damaged(text)
        }
    }
}

extension Plane {
    /// Restores the detail that a scaled decode weakens.
    fileprivate func restoreDetail() { cjpeg_restore_detail(data, stride, Int32(width), Int32(height)) }
}
