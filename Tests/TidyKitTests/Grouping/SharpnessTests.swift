internal import Support
import Testing

@testable import TidyKit

@Suite struct SharpnessTests {
    @Test func eachBlurTakesSomeAway() {
        let picture = DrawnPicture.rectangles(seed: 2, width: 320, height: 240)
        let measures = (0..<4).map { Sharpness.measure(picture.blurred(2 * $0).luma) }
        #expect(measures == measures.sorted(by: >) && Set(measures).count == 4, "\(measures)")
        #expect(measures[0] > 60 && measures[3] < 45)
    }

    /// Grain stays when a picture is blurred: it must not make a very blurred picture look sharp.
    @Test func grainIsNotSharpness() {
        let blurred = DrawnPicture.rectangles(seed: 2, width: 320, height: 240).blurred(12)
        let grainy = blurred.changed { x, y, rgb in rgb.map { UInt8(min(255, Int($0) + (x * 7 + y * 13) % 3)) } }
        let (clean, measure) = (Sharpness.measure(blurred.luma), Sharpness.measure(grainy.luma))
        #expect(measure < Double(Predicate.blurrySharpness))
        #expect(abs(measure - clean) < 10, "\(measure) against \(clean)")
    }

    @Test func brightnessAndTurnsChangeNothing() {
        let picture = DrawnPicture.rectangles(seed: 4, width: 320, height: 240)
        let measure = Sharpness.measure(picture.luma)
        let dark = picture.changed { _, _, rgb in rgb.map { $0 / 2 } }
        #expect(abs(Sharpness.measure(dark.luma) - measure) < 3)
        for orientation in Orientation.allCases {
            #expect(abs(Sharpness.measure(picture.stored(for: orientation).luma) - measure) < 0.01)
        }
    }

    @Test func nothingToSeeIsNotSharp() {
        #expect(
            Sharpness.measure(LumaView(width: 100, height: 100, samples: [UInt8](repeating: 7, count: 10_000))!) == 0)
        #expect(Sharpness.measure(LumaView(width: 5, height: 5, samples: [UInt8](repeating: 7, count: 25))!) == 0)
    }
}
