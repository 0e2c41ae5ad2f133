import Glibc
import Testing

@testable import TidyKit

@Suite struct SizeFitTests {
    /// An encoder in a formula: bytes fall with a power of the table factor and grow with a power of the pixels.
    struct Model {
        var bytesPerPixel = 0.4
        var slope = 0.6
        var pixelPower = 0.83
        /// What counts are off by.
        var bias = 1.0
        /// The additional error of estimates; nil if a count is given at once, as for small pictures.
        var estimateBias: Double? = 1.0
        /// Adds a ripple, so that a higher quality may take fewer bytes.
        var ripple = 0.0

        func bytes(_ trial: FitTrial) -> Int {
            let pixels = Double(trial.width * trial.height) * (trial.chroma == .full ? 1.3 : 1)
            let factor = QuantizationTables.scale(quality: trial.quality)
            let bytes = bytesPerPixel * pow(pixels, pixelPower) * pow(1e6, 1 - pixelPower) * pow(0.5 / factor, slope)
            return Int(bytes * (1 + ripple * sin(trial.quality * 17)))
        }
    }

    struct Run {
        var fit: SizeFit
        var sizes: [FitTrial] = []
    }

    func run(_ limits: FitLimits, _ model: Model, expected: Double? = nil) -> Run {
        var run = Run(fit: SizeFit(limits, expectedBytes: expected))
        while let trial = run.fit.next() {
            if run.sizes.last.map({ !$0.hasSize(of: trial) }) ?? true { run.sizes.append(trial) }
            run.fit.answer(trial, model.bytes(trial), bias: model.bias, estimateBias: model.estimateBias)
        }
        return run
    }

    func limits(_ target: Int, width: Int = 4032, height: Int = 3024) -> FitLimits {
        FitLimits(target: target, width: width, height: height, minimumEdge: 320, topQuality: 92, floorQuality: 75)
    }

    static let targets = [20_000, 50_000, 150_000, 333_333, 500_000, 1_000_000, 2_000_000, 4_000_000]

    @Test(arguments: targets, [0.06, 0.2, 0.4])
    func fillsTheTargetAndNeverGoesOver(target: Int, bytesPerPixel: Double) throws {
        for (slope, power) in [(0.6, 0.83), (0.45, 0.75), (0.75, 0.95)] {
            for (guess, estimateBias) in [(0.5, 1), (1, 1.04), (1, nil), (2, 0.96), (2, nil)] as [(Double, Double?)] {
                let model = Model(
                    bytesPerPixel: bytesPerPixel, slope: slope, pixelPower: power, estimateBias: estimateBias)
                let full = limits(target)
                let run = run(
                    full, model,
                    expected: guess * Double(model.bytes(full.trial(edge: 4032, chroma: .half, quality: 75))))
                let least = model.bytes(full.trial(edge: 320, chroma: .half, quality: SizeFit.lowest))
                guard least <= target else {
                    #expect(run.fit.best == nil)
                    continue
                }
                let best = try #require(run.fit.best)
                #expect(run.fit.bestBytes <= target)
                #expect(best.quality >= 75 || best.edge == 320)
                #expect(best.edge == 4032 && best.quality == 92 || Double(run.fit.bestBytes) >= 0.95 * Double(target))
                #expect(run.sizes.count <= 3)
                #expect(run.fit.counts <= SizeFit.maximumCounts)
            }
        }
    }

