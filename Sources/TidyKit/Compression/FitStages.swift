internal import Glibc

/// The picture of the trial in hand: decoded, resized, turned and transformed, each stage kept while the next trials
/// need no other.
struct FitStages: ~Copyable {
    private let picture: SourcePicture
    private let settings: CompressionSettings
    private let workers: IdleWorkers
    private var decoded: (planes: Planes, reduction: SourcePicture.Reduction)?
    private var encoder: JPEGEncoder?
    private var size: FitTrial?

    init(picture: SourcePicture, settings: CompressionSettings, workers: IdleWorkers) {
        self.picture = picture
        self.settings = settings
        self.workers = workers
    }

    /// Makes the size of `trial` the one that is estimated and encoded.
    mutating func prepare(_ trial: FitTrial) throws(CompressionError) {
        if let size, size.hasSize(of: trial) { return }
        encoder = nil
        let source = try source(for: trial)
        let swaps = picture.orientation.swapsAxes
        let resized = try Resampler.resize(
            source, width: swaps ? trial.height : trial.width, height: swaps ? trial.width : trial.height,
            chroma: trial.chroma, turning: picture.orientation)
        if givesPlanesUp { decoded = nil }
        let planes = try resized.upright(from: picture.orientation)
        for component in planes.components { component.plane.padRows() }
        encoder = try JPEGEncoder(
            planes, chroma: trial.chroma, isProgressive: settings.isProgressive, effort: settings.effort,
            workers: workers)
        size = trial
    }

    /// About as many bytes as `encode` would make: a rough number from a part of the picture where that is far from
    /// `target`, and another size will be wanted anyway.
    func estimate(_ quality: Double, target: Double) -> Double {
        let rough = encoder?.estimate(quality: quality, every: Self.sampledRows) ?? 0
        if abs(log(max(rough, 1) / max(target, 1))) > Self.far { return rough }
        return encoder?.estimate(quality: quality) ?? rough
    }

    /// One row of blocks in this many is looked at first.
    private static let sampledRows = 4
    /// In logarithms: beyond what a sample can be wrong by.
    private static let far = 0.25

    func encode(
        _ quality: Double, capacity: Int
    ) throws(CompressionError) -> (stream: [UInt8], estimate: Double)? {
        try encoder?.encode(quality: quality, capacity: capacity)
    }

    /// Planes of large pictures that cost less to decode again for another size than they take up meanwhile.
    private var givesPlanesUp: Bool {
        guard let planes = decoded?.planes, picture.decodesScaled, !picture.isProgressive else { return false }
        return planes.width * planes.height > JPEGEncoder.keptPixels
    }

    private mutating func source(for trial: FitTrial) throws(CompressionError) -> Planes {
        let reduction = picture.reduction(for: trial)
        if let decoded, decoded.reduction.serves(reduction) { return decoded.planes }
        decoded = nil
        var planes = try picture.decode(reduction)
        if settings.color == .srgb, picture.keepsProfile, let profile = picture.metadata.profile {
            planes = try planes.convertedToSRGB(from: profile)
        }
        decoded = (planes, reduction)
        return planes
    }
}
