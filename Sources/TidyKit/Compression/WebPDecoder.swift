internal import CWebP

/// WebP by libwebp; of an animation the first frame, as its viewers show it.
enum WebPDecoder {
    static func picture(_ bytes: [UInt8], _ settings: CompressionSettings) throws(CompressionError) -> SourcePicture {
        var features = WebPBitstreamFeatures()
        guard WebPGetFeatures(bytes, bytes.count, &features) == VP8_STATUS_OK else {
            throw .unsupported("cannot be read: WebP: no picture in the file")
        }
        let isAnimation = features.has_animation != 0
        let hasAlpha = features.has_alpha != 0
        let (width, height) = (Int(features.width), Int(features.height))
        var picture = SourcePicture(width: width, height: height) { (_) throws(CompressionError) in
            let builder = try PlaneBuilder(width: width, height: height)
            if isAnimation {
                try readFirstFrame(bytes, builder)
            } else {
                try read(bytes, builder, hasAlpha: hasAlpha)
            }
            return builder.planes
        }
        // 2 is the lossless format, which stores RGB.
        picture.hasFullChroma = features.format == 2
        picture.metadata.profile = profile(bytes)
        if isAnimation { picture.note = "first frame of an animation" }
        return picture
    }

    private static func read(_ bytes: [UInt8], _ builder: PlaneBuilder, hasAlpha: Bool) throws(CompressionError) {
        let step = hasAlpha ? 4 : 3
        let stride = builder.width * step
        var pixels = [UInt8](repeating: 0, count: stride * builder.height)
        let decoded =
            hasAlpha
            ? WebPDecodeRGBAInto(bytes, bytes.count, &pixels, pixels.count, Int32(stride))
            : WebPDecodeRGBInto(bytes, bytes.count, &pixels, pixels.count, Int32(stride))
        guard decoded != nil else {
            throw .unsupported("cannot be read: WebP: the picture data are cut short or wrong")
        }
        pixels.withUnsafeBufferPointer { pixels in
            for y in 0..<builder.height {
                let row = pixels.baseAddress! + y * stride
                if hasAlpha { builder.setRow(y, rgba: row) } else { builder.setRow(y, pixels: row, step: 3) }
            }
        }
    }

    private static func readFirstFrame(_ bytes: [UInt8], _ builder: PlaneBuilder) throws(CompressionError) {
        try bytes.span.withUnsafeBytes { (raw) throws(CompressionError) in
            var data = WebPData(bytes: raw.baseAddress?.assumingMemoryBound(to: UInt8.self), size: raw.count)
            var options = WebPAnimDecoderOptions()
            guard WebPAnimDecoderOptionsInit(&options) != 0, let decoder = WebPAnimDecoderNew(&data, &options) else {
                throw .unsupported("cannot be read: WebP: not an animation that can be read")
            }
            defer { WebPAnimDecoderDelete(decoder) }
            var canvas: UnsafeMutablePointer<UInt8>?
            var time: Int32 = 0
            guard WebPAnimDecoderGetNext(decoder, &canvas, &time) != 0, let canvas else {
                throw .unsupported("cannot be read: WebP: the first frame cannot be read")
            }
            for y in 0..<builder.height { builder.setRow(y, rgba: canvas + y * 4 * builder.width) }
        }
    }

    /// The ICCP chunk.
    private static func profile(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBytes { raw in
            var data = WebPData(bytes: raw.baseAddress?.assumingMemoryBound(to: UInt8.self), size: raw.count)
            guard let demuxer = WebPDemux(&data) else { return nil }
            defer { WebPDemuxDelete(demuxer) }
            var iterator = WebPChunkIterator()
            guard WebPDemuxGetChunk(demuxer, "ICCP", 1, &iterator) != 0 else { return nil }
            defer { WebPDemuxReleaseChunkIterator(&iterator) }
            return Array(UnsafeBufferPointer(start: iterator.chunk.bytes, count: iterator.chunk.size))
        }
    }
}