    /// Scaling down averages grain away: bytes fall far faster than pixels, and a size that is guessed by the usual power
    /// leaves room at the top quality.
    @Test(arguments: targets, [1.2, 1.6, 2.2])
    func fillsTheTargetWithAGrainyPicture(target: Int, power: Double) throws {
        for guess in [0.5, 1, 2] {
            for bytesPerPixel in [0.1, 0.4] {
                let model = Model(bytesPerPixel: bytesPerPixel, pixelPower: power)
                let full = limits(target)
                let expected = guess * Double(model.bytes(full.trial(edge: 4032, chroma: .half, quality: 75)))
                let run = run(full, model, expected: expected)
                guard let best = run.fit.best else {
                    #expect(model.bytes(full.trial(edge: 320, chroma: .half, quality: SizeFit.lowest)) > target)
                    continue
                }
                #expect(run.fit.bestBytes <= target)
                #expect(
                    best.edge == 4032 && best.quality == 92 || Double(run.fit.bestBytes) >= 0.95 * Double(target),
                    "\(run.sizes) \(best) \(run.fit.bestBytes)")
                #expect(best.quality >= 75 || best.edge == 320)
            }
        }
    }

    /// In one flat colour bytes hardly know quality, and only the size decides.
    @Test(arguments: targets, [0.03, 0.1])
    func fillsTheTargetWithAFlatPicture(target: Int, slope: Double) throws {
        for bytesPerPixel in [0.01, 0.02, 0.05] {
            let model = Model(bytesPerPixel: bytesPerPixel, slope: slope, pixelPower: 1)
            let full = limits(target, width: 9643, height: 10328)
            for guess in [0.5, 1, 3] {
                let expected = guess * Double(model.bytes(full.trial(edge: 10328, chroma: .half, quality: 75)))
                let run = run(full, model, expected: expected)
                let best = try #require(run.fit.best, "\(run.sizes)")
                #expect(run.fit.bestBytes <= target)
                #expect(
                    best.edge == 10328 && best.quality == 92 || Double(run.fit.bestBytes) >= 0.95 * Double(target),
                    "\(run.sizes) \(best) \(run.fit.bestBytes)")
            }
        }
    }

    /// Grain and gradients take the same bytes over a range of tables, and far more from the next table on; a lower quality
    /// may take a few bytes more than a higher one.
    @Test(arguments: [31_000, 33_000, 34_500, 36_000, 44_000, 60_000], [0.997, 1, 1.003])
    func findsTheStepThatFillsTheTarget(target: Int, bias: Double) throws {
        let steps = [(0.0, 21_128), (80, 20_842), (85.8, 30_300), (86.6, 33_800), (88.2, 43_000), (90.4, 58_500)]
        var limits = FitLimits(
            target: target, width: 2403, height: 1801, minimumEdge: 2403, topQuality: 92, floorQuality: 75)
        limits.fixedChroma = .half
        var fit = SizeFit(limits, expectedBytes: 20_000)
        while let trial = fit.next() {
            let bytes = steps.last { $0.0 <= trial.quality }!.1
            fit.answer(trial, bytes, bias: bias)
        }
        let reachable = steps.last { $0.1 <= target }!.1
        #expect(fit.bestBytes == reachable, "\(fit.counts) counts")
    }

    /// One step and no more: only another size fills the target.
    @Test(arguments: [23_000, 26_000, 31_000, 36_000, 42_000], [0.85, 1.1])
    func changesTheSizeWhereNoQualityFillsTheTarget(target: Int, bias: Double) throws {
        let limits = FitLimits(
            target: target, width: 2403, height: 1801, minimumEdge: 320, topQuality: 92, floorQuality: 75)
        var fit = SizeFit(limits, expectedBytes: 20_000)
        while let trial = fit.next() {
            let full = trial.quality < 81.3 ? 20_842.0 : 43_000
            let bytes = full * pow(Double(trial.width * trial.height) / Double(2403 * 1801), 0.83)
            fit.answer(trial, Int(bytes), bias: bias)
        }
        #expect(fit.bestBytes <= target)
        #expect(Double(fit.bestBytes) >= 0.95 * Double(target), "\(fit.best.map { "\($0)" } ?? "none")")
        #expect(fit.counts <= SizeFit.maximumCounts)
    }

    /// Where a guess was too small, a picture smaller than a screen gets the pixels that a larger one need not have.
    @Test func smallPicturesStayNearTheFloor() throws {
        func quality(_ target: Int, _ estimateBias: Double?) throws -> Double {
            let model = Model(estimateBias: estimateBias)
            let full = limits(target)
            let expected = 1.2 * Double(model.bytes(full.trial(edge: 4032, chroma: .half, quality: 75)))
            return try #require(run(full, model, expected: expected).fit.best).quality
        }
        for estimateBias in [1, 0.97, 1.03, nil] {
            for target in [20_000, 50_000, 150_000] { #expect(try quality(target, estimateBias) <= 80) }
            #expect(try quality(1_500_000, estimateBias) > 80)
        }
    }

    /// Faint grain on smooth ground: bytes leap from one table to the next and grow almost with the square of the pixels. What
    /// was measured of such a sky at 2558 pixels.
    @Test(arguments: [70_000, 100_000, 130_000, 149_982, 170_000, 250_000], [0.9, 0.97])
    func fillsTheTargetWithFaintGrain(target: Int, bias: Double) throws {
        let steps = [
            (0.0, 15_000.0), (75, 30_500), (80, 55_000), (86.9, 95_000), (87.5, 120_000), (88.7, 138_258),
            (88.8, 140_857), (88.9, 152_255), (89.3, 160_000), (91, 240_000), (92, 280_000),
        ]
        var fit = SizeFit(limits(target, width: 3000, height: 2000), expectedBytes: 400_000)
        while let trial = fit.next() {
            let bytes = steps.last { $0.0 <= trial.quality }!.1 * pow(Double(trial.edge) / 2558, 3.8)
            fit.answer(trial, Int(bytes), bias: bias)
        }
        #expect(Double(fit.bestBytes) >= 0.95 * Double(target), "\(fit.bestBytes)")
        #expect(fit.bestBytes <= target && fit.counts <= SizeFit.maximumCounts)
        #expect((fit.best?.quality ?? 0) >= 75)
    }

    /// A pattern as fine as the pixels, and its beat with the smaller ones: what was measured of a checkerboard of 800 x 600.
    @Test(arguments: [5_000, 8_000, 12_000, 16_000, 19_982, 30_000, 50_000, 80_000], [nil, 20_000, 100_000])
    func fillsTheTargetWhereAFewPixelsDoubleTheBytes(target: Int, expected: Double?) throws {
        let sizes = [
            (320.0, 683.0), (590, 1_362), (638, 6_492), (661, 19_297), (685, 38_488), (703, 50_858), (733, 85_717),
            (769, 96_749), (800, 98_000),
        ]
        var fit = SizeFit(limits(target, width: 800, height: 600), expectedBytes: expected)
        while let trial = fit.next() {
            let edge = Double(trial.edge)
            let index = sizes.dropFirst().dropLast().firstIndex { $0.0 >= edge } ?? sizes.count - 1
            let (low, high) = (sizes[index - 1], sizes[index])
            let share = log(edge / low.0) / log(high.0 / low.0)
            let bytes = low.1 * pow(high.1 / low.1, share) * (1 + max(0, trial.quality - 75) / 150)
            fit.answer(trial, Int(bytes), estimateBias: nil)
        }
        #expect(Double(fit.bestBytes) >= 0.95 * Double(target), "\(fit.bestBytes)")
        #expect(fit.bestBytes <= target && (fit.best?.quality ?? 0) >= 75)
        #expect(fit.counts <= SizeFit.maximumCounts)
    }

    /// Grain that any resizing averages away: the full size takes far more than one a little smaller, and is to be filled by
    /// its quality. What was measured of a small photograph that answers its first question with a count.
    @Test(arguments: [120_000, 131_000, 140_000, 146_298, 155_000], [1, nil] as [Double?])
    func fillsTheFullSizeThoughSmallerSizesTakeFarLess(target: Int, estimateBias: Double?) throws {
        let steps = [
            (75.0, 89_800.0), (79.4, 113_283), (81.6, 133_388), (83.7, 159_777), (84.8, 176_000), (88.7, 216_375),
            (92, 290_000),
        ]
        func bytes(_ quality: Double) -> Double {
            guard let next = steps.firstIndex(where: { $0.0 >= quality }), next > 0 else { return steps[0].1 }
            let (low, high) = (steps[next - 1], steps[next])
            return low.1 + (high.1 - low.1) * (quality - low.0) / (high.0 - low.0)
        }
        var fit = SizeFit(limits(target, width: 1296, height: 968), expectedBytes: 95_000)
        var sizes: Set<Int> = []
        while let trial = fit.next() {
            sizes.insert(trial.edge)
            let blurred = trial.edge == 1296 ? 1 : 0.86 * pow(Double(trial.edge) / 1296, 2)
            fit.answer(trial, Int(bytes(trial.quality) * blurred), estimateBias: estimateBias)
        }
        #expect(sizes.count <= 2 && fit.counts <= 7, "\(sizes) \(fit.counts)")
        #expect(Double(fit.bestBytes) >= 0.965 * Double(target) && fit.bestBytes <= target)
    }

    /// Where every quality takes the same bytes, the best one is the next to try, and what it fills is enough.
    @Test(arguments: [96_000, 98_000, 99_500], [100_000, 101_000])
    func findsTheTopQualityOfFlatPictures(bytes: Int, target: Int) throws {
        var fit = SizeFit(limits(target), expectedBytes: Double(target))
        var sizes: Set<Int> = []
        while let trial = fit.next() {
            sizes.insert(trial.edge)
            let taken = trial.edge == 4032 ? bytes : Int(Double(bytes) * pow(Double(trial.edge) / 4032, 2))
            fit.answer(trial, taken)
        }
        #expect(sizes == [4032])
        #expect(fit.counts <= SizeFit.normalCounts)
        #expect(Double(fit.bestBytes) >= 0.974 * Double(target) || fit.best?.quality == 92)
    }

    /// Pixels of an HEIC of a camera, and of a picture that such a codec makes next to nothing of.
    @Test(arguments: [(12_192_768.0, 1_120_000.0, 437_000.0), (32_741_376, 139_000, 451_000)])
    func expectsBytesOfOtherCodecs(pixels: Double, coded: Double, measured: Double) {
        let guess = FitModel.bytes(ofPixels: pixels, codedIn: coded, quality: 75)
        #expect(guess > measured / 3 && guess < measured * 3)
    }

    /// Blocks of one colour take a bit each, whatever the quality: the first size is the right one, and no count is spent
    /// on qualities that change nothing.
    @Test(arguments: [50_000, 150_000, 250_000])
    func aPictureOfOneColourTakesOneCount(target: Int) throws {
        let full = limits(target, width: 9643, height: 10328)
        let blocks = full.trial(edge: 10328, chroma: .half, quality: 75).blocks
        var fit = SizeFit(full, expectedBytes: blocks / 8)
        var sizes: [FitTrial] = []
        while let trial = fit.next() {
            if sizes.last.map({ !$0.hasSize(of: trial) }) ?? true { sizes.append(trial) }
            let bytes = trial.blocks / 8 + 700
            fit.answer(trial, Int(bytes))
        }
        #expect(fit.counts == 1 && fit.streams == 1)
        #expect(sizes.count == (target < 200_000 ? 1 : 2), "\(sizes)")
        #expect(Double(fit.bestBytes) >= 0.95 * Double(target))
    }

    @Test func normallyTakesOneRescaleAndOneStream() {
        var counts = 0
        var sizes = 0
        for target in Self.targets {
            let full = limits(target)
            let model = Model()
            let expected = Double(model.bytes(full.trial(edge: 4032, chroma: .half, quality: 75)))
            let run = run(full, model, expected: 1.4 * expected)
            counts += run.fit.counts
            #expect(run.fit.streams == 1)
            sizes += run.sizes.count
        }
        #expect(counts <= 2 * Self.targets.count)
        #expect(sizes <= 2 * Self.targets.count)
    }

    @Test(arguments: [0.02, 0.05, 0.1])
    func endsIfBytesDoNotFollowQuality(ripple: Double) throws {
        for target in Self.targets {
            let run = run(limits(target), Model(ripple: ripple))
            _ = try #require(run.fit.best)
            #expect(run.fit.bestBytes <= target)
            #expect(run.fit.counts <= SizeFit.maximumCounts)
        }
    }

    @Test(arguments: [0.8, 0.95, 1.05, 1.25, 4])
    func trustsStreamsOverCounts(bias: Double) throws {
        for target in Self.targets {
            let run = run(limits(target), Model(bias: bias))
            let best = try #require(run.fit.best)
            #expect(run.fit.bestBytes <= target)
            #expect(best.quality >= 75 || best.edge == 320)
            #expect(best.edge == 4032 && best.quality == 92 || Double(run.fit.bestBytes) >= 0.95 * Double(target))
        }
    }

    @Test func goesBelowMinimumQualityOnlyAtTheSmallestEdge() throws {
        let run = run(limits(9_000), Model(bytesPerPixel: 0.1))
        let best = try #require(run.fit.best)
        #expect(best.edge == 320)
        #expect(best.quality < 75)
        #expect(run.fit.bestBytes <= 9_000)
    }

    @Test func namesTheSmallestSizeWhereNothingFits() {
        let model = Model()
        let run = run(limits(300), model)
        #expect(run.fit.best == nil)
        let smallest = model.bytes(limits(300).trial(edge: 320, chroma: .half, quality: 10))
        #expect(run.fit.smallest == smallest)
    }

    @Test func triesOnceIfMetadataExceedTheTarget() {
        let run = run(limits(0), Model())
        #expect(run.fit.streams == 1)
        #expect(run.fit.smallest > 0)
    }

    @Test func neverUpscalesASmallPicture() throws {
        let run = run(limits(5_000_000, width: 200, height: 100), Model())
        let best = try #require(run.fit.best)
        #expect((best.width, best.height) == (200, 100))
        #expect(best.quality == 92)
    }

    @Test func keepsFullChromaOnlyIfItFitsAtFullSize() throws {
        let model = Model()
        var roomy = limits(4_000_000)
        roomy.prefersFullChroma = true
        let kept = try #require(run(roomy, model).fit.best)
        #expect(kept.chroma == .full)
        let bytes = model.bytes(roomy.trial(edge: 4032, chroma: .full, quality: 75))
        var tight = limits(bytes * 9 / 10)
        tight.prefersFullChroma = true
        let best = try #require(run(tight, model, expected: Double(bytes)).fit.best)
        #expect(best.chroma == .half)
        #expect(best.edge > 3600)
    }

    @Test func aNarrowRangeOfQualitiesIsKept() throws {
        var limits = limits(150_000)
        limits.topQuality = 80
        limits.floorQuality = 80
        let best = try #require(run(limits, Model()).fit.best)
        #expect(best.quality == 80)
    }
}

extension SizeFit {
    /// Answers a trial whose stream would take `bytes`.
    fileprivate mutating func answer(_ trial: FitTrial, _ bytes: Int, bias: Double = 1, estimateBias: Double? = 1) {
        let count = Double(bytes) / FitModel.streamShare * bias
        switch trial.step {
        case .estimate:
            if let estimateBias { record(estimate: count * estimateBias) } else { record(count: count) }
        case .count: record(count: count)
        case .write: _ = record(stream: bytes)
        }
    }
}
