internal import CSPNG

/// PNG by libspng: any depth and colour type, palettes, transparency over white.
enum PNGDecoder {
    static func picture(_ bytes: [UInt8], _ settings: CompressionSettings) throws(CompressionError) -> SourcePicture {
        let (header, profile) = try open(bytes, properties)
        var picture = SourcePicture(width: Int(header.width), height: Int(header.height)) {
            (_) throws(CompressionError) in
            try open(bytes) { (context) throws(CompressionError) in
                try planes(context, allowDamaged: settings.allowsDamaged)
            }
        }
        picture.metadata.profile = profile
        picture.isGray = isGray(header)
        return picture
    }

    /// A libspng context over bytes in memory, which it reads once.
    private static func open<Result>(
        _ bytes: [UInt8], _ body: (OpaquePointer) throws(CompressionError) -> Result
    ) throws(CompressionError) -> Result {
        try bytes.span.withUnsafeBytes { (raw) throws(CompressionError) in
            guard let context = spng_ctx_new(0) else { throw .needsMemory(0, limit: 0) }
            defer { spng_ctx_free(context) }
            // A compressed profile or text may claim to be as large as it likes.
            spng_set_chunk_limits(context, 64 << 20, 64 << 20)
            try check(spng_set_png_buffer(context, raw.baseAddress, raw.count))
            return try body(context)
        }
    }

    private static func properties(
        _ context: OpaquePointer
    ) throws(CompressionError) -> (header: spng_ihdr, profile: [UInt8]?) {
        (try header(context), profile(context))
    }

    private static func header(_ context: OpaquePointer) throws(CompressionError) -> spng_ihdr {
        var header = spng_ihdr()
        try check(spng_get_ihdr(context, &header))
        return header
    }

    private static func isGray(_ header: spng_ihdr) -> Bool {
        Int(header.color_type) == Int(SPNG_COLOR_TYPE_GRAYSCALE.rawValue)
            || Int(header.color_type) == Int(SPNG_COLOR_TYPE_GRAYSCALE_ALPHA.rawValue)
    }

    private static func profile(_ context: OpaquePointer) -> [UInt8]? {
        var chunk = spng_iccp()
        guard spng_get_iccp(context, &chunk) == 0, let data = chunk.profile else { return nil }
        return Array(UnsafeRawBufferPointer(start: data, count: chunk.profile_len))
    }

    private static func planes(_ context: OpaquePointer, allowDamaged: Bool) throws(CompressionError) -> Planes {
        let header = try header(context)
        var transparency = spng_trns()
        let hasAlpha = header.color_type & 4 != 0 || spng_get_trns(context, &transparency) == 0
        let format = Int32((hasAlpha ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8).rawValue)
        let builder = try PlaneBuilder(
            width: Int(header.width), height: Int(header.height), isGray: isGray(header))
        func set(_ y: Int, _ row: UnsafePointer<UInt8>) {
            if hasAlpha { builder.setRow(y, rgba: row) } else { builder.setRow(y, pixels: row, step: 3) }
        }
        let flags = Int32((hasAlpha ? SPNG_DECODE_TRNS.rawValue : 0) | gammaFlag(context))
        let rowLength = builder.width * (hasAlpha ? 4 : 3)
        if header.interlace_method != 0 {
            var all = [UInt8](repeating: 255, count: rowLength * builder.height)
            let code = spng_decode_image(context, &all, all.count, format, flags)
            if code != 0, !allowDamaged { try check(code) }
            all.withUnsafeBufferPointer { pixels in
                for y in 0..<builder.height { set(y, pixels.baseAddress! + y * rowLength) }
            }
            return builder.planes
        }
        let progressive = flags | Int32(SPNG_DECODE_PROGRESSIVE.rawValue)
        try check(spng_decode_image(context, nil, 0, format, progressive))
        var row = [UInt8](repeating: 0, count: rowLength)
        for y in 0..<builder.height {
            let code = spng_decode_row(context, &row, row.count)
            if code != 0, code != Int32(SPNG_EOI.rawValue) {
                guard allowDamaged, y > 0 else { throw failure(code) }
                builder.clearRows(from: y)
                return builder.planes
            }
            row.withUnsafeBufferPointer { set(y, $0.baseAddress!) }
        }
        return builder.planes
    }

    /// A file that tells only its gamma is brought to that of sRGB; a profile or an sRGB chunk counts more.
    private static func gammaFlag(_ context: OpaquePointer) -> UInt32 {
        var gamma = 0.0
        var profile = spng_iccp()
        var intent: UInt8 = 0
        guard spng_get_gama(context, &gamma) == 0, abs(gamma - 1 / 2.2) > 0.02,
            spng_get_iccp(context, &profile) != 0, spng_get_srgb(context, &intent) != 0
        else { return 0 }
        return SPNG_DECODE_GAMMA.rawValue
    }

    private static func check(_ code: Int32) throws(CompressionError) {
        if code != 0 { throw failure(code) }
    }

    private static func failure(_ code: Int32) -> CompressionError {
        .damaged("PNG: " + String(cString: spng_strerror(code)))
    }
}
