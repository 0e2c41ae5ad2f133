/// The decoded samples of a picture, with all that decides how they are shown: size, depth, profile, alpha. Files of
/// several pictures have none (of GIF, all frames count), and neither have damaged ones. The orientation is not in it.
package enum DecodedSamples {
    /// More than any camera or scanner makes; a larger picture is not decoded.
    static let maximumBytes = 1 << 30

    /// Nil where the file is damaged, or holds more than one picture.
    /// - Parameter options: `memory` is what was reserved for the picture.
    package static func digest(
        of file: [UInt8], _ format: MediaFormat, _ options: DecodingOptions
    ) throws(PictureError) -> [UInt8]? {
        var digest = PictureDigest(format)
        guard file.withView({ AttachedData.add(from: $0, format, to: &digest) }) else { return nil }
        let isWhole =
            switch format {
            case .png: try file.withView { (view) throws(PictureError) in try PNGDecoder.samples(view, &digest) }
            case .heic, .avif: try HEIFDecoder.samples(file, options, &digest)
            case .webp:
                try file.withView { (view) throws(PictureError) in try WebPDecoder.samples(view, options, &digest) }
            case .gif:
                try file.withView { (view) throws(PictureError) in try GIFDecoder.samples(view, options, &digest) }
            case .tiff: try TIFFDecoder.samples(file, options, &digest)
            default: false
            }
        return isWhole ? digest.finish() : nil
    }

    /// The memory that a decoder needs for a picture, in bytes, without the file itself.
    static func memory(_ format: MediaFormat, pixels: Int) -> Int64 {
        // More than that, the decoder does not take.
        if format == .tiff, pixels <= maximumBytes { return Int64(TIFFDecoder.partBytes(pixels)) }
        let each: Int64 =
            switch format {
            // libaom keeps frames of its own, and libheif a second set of planes while it turns them.
            case .heic, .avif: 24
            default: 8
            }
        return Int64(pixels).multipliedReportingOverflow(by: each).overflow ? .max : Int64(pixels) * each
    }

    /// Whether other coded data of the same samples may exist: always where coding loses nothing; of HEIC, AVIF and
    /// WebP only where a file is large enough to be lossless, as decoding all pictures of one camera takes hours.
    static func mayRepeat(_ format: MediaFormat, bytes: Int64, pixels: Int) -> Bool {
        switch format {
        case .heic, .avif, .webp: bytes >= Int64(pixels / 4)
        default: true
        }
    }
}
