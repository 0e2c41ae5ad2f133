/// The peak memory of compressing one picture, in bytes, known before it is decoded: `--memory` is shared out by it.
///
/// Three moments may be the peak: the decoder with its own memory and the planes that it returns, those planes with the
/// resized ones, and the resized ones with the data of the encoder. The file is in memory throughout. The memory of
/// helping threads (rows in a resampler, symbols of a part) is less than a megabyte each, and ignored.
struct MemoryEstimate {
    let picture: SourcePicture
    let fileBytes: Int
    let settings: CompressionSettings

    /// Per sample: coefficients that libjpeg keeps for progressive files, and the encoder for pictures that are not
    /// large.
    private static let coefficientBytes = 2.0
    /// The mask of nonzero coefficients takes 8 bytes a block, the first three coefficients take 6.
    private static let maskBytes = 14.0 / 64
    /// Per byte of the output: two streams, the best and the current one, and the quantised values (one byte for each 5
    /// to 6 bits of a stream, in memory that grows by halves).
    private static let perOutputByte = 4.0
    /// Bytes per sample; more than a stream takes at the highest quality.
    private static let maximumBytesPerSample = 0.5
    /// The most pixels per byte of the target at the lowest quality, if the source gives no hint.
    private static let calmPixels = 32.0
    /// The expected bytes may be wrong by this factor.
    private static let doubt = 1.5

    var bytes: Int64 {
        let pixels = Double(picture.width) * Double(picture.height)
        let final = finalPixels(pixels)
        let edge = Int((Double(max(picture.width, picture.height)) * (final / pixels).squareRoot()).rounded(.up))
        let denominator = Double(picture.denominator(forEdge: edge))
        let reduced = pixels / denominator / denominator
        let decoded = reduced * samples
        let coefficients = picture.isProgressive ? Self.coefficientBytes * pixels * samples : 0
        // Planes that already have the final size are not copied, unless another size may follow.
        let resized = final < 0.99 * reduced || mayBeScaled ? min(final, 0.99 * reduced) * samples : 0
        let turned = picture.orientation == .upright ? 0 : final * samples
        let isLarge = final > Double(JPEGEncoder.keptPixels)
        let isGivenUp = picture.decodesScaled && !picture.isProgressive && reduced > Double(JPEGEncoder.keptPixels)
        let kept = isGivenUp ? 0 : decoded
        let planes = max(final * samples, resized)
        let output = min(Double(settings.maximumBytes), planes * Self.maximumBytesPerSample)
        // The memory of the bands stays in the heap, in pieces too small for planes.
        let bands = resized / Double(FitStages.bandStep) * (1 + Self.maskBytes + Self.coefficientBytes)
        let isCopy = resized > 0 || turned > 0 || isGivenUp
        let encoding =
            (isCopy ? kept + planes : kept) + planes * Self.maskBytes
            + (isLarge ? 0 : planes * Self.coefficientBytes) + output * Self.perOutputByte
        // Planes that were not resized are the decoded ones.
        let turning = turned > 0 ? (resized > 0 ? kept + resized + bands : decoded) + turned : 0
        let decoding = Double(picture.decoderBytes) + coefficients + decoded
        let need = Double(fileBytes) + max(decoding, decoded + resized + bands, turning, encoding)
        return Int64(min(need, 1e18))
    }

    private var samples: Double { picture.isGray ? 1 : picture.hasFullChroma ? 3 : 1.5 }

    /// Whether the picture may not fit at its full size.
    private var mayBeScaled: Bool {
        let target = Double(settings.maximumBytes)
        if let expected = picture.expectedBytes?(settings.floorQuality) { return target < Self.doubt * expected }
        return target < Double(picture.width) * Double(picture.height) * samples * Self.maximumBytesPerSample
    }

    /// The pixels of the largest size that is likely to be tried.
    private func finalPixels(_ pixels: Double) -> Double {
        var share = 1.0
        if let edge = settings.maximumEdge {
            let scale = min(1, Double(edge) / Double(max(picture.width, picture.height)))
            share = scale * scale
        }
        let target = Double(settings.maximumBytes)
        if let expected = picture.expectedBytes?(settings.floorQuality), expected > 0 {
            share = min(share, Self.doubt * target / expected)
        } else {
            share = min(share, Self.calmPixels * target / pixels)
        }
        let least = Double(settings.minimumEdge * settings.minimumEdge)
        return min(pixels, max(pixels * share, least, 1))
    }
}
