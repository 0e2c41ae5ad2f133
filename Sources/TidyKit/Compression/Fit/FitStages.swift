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
    /// The profile to convert from.
    private let conversion: [UInt8]?
    /// Of the decoder.
    private(set) var remarks = Planes.Remarks()

    init(picture: SourcePicture, settings: CompressionSettings, workers: IdleWorkers) {
        self.picture = picture
        conversion = picture.conversion(settings.decoding.color)
        self.settings = settings
        self.workers = workers
    }

    /// Makes the size of `trial` the one that is counted and encoded.
    private mutating func prepare(_ trial: FitTrial) throws(PictureError) {
        if let size, size.hasSize(of: trial) { return }
        dropEncoder()
        let source = try source(for: trial)
        let swaps = picture.orientation.swapsAxes
        let resized = try Resampler.resize(
            source, width: swaps ? trial.height : trial.width, height: swaps ? trial.width : trial.height,
            chroma: trial.chroma, turning: picture.orientation, workers: workers)
        if givesPlanesUp { decoded = nil }
        let planes = try resized.upright(from: picture.orientation)
        for component in planes.components { component.plane.padRows() }
        encoder = try JPEGEncoder(
            planes, chroma: trial.chroma, isProgressive: settings.isProgressive, effort: settings.effort,
            workers: workers)
        size = trial
    }

    /// What a stream is expected to take, and whether that is a count of all its symbols.
    typealias Expected = (bytes: Double, isCount: Bool)

    /// About what the stream of `trial` takes, in bytes. At another size than before only bands of the picture are
    /// looked at first: far from `target` their answer is enough, as yet another size will be wanted.
    mutating func sample(_ trial: FitTrial, target: Double) throws(PictureError) -> Expected {
        if size?.hasSize(of: trial) != true {
            // The size before has had its turn; beside what is decoded anew it would be the most that is ever in memory.
            dropEncoder()
            if let look = try look(trial), abs(log(look / max(target, 1))) > Self.far { return (look, false) }
        }
        try prepare(trial)
        return settings.effort == .best && Self.isLarge(trial)
            ? (encoder?.sample(quality: trial.quality) ?? 0, false) : (try count(trial), true)
    }

    /// The blocks of a large picture are many pieces, that would stay in the heap beside the planes of the next size.
    private mutating func dropEncoder() {
        let isLarge = size.map { $0.width * $0.height > JPEGEncoder.keptPixels } ?? false
        encoder = nil
        size = nil
        if isLarge { Heap.trim() }
    }

    /// What bands of `trial` let expect, in bytes; nil where there is little to spare.
    private mutating func look(_ trial: FitTrial) throws(PictureError) -> Double? {
        guard Self.isLarge(trial) else { return nil }
        let swaps = picture.orientation.swapsAxes
        guard
            let bands = try Resampler.bands(
                of: try source(for: trial), width: swaps ? trial.height : trial.width,
                height: swaps ? trial.width : trial.height, chroma: trial.chroma, oneIn: Self.lookedAt)
        else { return nil }
        for component in bands.planes.components { component.plane.padRows() }
        let encoder = try JPEGEncoder(
            bands.planes, chroma: trial.chroma, isProgressive: settings.isProgressive, effort: settings.effort,
            workers: workers)
        return encoder.count(quality: trial.quality, share: bands.share)
    }

    /// Samples of smaller pictures would be wrong by more than they spare.
    private static func isLarge(_ trial: FitTrial) -> Bool { trial.width * trial.height >= 400_000 }

    /// One row of samples in this many is looked at in a size that was not prepared.
    static let lookedAt = 6
    /// In logarithms: beyond what a look can be wrong by.
    private static let far = 0.1

    /// What the stream of `trial` takes, in bytes, by its symbols (`FitModel.streamShare`).
    mutating func count(_ trial: FitTrial) throws(PictureError) -> Double {
        try prepare(trial)
        return encoder?.count(quality: trial.quality) ?? 0
    }

    /// The stream of `trial`; nil where it needs `capacity` bytes or more.
    mutating func encode(_ trial: FitTrial, capacity: Int) throws(PictureError) -> [UInt8]? {
        try prepare(trial)
        return try encoder?.encode(quality: trial.quality, capacity: capacity)
    }

    /// Planes of large pictures that cost less to decode again for another size than they take up meanwhile.
    private var givesPlanesUp: Bool {
        guard let planes = decoded?.planes, picture.decodesScaled, !picture.isProgressive else { return false }
        return planes.width * planes.height > JPEGEncoder.keptPixels
    }

    private mutating func source(for trial: FitTrial) throws(PictureError) -> Planes {
        let reduction = picture.reduction(for: trial)
        if let decoded, decoded.reduction.serves(reduction) { return decoded.planes }
        decoded = nil
        var planes = try picture.decode(reduction)
        remarks = planes.remarks
        if let conversion { planes = try planes.convertedToSRGB(from: conversion) }
        decoded = (planes, reduction)
        return planes
    }
}
