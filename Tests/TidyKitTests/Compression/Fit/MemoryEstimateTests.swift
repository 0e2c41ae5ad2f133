import Testing

@testable import TidyKit

/// Measured peaks are those of the program over pictures of 50 megapixels, less the 13 MB that it takes without one.
@Suite struct MemoryEstimateTests {
    private static func picture(
        width: Int = 8192, height: Int = 6144, progressive: Bool = false, full: Bool = false, expected: Double?
    ) -> SourcePicture {
        var picture = SourcePicture(width: width, height: height) { (_) throws(PictureError) in
            throw .unsupported("never decoded")
        }
        picture.decodesScaled = expected != nil
        picture.isProgressive = progressive
        picture.hasFullChroma = full
        if let expected { picture.expectedBytes = { _ in expected } }
        return picture
    }

    private static func estimate(_ picture: SourcePicture, file: Int, target: Int64, edge: Int? = nil) -> Double {
        var settings = CompressionSettings()
        settings.maximumBytes = target
        settings.maximumEdge = edge
        return Double(MemoryEstimate(picture: picture, fileBytes: file, settings: settings).bytes)
    }

    /// File, target, progressive, full chroma, measured: in megabytes, of grainy pictures that take 11 MB at the floor.
    @Test(arguments: [
        (23, 0.15, false, false, 37), (23, 5, false, false, 171), (23, 20, false, false, 165),
        (20.5, 0.15, true, false, 177.0), (54, 5, true, true, 530),
    ])
    func coversMeasuredPeaks(
        file: Double, target: Double, progressive: Bool, full: Bool, measured: Double
    ) {
        let picture = Self.picture(progressive: progressive, full: full, expected: full ? 22e6 : 11e6)
        let estimate = Self.estimate(picture, file: Int(file * 1e6), target: Int64(target * 1e6)) / 1e6
        // Buffers of a few megabytes, whatever the size of the picture, are not counted.
        #expect(estimate >= min(measured * 0.95, measured - 8) && estimate <= measured * 1.6, "\(estimate)")
    }

    /// Bytes a pixel that decoding took at its peak, libheif's planes counted: depth, `av1C` bits (monochrome, subsampling),
    /// measured.
    @Test(
        arguments: [
            (8, 0x1C, 15.4), (8, 0x0C, 15.9), (8, 0x00, 19.0), (10, 0x0C, 19.1),
        ] as [(Int, UInt8, Double)])
    func coversMeasuredPeaksOfAV1(depth: Int, bits: UInt8, measured: Double) {
        let properties = box("ipco", box("av1C", [0x81, 0, bits, 0]))
        let meta = box("meta", [0, 0, 0, 0] + box("iprp", properties))
        let structure = meta.withUnsafeBytes { HEIFStructure(ByteView($0)) }
        #expect(structure.holdsAV1)
        let bytes = structure.decoderBytes(pixels: 9_000_000, depth: depth)
        #expect(Double(bytes) >= measured * 9e6 && Double(bytes) <= measured * 9e6 * 1.5)
        #expect(structure.decoderBytes(pixels: .max, depth: depth) > 1 << 59)
    }

    /// A picture that takes about its target at full size may be wanted a bit smaller after all: beside the planes that
    /// were decoded there is a copy then. Measured with full chroma: 321 MB.
    @Test func coversACopyIfTheFullSizeMayNotFit() {
        let picture = Self.picture(full: true, expected: 5e6)
        let estimate = Self.estimate(picture, file: 10_000_000, target: 5_000_000) / 1e6
        #expect(estimate >= 321 * 0.95 && estimate <= 321 * 1.6, "\(estimate)")
    }

    /// Planes that are turned are a copy of those that were decoded, which are kept.
    @Test func turningTakesACopy() {
        var picture = Self.picture(width: 4000, height: 3000, expected: 1e6)
        let upright = Self.estimate(picture, file: 0, target: 20_000_000)
        picture.orientation = .rotatedRight
        #expect(Self.estimate(picture, file: 0, target: 20_000_000) - upright > 17e6)
    }

    @Test func growsWithEveryInput() {
        var last = 0.0
        for target: Int64 in [10_000, 150_000, 1_000_000, 5_000_000, 20_000_000, 1 << 40] {
            let now = Self.estimate(Self.picture(expected: 11e6), file: 23_000_000, target: target)
            #expect(now >= last)
            last = now
        }
        let small = Self.estimate(Self.picture(width: 4000, height: 3000, expected: 3e6), file: 0, target: 150_000)
        let base = Self.estimate(Self.picture(expected: 11e6), file: 0, target: 150_000)
        #expect(small < base)
        #expect(base < Self.estimate(Self.picture(progressive: true, expected: 11e6), file: 0, target: 150_000))
        #expect(base < Self.estimate(Self.picture(full: true, expected: 11e6), file: 0, target: 150_000))
        #expect(base < Self.estimate(Self.picture(expected: nil), file: 0, target: 150_000))
        let edged = Self.estimate(Self.picture(expected: 11e6), file: 0, target: 1 << 40, edge: 1000)
        #expect(edged < Self.estimate(Self.picture(expected: 11e6), file: 0, target: 1 << 40) / 4)
    }

    @Test func noNumberOverflows() {
        #expect(Self.estimate(Self.picture(expected: 1e300), file: 0, target: .max) > 0)
        #expect(Self.estimate(Self.picture(width: 1, height: 1, expected: 0.001), file: 0, target: 1) < 1_000_000)
    }
}
