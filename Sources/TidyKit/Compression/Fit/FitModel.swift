internal import Glibc

/// How bytes depend on quality and size, as far as that is known in advance. The exponents are means over photographs
/// of 6 to 24 megapixels.
enum FitModel {
    /// Bytes are proportional to the table factor to the power of minus this.
    static let slope = 0.6
    /// Bytes are proportional to the pixels to this power, at equal quality.
    static let pixelPower = 0.83
    /// The factor of bytes from full to quarter-density chroma.
    static let halfChroma = 0.8

    static func pixelFactor(_ ratio: Double, power: Double = pixelPower) -> Double { pow(ratio, power) }

    /// The ratio of pixels that gives this ratio of bytes.
    static func pixels(for ratio: Double, power: Double) -> Double { pow(ratio, 1 / power) }

    /// The share of the bytes of a trial that its blocks would take if all were flat. Detail follows the powers above;
    /// this share is proportional to the pixels and does not depend on quality.
    static func flatShare(_ trial: FitTrial, bytes: Double) -> Double {
        min(1, trial.blocks * bitsOfFlatBlock / 8 / max(bytes, 1))
    }

    static func pixelPower(flatShare: Double) -> Double { pixelPower + (1 - pixelPower) * flatShare }

    /// In a nearly flat picture, quality changes almost nothing. With some detail, even grain that a table has just
    /// zeroed, the usual slope is the better guess.
    static func slope(flatShare: Double) -> Double {
        max(leastSlope, slope * min(1, (1 - flatShare) / (1 - nearlyFlat)))
    }

    private static let nearlyFlat = 0.8

    /// A smaller slope cannot predict a quality that fits.
    private static let leastSlope = 0.05

    /// A DC difference of zero takes one bit. EOB takes another in a sequential scan, and almost nothing in a
    /// progressive one, which codes EOB runs.
    static let bitsOfFlatBlock = 1.0

    /// The power of the pixels from two results of different sizes, converted to the same quality; nil if the sizes are
    /// too similar.
    static func pixelPower(_ first: FitResult, _ second: FitResult, slope: Double) -> Double? {
        guard first.bytes > 0, second.bytes > 0, first.trial.chroma == second.trial.chroma else { return nil }
        let pixels = log(
            Double(first.trial.width * first.trial.height) / Double(second.trial.width * second.trial.height))
        guard abs(pixels) > 0.1 else { return nil }
        let moved = bytes(
            Double(second.bytes), from: second.trial.quality, to: first.trial.quality, slope: slope)
        return max(0.5, min(3, log(Double(first.bytes) / moved) / pixels))
    }

    static func bytes(_ bytes: Double, from quality: Double, to other: Double, slope: Double) -> Double {
        bytes * pow(factor(quality) / factor(other), slope)
    }

    /// The JPEG bytes of a picture that a video codec stores in `count` bytes: a guess, within a factor of three for 16
    /// HEIC, AVIF and WebP files. The lower the bit rate, the greater the advantage of such a codec.
    static func bytes(ofPixels pixels: Double, codedIn count: Double, quality: Double) -> Double {
        let bitsPerPixel = 8 * count / max(pixels, 1)
        return bytes(0.65 * pow(bitsPerPixel, 0.7) * pixels / 8, from: 75, to: quality, slope: slope)
    }

    /// The quality at which a picture that takes `bytes` at `quality` takes `target`.
    static func quality(from quality: Double, bytes: Double, to target: Double, slope: Double) -> Double {
        QuantizationTables.quality(scale: factor(quality) * pow(max(bytes, 1) / target, 1 / slope))
    }

    /// The slope from the lowest and the highest quality of one size; nil if they are too close.
    static func slope(of results: [FitResult]) -> Double? {
        for measure in [FitResult.Measure.count, .estimate] {
            let usable = results.filter { $0.measure.isWhole == measure.isWhole && $0.bytes > 0 }
            guard let first = usable.first, let last = usable.last else { continue }
            let run = log(factor(first.trial.quality) / factor(last.trial.quality))
            guard run > 0.01 else { continue }
            return max(leastSlope, min(1.6, log(Double(last.bytes) / Double(first.bytes)) / run))
        }
        return nil
    }

    /// The result whose bytes are closest to `target`, preferring those that measured the whole picture. Of equal ones,
    /// the last that does not exceed the target or else the first that does, from which the search continues.
    static func nearest(_ results: [FitResult], to target: Double) -> FitResult {
        func distance(_ result: FitResult) -> Double {
            let doubt = result.measure.isWhole ? 0.0 : 100
            return abs(log(Double(max(result.bytes, 1)) / target)) + doubt
        }
        let nearest = results.min { distance($0) < distance($1) }!
        return Double(nearest.bytes) > target
            ? nearest : results.last { distance($0) == distance(nearest) && Double($0.bytes) <= target } ?? nearest
    }

    /// The bytes of a stream divided by its count: the mean over 120 pictures at three targets each; the standard
    /// deviation is 0.001. Optimised codes make bytes of all ones, which need a stuffed byte, rarer than in random
    /// data.
    static let streamShare = 0.999

    private static func factor(_ quality: Double) -> Double { max(0.02, QuantizationTables.scale(quality: quality)) }
}

/// What a source predicts about the bytes of its picture.
extension SourcePicture {
    mutating func expectBytes(of header: JPEGDecoder.Header, in segments: JPEGFile) {
        let scale = QuantizationTables.scale(ofTable: header.table)
        let entropy = Double(segments.imageBytes)
        expectedBytes = { quality in
            // The power law does not hold for tables finer than one step.
            let sourceQuality = QuantizationTables.quality(scale: max(scale, 0.04))
            // Nor for the bits that even a flat block takes.
            let blocks = Double(header.width * header.height) / 64
            let flat = blocks * (header.components == 1 ? 1 : header.hasFullChroma ? 3 : 1.5) * 2 / 8
            let detail = max(0, entropy - flat)
            return FitModel.bytes(detail, from: sourceQuality, to: quality, slope: FitModel.slope)
                + blocks * 1.5 * FitModel.bitsOfFlatBlock / 8
        }
    }

    /// For a picture that is not JPEG and has `count` bytes. The bytes of a PNG predict nothing.
    mutating func expectBytes(codedIn count: Int) {
        let (pixels, count) = (Double(width * height), Double(count))
        expectedBytes = { FitModel.bytes(ofPixels: pixels, codedIn: count, quality: $0) }
    }

    /// The reduction for a trial, of both luma and chroma.
    func reduction(for trial: FitTrial) -> Reduction {
        let denominator = denominator(forEdge: trial.edge)
        let halves = decodesScaled && !isGray && trial.chroma == .half
        return Reduction(
            denominator: denominator, halvesChroma: halves && leavesEnough(denominator, forEdge: trial.edge))
    }
}
