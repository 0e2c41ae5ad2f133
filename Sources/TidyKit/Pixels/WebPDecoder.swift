internal import CWebP

/// Decodes WebP with libwebp: lossy pictures to their planes, others to pixels.
enum WebPDecoder {
    /// What the container says (WebP container specification).
    private struct Header {
        var width = 0
        var height = 0
        var isAnimation = false
        var isLossless = false
        var hasAlpha = false
        var profile: [UInt8]?
        /// The chunks of the picture or of the first frame.
        var data: Range<Int>?
    }

    static func picture(
        _ bytes: [UInt8], _ options: DecodingOptions
    ) throws(PictureError) -> SourcePicture {
        let header = try bytes.withView { (view) throws(PictureError) in
            try readHeader(view, allowsDamaged: options.allowsDamaged)
        }
        try options.checkSize(header.width, header.height)
        var picture = SourcePicture(width: header.width, height: header.height) { (_) throws(PictureError) in
            try bytes.withView { (view) throws(PictureError) in
                let allowsDamaged = options.allowsDamaged
                if header.isAnimation { return try firstFrame(view, header, allowsDamaged) }
                return header.isLossless
                    ? try lossless(view, header, allowsDamaged) : try lossy(view, header, allowsDamaged)
            }
        }
        picture.metadata.profile = header.profile
        picture.hasFullChroma = header.isLossless || header.isAnimation
        let pixels = header.width * header.height
        // The pixels and libwebp's own copy; an animation has two canvases and a frame.
        picture.decoderBytes = header.isAnimation ? 12 * pixels : header.isLossless ? 8 * pixels : 1 << 20
        if !picture.hasFullChroma, header.hasAlpha { picture.decoderBytes += 2 * pixels }
        if header.isAnimation { picture.notes.append("first frame of an animation") }
        return picture
    }

