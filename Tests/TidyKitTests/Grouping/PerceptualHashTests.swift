internal import Support
import Testing

@testable import TidyKit

@Suite struct PerceptualHashTests {
    /// Hashes that the reference makes (PyPI pdqhash 0.2.8, `pdqhash.compute`) of drawn pictures, as it prints them.
    @Test(arguments: [
        (1, "9a4bde9187ec7db42393a41e3620f6b362923d1e0f3543d63e6d9e09613e2364"),
        (2, "8c7e91e31e05c5c93c1bd227a0f57c1e1409a0f787291b4ee3f03f189323fe75"),
        (3, "7e68894d9c7067d72b5abc96d386ad5a4297b522933e8b899cb9c6c2394501e7"),
        (4, "1087203d2db2353605d21a9df20ce93ce65c539cd97ebd48269c76e2eca3ec37"),
    ]) func theReferenceMakesTheSameHash(seed: UInt64, text: String) throws {
        var reference = PerceptualHash(words: SIMD4())
        for (place, digit) in text.reversed().enumerated() {
            let bits = try #require(digit.hexDigitValue)
            for bit in 0..<4 where bits >> bit & 1 == 1 {
                reference.setBit((4 * place + bit) / 16, (4 * place + bit) % 16)
            }
        }
        let grid = HashGrid(DrawnPicture.rectangles(seed: seed).luma, offset: 1.5 / 512)
        #expect(grid.hash.distance(to: reference) <= 10)
        #expect(grid.quality == 100)
    }

    @Test(arguments: Orientation.allCases) func aTurnedPictureHasATurnedHash(_ orientation: Orientation) {
        let picture = DrawnPicture.rectangles(seed: 5, width: 320, height: 240)
        let turned = picture.stored(for: orientation)
        let nearest = picture.hash.turns.map { $0.distance(to: turned.hash) }.min()
        #expect(nearest.map { $0 <= 8 } == true)
        #expect(picture.hash.turnedDistance(to: turned.hash, transposed: picture.hash.transposed) == nearest)
        if orientation != .upright { #expect(picture.hash.distance(to: turned.hash) > 60) }
    }

    @Test func turnsOfTurnsAreTurns() {
        let hash = DrawnPicture.rectangles(seed: 6).hash
        #expect(Set(hash.turns).count == 8)
        for turn in hash.turns { #expect(Set(turn.turns) == Set(hash.turns)) }
    }

    @Test func sizeAndNoiseChangeLittleAndStrangersDifferInHalf() {
        let picture = DrawnPicture(width: 640, height: 480, seed: 3, grain: 0)
        #expect(picture.hash.distance(to: picture.resized(160, 120).hash) <= 16)
        #expect(picture.hash.distance(to: DrawnPicture(width: 640, height: 480, seed: 3, grain: 12).hash) <= 16)
        let first = DrawnPicture.rectangles(seed: 1).hash
        for seed in 2..<8 {
            #expect(abs(first.distance(to: DrawnPicture.rectangles(seed: UInt64(seed)).hash) - 128) < 48)
        }
    }

    @Test func anEmptyPictureHasNoQuality() {
        let empty = DrawnPicture(width: 64, height: 64, rgb: [UInt8](repeating: 90, count: 64 * 64 * 3))
        #expect(HashGrid(empty.luma).quality == 0)
        #expect(!empty.signature.hasDetail)
    }
}
