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
            source, width: size.0, height: size.1, chroma: .half, turning: orientation)
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
}
