/// The picture of the trial in hand: decoded, resized, turned and transformed, each stage kept while the next trials
/// need no other.
struct FitStages: ~Copyable {
    private let picture: SourcePicture
    private let settings: CompressionSettings
    private var decoded: (planes: Planes, denominator: Int)?
    private var encoder: JPEGEncoder?
    private var size: FitTrial?

    init(picture: SourcePicture, settings: CompressionSettings) {
        self.picture = picture
        self.settings = settings
    }

    /// Makes the size of `trial` the one that is estimated and encoded.
    mutating func prepare(_ trial: FitTrial) throws(CompressionError) {
        if let size, size.hasSize(of: trial) { return }
        encoder = nil
        let source = try source(forEdge: trial.edge)
        let swaps = picture.orientation.swapsAxes
        let resized = try Resampler.resize(
            source, width: swaps ? trial.height : trial.width, height: swaps ? trial.width : trial.height,
            chroma: trial.chroma, turning: picture.orientation)
        let planes = try resized.upright(from: picture.orientation)
        for component in planes.components { component.plane.padRows() }
        encoder = try JPEGEncoder(
            planes, chroma: trial.chroma, isProgressive: settings.isProgressive, effort: settings.effort)
        size = trial
    }

    func estimate(_ quality: Double) -> Double { encoder?.estimate(quality: quality) ?? 0 }

    func encode(
        _ quality: Double, capacity: Int
    ) throws(CompressionError) -> (stream: [UInt8], estimate: Double)? {
        try encoder?.encode(quality: quality, capacity: capacity)
    }

    private mutating func source(forEdge edge: Int) throws(CompressionError) -> Planes {
        let denominator = picture.denominator(forEdge: edge)
        if let decoded, decoded.denominator <= denominator { return decoded.planes }
        decoded = nil
        var planes = try picture.decode(denominator)
        if settings.color == .srgb, picture.keepsProfile, let profile = picture.metadata.profile {
            planes = try planes.convertedToSRGB(from: profile)
        }
        decoded = (planes, denominator)
        return planes
    }
}
