import Testing

@testable import TidyKit

@Suite struct ResamplerTests {
    /// Luma and chroma that both rise evenly to the right and to the bottom of the stored picture.
    static func ramp(width: Int, height: Int) throws -> Planes {
        let components = try (0..<3).map { _ in
            let plane = try Plane(width: width, height: height)
            for y in 0..<height {
                for x in 0..<width { plane.row(y)[x] = UInt8(20 + 100 * x / width + 100 * y / height) }
            }
            return Planes.Component(plane)
        }
        return Planes(width: width, height: height, components: components)
    }

    /// Chroma of quarter density stands in the middle of two by two pixels, also where a size is odd and whatever way the
    /// picture is turned: else colours slide off their outlines, by most at the far edge.
    @Test(arguments: Orientation.allCases, [(16, 10), (17, 10), (16, 11), (17, 11)])
    func chromaStaysInPlace(orientation: Orientation, size: (Int, Int)) throws {
        let source = try Self.ramp(width: 640, height: 400)
        let resized = try Resampler.resize(
            source,
            to: Resampler.Target(width: size.0, height: size.1, chroma: .half, orientation: orientation))
        let upright = try resized.upright(from: orientation)
        let (luma, chroma) = (upright.components[0].plane, upright.components[1].plane)
        // Inside, where no kernel meets an edge.
        for y in 1..<upright.height / 2 - 1 {
            for x in 1..<upright.width / 2 - 1 {
                let sum = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(0) {
                    $0 + Int(luma.row(2 * y + $1.1)[2 * x + $1.0])
                }
                #expect(abs(Double(sum) / 4 - Double(chroma.row(y)[x])) < 1.3)
            }
        }
    }

    /// A first look must tell about what the whole picture tells.
    @Test(arguments: [Planes.Chroma.half, .full], [(1200, 900), (801, 601), (1500, 1131)])
    func bandsTakeTheirShareOfTheBytes(chroma: Planes.Chroma, size: (Int, Int)) throws {
        let source = try JPEGEncoderTests.planes(width: 2000, height: 1500, chroma: .half, grain: 12)
        let target = Resampler.Target(width: size.0, height: size.1, chroma: chroma)
        let whole = try Resampler.resize(source, to: target)
        let bands = try #require(try Resampler.bands(of: source, for: target, oneIn: 3))
        #expect(bands.planes.width == size.0 && bands.planes.height % 16 == 0)
        #expect(abs(bands.share * Double(bands.planes.height) - Double(size.1)) < 1e-6)
        for component in bands.planes.components + whole.components { component.plane.padRows() }
        let counts = try [(bands.planes, bands.share), (whole, 1)].map { planes, share in
            try JPEGEncoder(planes, chroma: chroma, isProgressive: true, effort: .fast).count(quality: 80, share: share)
        }
        #expect(abs(counts[0] / counts[1] - 1) < 0.1, "\(counts)")
    }

    /// The rows of a band are those of the picture at the same size, from all over its height.
    @Test(arguments: [Planes.Chroma.half, .full])
    func bandsHoldRowsOfThePicture(chroma: Planes.Chroma) throws {
        let source = try Self.ramp(width: 640, height: 1200)
        let target = Resampler.Target(width: 320, height: 600, chroma: chroma)
        let whole = try Resampler.resize(source, to: target)
        let bands = try #require(try Resampler.bands(of: source, for: target, oneIn: 6))
        for (band, picture) in zip(bands.planes.components, whole.components) {
            let rows = band.plane.height * 16 / bands.planes.height
            for first in stride(from: 0, to: band.plane.height, by: rows) {
                let place = (Double(first) / Double(rows) + 0.5) / Double(bands.planes.height / 16)
                let middle = Int(place * Double(picture.plane.height)) - rows / 2
                for (x, y) in [(20, 0), (100, rows / 2), (picture.plane.width - 20, rows - 1)] {
                    let difference = Int(band.plane.row(first + y)[x]) - Int(picture.plane.row(middle + y)[x])
                    #expect(abs(difference) <= 1, "\(first) \(x) \(y)")
                }
            }
        }
    }

    /// Nothing is spared where the picture has its size already, or is too low for bands.
    @Test func noBandsWhereNothingIsSpared() throws {
        let source = try JPEGEncoderTests.planes(width: 640, height: 48, chroma: .half)
        #expect(
            try Resampler.bands(
                of: source, for: Resampler.Target(width: 640, height: 48, chroma: .half), oneIn: 2
            ).map(\.share) == nil)
        #expect(
            try Resampler.bands(
                of: source, for: Resampler.Target(width: 320, height: 24, chroma: .half), oneIn: 2
            ).map(\.share) == nil)
    }
}
