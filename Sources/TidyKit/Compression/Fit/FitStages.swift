internal import Glibc

/// The picture of the current trial: decoded, resized, turned and transformed. Each stage is kept until a trial needs
/// another.
struct FitStages: ~Copyable {
    private let picture: SourcePicture
    private let settings: CompressionSettings
    private let workers: IdleWorkers
    private var decoded: (planes: Planes, reduction: SourcePicture.Reduction)?
    private var encoder: JPEGEncoder?
    private var size: FitTrial?
    /// The profile to convert from.
    private let conversion: [UInt8]?
    /// From the decoder.
    private(set) var remarks = Planes.Remarks()

    init(picture: SourcePicture, settings: CompressionSettings, workers: IdleWorkers) {
        self.picture = picture
        conversion = picture.conversion(settings.decoding.color)
        self.settings = settings
        self.workers = workers
    }

    /// Brings the encoder to the size of `trial`.
    private mutating func prepare(_ trial: FitTrial) throws(PictureError) {
        if let size, size.hasSize(of: trial) { return }
        dropEncoder()
        let source = try source(for: trial)
        let resized = try Resampler.resize(source, to: storedSize(of: trial), workers: workers)
        if dropsDecodedPlanes { decoded = nil }
        let planes = try resized.upright(from: picture.orientation)
        for component in planes.components { component.plane.padRows() }
        encoder = try JPEGEncoder(
            planes, chroma: trial.chroma, isProgressive: settings.isProgressive, effort: settings.effort,
            resources: JPEGEncoder.Resources(workers: workers))
        size = trial
    }

    /// The size of `trial` before the picture is turned upright.
    private func storedSize(of trial: FitTrial) -> Resampler.Target {
        let swaps = picture.orientation.swapsAxes
        return Resampler.Target(
            width: swaps ? trial.height : trial.width, height: swaps ? trial.width : trial.height,
            chroma: trial.chroma, orientation: picture.orientation)
    }

    /// The expected bytes of a stream, and whether all its symbols were counted.
    typealias Expected = (bytes: Double, isCount: Bool)

    /// About what the stream of `trial` takes, in bytes. A new size is first estimated from bands of the picture: far
    /// from `target` that is enough, because the search will move on to yet another size.
    mutating func estimate(_ trial: FitTrial, target: Double) throws(PictureError) -> Expected {
        if size?.hasSize(of: trial) != true {
            // Kept beside newly decoded planes, the encoder of the previous size would set the peak of memory.
            dropEncoder()
            if let estimate = try estimateFromBands(trial),
                abs(log(estimate / max(target, 1))) > Self.bandTolerance
            {
                return (estimate, false)
            }
        }
        try prepare(trial)
        return settings.effort == .best && Self.isLarge(trial)
            ? (encoder?.estimate(quality: trial.quality) ?? 0, false) : (try count(trial), true)
    }

    /// The blocks of a large picture are many small allocations, which would stay in the heap beside the planes of the
    /// next size.
    private mutating func dropEncoder() {
        let isLarge = size.map { $0.width * $0.height > JPEGEncoder.keptPixels } ?? false
        encoder = nil
        size = nil
        if isLarge { Heap.trim() }
    }

    /// The bytes of `trial`, estimated from some bands of it; nil if that would save little time.
    private mutating func estimateFromBands(_ trial: FitTrial) throws(PictureError) -> Double? {
        guard Self.isLarge(trial) else { return nil }
        guard
            let bands = try Resampler.bands(
                of: try source(for: trial), for: storedSize(of: trial), oneIn: Self.bandStep)
        else { return nil }
        for component in bands.planes.components { component.plane.padRows() }
        let encoder = try JPEGEncoder(
            bands.planes, chroma: trial.chroma, isProgressive: settings.isProgressive, effort: settings.effort,
            resources: JPEGEncoder.Resources(workers: workers))
        return encoder.count(quality: trial.quality, share: bands.share)
    }

    /// An estimate of a smaller picture is too inexact for the time that it saves.
    private static func isLarge(_ trial: FitTrial) -> Bool { trial.width * trial.height >= 400_000 }

    /// One row of samples in this many is part of a band.
    static let bandStep = 6
    /// The largest error of an estimate from bands, as a logarithm.
    private static let bandTolerance = 0.1

    /// The bytes of the stream of `trial` by its symbols (`FitModel.streamShare`).
    mutating func count(_ trial: FitTrial) throws(PictureError) -> Double {
        try prepare(trial)
        return encoder?.count(quality: trial.quality) ?? 0
    }

    /// The stream of `trial`; nil if it needs `capacity` bytes or more.
    mutating func encode(_ trial: FitTrial, capacity: Int) throws(PictureError) -> [UInt8]? {
        try prepare(trial)
        return try encoder?.encode(quality: trial.quality, capacity: capacity)
    }

    /// Large planes that are cheap to decode again are not worth their memory.
    private var dropsDecodedPlanes: Bool {
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
