/// The limits of a search.
struct FitLimits {
    /// The bytes that the stream may take.
    var target: Int
    /// The largest size allowed, in pixels.
    var width: Int
    var height: Int
    /// The long edge below which quality is lowered instead of the size.
    var minimumEdge: Int
    var topQuality: Double
    var floorQuality: Double
    /// The source has chroma at full density, which is worth keeping at full size.
    var prefersFullChroma = false
    /// Uses this density of chroma at every size.
    var fixedChroma: Planes.Chroma?

    var fullEdge: Int { max(width, height) }
    var smallestEdge: Int { min(fullEdge, max(1, minimumEdge)) }

    func trial(edge: Int, chroma: Planes.Chroma, quality: Double, step: FitTrial.Step = .count) -> FitTrial {
        let scale = Double(edge) / Double(fullEdge)
        return FitTrial(
            width: max(1, Int((Double(width) * scale).rounded())),
            height: max(1, Int((Double(height) * scale).rounded())), chroma: chroma,
            quality: (quality * 10).rounded() / 10, step: step)
    }

    /// The same size at another quality.
    func trial(like other: FitTrial, quality: Double, step: FitTrial.Step) -> FitTrial {
        var trial = other
        trial.quality = (quality * 10).rounded() / 10
        trial.step = step
        return trial
    }
}

/// A size and a quality to try.
struct FitTrial: Equatable {
    var width: Int
    var height: Int
    var chroma: Planes.Chroma
    /// IJG scale, in tenths.
    var quality: Double
    var step = Step.count

    enum Step {
        /// Estimate its bytes from a part of the picture.
        case estimate
        /// Count all its symbols.
        case count
        /// Write its stream.
        case write
    }

    var edge: Int { max(width, height) }

    /// Blocks of 8 x 8 samples, of all three components.
    var blocks: Double { Double(width * height) / 64 * (chroma == .full ? 3 : 1.5) }

    /// An upper bound of the stream: 16 bits for each sample of the MCUs, and the markers.
    var maximumBytes: Int { (width + 15) * (height + 15) * 6 + 65536 }

    func isLike(_ other: FitTrial) -> Bool { hasSize(of: other) && quality == other.quality }

    func hasSize(of other: FitTrial) -> Bool {
        width == other.width && height == other.height && chroma == other.chroma
    }
}

/// The bytes of a trial.
struct FitResult {
    enum Measure {
        case estimate, count, stream

        /// The whole picture was measured.
        var isWhole: Bool { self != .estimate }
    }

    var trial: FitTrial
    var bytes: Int
    var measure: Measure
}