    private static func readHeader(_ bytes: ByteView, allowsDamaged: Bool) throws(PictureError) -> Header {
        var data = WebPData(bytes: bytes.start, size: bytes.count)
        var state = WEBP_DEMUX_PARSE_ERROR
        guard let demuxer = allowsDamaged ? WebPDemuxPartial(&data, &state) : WebPDemux(&data) else {
            throw .damaged("the WebP file ends early or contradicts itself")
        }
        defer { WebPDemuxDelete(demuxer) }
        var header = Header()
        header.width = Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH))
        header.height = Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT))
        let flags = WebPDemuxGetI(demuxer, WEBP_FF_FORMAT_FLAGS)
        header.isAnimation = flags & ANIMATION_FLAG.rawValue != 0
        if !header.isAnimation {
            var features = WebPBitstreamFeatures()
            guard WebPGetFeatures(bytes.start, bytes.count, &features) == VP8_STATUS_OK else {
                throw .damaged("the WebP picture's header")
            }
            header.isLossless = features.format == 2
            header.hasAlpha = features.has_alpha != 0
            (header.width, header.height) = (Int(features.width), Int(features.height))
        }
        var frame = WebPIterator()
        if WebPDemuxGetFrame(demuxer, 1, &frame) != 0, let file = bytes.start, let start = frame.fragment.bytes {
            header.data = (start - file)..<(start - file + frame.fragment.size)
        }
        WebPDemuxReleaseIterator(&frame)
        header.profile = chunk("ICCP", demuxer).flatMap { ICCProfile.checked($0, isGray: false) }
        return header
    }

    private static func chunk(_ name: StaticString, _ demuxer: OpaquePointer) -> [UInt8]? {
        var iterator = WebPChunkIterator()
        let found = name.utf8Start.withMemoryRebound(to: CChar.self, capacity: 4) {
            WebPDemuxGetChunk(demuxer, $0, 1, &iterator)
        }
        guard found != 0 else { return nil }
        defer { WebPDemuxReleaseChunkIterator(&iterator) }
        return Array(UnsafeBufferPointer(start: iterator.chunk.bytes, count: iterator.chunk.size))
    }

    /// Adds all pixels as RGBA, behind size and profile. False for animations; throws for damaged files.
    static func samples(
        _ bytes: ByteView, _ options: DecodingOptions, _ digest: inout PictureDigest
    ) throws(PictureError) -> Bool {
        let header = try readHeader(bytes, allowsDamaged: false)
        try options.checkSize(header.width, header.height)
        guard !header.isAnimation else { return false }
        for number in [header.width, header.height, header.hasAlpha ? 1 : 0] { digest.add(number) }
        digest.add(header.profile ?? [])
        let pixels = try pixels(bytes, header, allowsDamaged: false).buffer
        for y in 0..<header.height {
            digest.add(UnsafeRawBufferPointer(start: pixels.row(y), count: 4 * header.width))
        }
        return true
    }

    // MARK: - Pixels

    /// Y, Cb and Cr as VP8 keeps them (RFC 6386, section 9.2: BT.601, 16…235 and 16…240), spread to the full range.
    private static func lossy(
        _ bytes: ByteView, _ header: Header, _ allowsDamaged: Bool
    ) throws(PictureError) -> Planes {
        let (width, height) = (header.width, header.height)
        let luma = try Plane(width: width, height: height)
        let blue = try Plane(width: (width + 1) / 2, height: (height + 1) / 2)
        let red = try Plane(width: (width + 1) / 2, height: (height + 1) / 2)
        let alpha = header.hasAlpha ? try Plane(width: width, height: height) : nil
        luma.fill(235)
        blue.fill(128)
        red.fill(128)
        alpha?.fill(255)
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { throw .unsupported("another version of libwebp") }
        config.output.colorspace = alpha == nil ? MODE_YUV : MODE_YUVA
        config.output.is_external_memory = 1
        var buffer = WebPYUVABuffer()
        (buffer.y, buffer.y_stride, buffer.y_size) = luma.webpBuffer
        (buffer.u, buffer.u_stride, buffer.u_size) = blue.webpBuffer
        (buffer.v, buffer.v_stride, buffer.v_size) = red.webpBuffer
        if let alpha { (buffer.a, buffer.a_stride, buffer.a_size) = alpha.webpBuffer }
        config.output.u.YUVA = buffer
        try decode(bytes, header.data, &config, allowsDamaged)
        luma.map { min(255, max(0, ((Int($0) - 16) * 510 + 219) / 438)) }
        for plane in [blue, red] {
            plane.map { value in
                let scaled = Double(Int(value) - 128) * 255 / 224
                return min(255, max(0, 128 + Int(scaled.rounded())))
            }
        }
        var planes = Planes(width: width, height: height, components: [Planes.Component(luma)])
        for plane in [blue, red] {
            planes.components.append(
                Planes.Component(plane, coveredWidth: Double(width) / 2, coveredHeight: Double(height) / 2))
        }
        if let alpha { planes.layOnWhite(alpha) }
        return planes
    }

    private static func lossless(
        _ bytes: ByteView, _ header: Header, _ allowsDamaged: Bool
    ) throws(PictureError) -> Planes {
        let rows = try PixelRows(
            width: header.width, height: header.height, isGray: false, hasAlpha: header.hasAlpha)
        let (buffer, complete) = try pixels(bytes, header, allowsDamaged: allowsDamaged)
        for y in 0..<complete {
            rows.set(y, rgba: UnsafePointer(buffer.row(y).assumingMemoryBound(to: UInt8.self)))
        }
        rows.clearRows(from: complete)
        return rows.planes
    }

    /// As RGBA, and the number of complete rows.
    private static func pixels(
        _ bytes: ByteView, _ header: Header, allowsDamaged: Bool
    ) throws(PictureError) -> (buffer: RowBuffer, rows: Int) {
        let buffer = try RowBuffer(rows: header.height, rowBytes: 4 * header.width)
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { throw .unsupported("another version of libwebp") }
        config.output.colorspace = MODE_RGBA
        config.output.is_external_memory = 1
        config.output.u.RGBA = WebPRGBABuffer(
            rgba: buffer.row(0).assumingMemoryBound(to: UInt8.self), stride: Int32(buffer.rowBytes),
            size: buffer.rowBytes * header.height)
        return (buffer, try decode(bytes, header.data, &config, allowsDamaged))
    }

    /// WebP has no checksums, and libwebp decodes most damaged data to noise. Damage changes how many bytes the decoder
    /// consumes, though. Too many is an error of libwebp; to detect too few, it first gets all but the last bytes, and
    /// must not finish with those. Encoders add at most 4 bytes after the last pixel.
    private static let needed = 8

    /// - Parameter data: the range of the picture's chunks in `bytes`.
    /// - Returns: the number of complete rows.
    @discardableResult private static func decode(
        _ bytes: ByteView, _ data: Range<Int>?, _ config: inout WebPDecoderConfig, _ allowsDamaged: Bool
    ) throws(PictureError) -> Int {
        guard let decoder = WebPIDecode(nil, 0, &config) else { throw .needsMemory(0, limit: 0) }
        defer { WebPIDelete(decoder) }
        if !allowsDamaged, let data, data.count > needed,
            WebPIUpdate(decoder, bytes.start, data.upperBound - needed) == VP8_STATUS_OK
        {
            throw .damaged("the WebP picture's data do not end with its last pixel")
        }
        // Without the chunks that follow, such as metadata: they would be decoded as pixels.
        let end = allowsDamaged ? bytes.count : data?.upperBound ?? bytes.count
        let status = WebPIUpdate(decoder, bytes.start, end)
        var lastRow: Int32 = 0
        var (width, height): (Int32, Int32) = (0, 0)
        _ = WebPIDecodedArea(decoder, nil, nil, &width, &height)
        lastRow = height
        switch status {
        case VP8_STATUS_OK: return Int(lastRow)
        case VP8_STATUS_OUT_OF_MEMORY: throw .needsMemory(0, limit: 0)
        case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA:
            guard allowsDamaged, lastRow > 0 else { throw .damaged("the WebP picture's data end early") }
        case VP8_STATUS_UNSUPPORTED_FEATURE: throw .unsupported("WebP with a feature that libwebp does not know")
        default:
            guard allowsDamaged, lastRow > 0 else { throw .damaged("the WebP picture's data contradict themselves") }
        }
        return Int(lastRow)
    }

    private static func firstFrame(
        _ bytes: ByteView, _ header: Header, _ allowsDamaged: Bool
    ) throws(PictureError) -> Planes {
        // The animation decoder does not report how many bytes it consumed, so the frame is decoded twice.
        if !allowsDamaged, let range = header.data, let frame = bytes.slice(range.lowerBound, range.count) {
            var config = WebPDecoderConfig()
            guard WebPInitDecoderConfig(&config) != 0 else { throw .unsupported("another version of libwebp") }
            defer { WebPFreeDecBuffer(&config.output) }
            try decode(frame, 0..<frame.count, &config, false)
        }
        var data = WebPData(bytes: bytes.start, size: bytes.count)
        var options = WebPAnimDecoderOptions()
        guard WebPAnimDecoderOptionsInit(&options) != 0 else { throw .unsupported("another version of libwebp") }
        options.color_mode = MODE_RGBA
        options.use_threads = 0
        var canvas: UnsafeMutablePointer<UInt8>?
        var time: Int32 = 0
        guard let decoder = WebPAnimDecoderNew(&data, &options) else {
            throw .unsupported("cannot be read: the WebP animation is damaged")
        }
        defer { WebPAnimDecoderDelete(decoder) }
        guard WebPAnimDecoderGetNext(decoder, &canvas, &time) != 0, let canvas else {
            throw .unsupported("cannot be read: the first frame of the WebP animation is damaged")
        }
        let rows = try PixelRows(width: header.width, height: header.height, isGray: false, hasAlpha: true)
        for y in 0..<header.height { rows.set(y, rgba: canvas + y * 4 * header.width) }
        return rows.planes
    }
}

extension Plane {
    fileprivate var webpBuffer: (UnsafeMutablePointer<UInt8>, Int32, Int) {
        (data, Int32(stride), stride * (height - 1) + width)
    }
}
