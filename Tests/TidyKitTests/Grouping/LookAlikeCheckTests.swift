internal import Support
import Testing

@testable import TidyKit

/// Whether two pictures whose hashes may be close show the same.
@Suite struct LookAlikeCheckTests {
    private static let picture = DrawnPicture.rectangles(seed: 11, width: 640, height: 480)

    private func isAlike(_ other: DrawnPicture) -> Bool { LookAlikeCheck.areAlike(Self.picture.grid, other.grid) }

    @Test func copiesAreAlike() {
        #expect(isAlike(Self.picture))
        #expect(isAlike(Self.picture.resized(200, 150)))
        #expect(isAlike(Self.picture.changed { _, _, rgb in rgb.map { UInt8(min(255, Int($0) * 115 / 100)) } }))
        #expect(isAlike(Self.picture.changed { _, _, rgb in rgb.map { UInt8(Int($0) * 85 / 100) } }))
    }

    @Test func croppedCopiesAreAlike() {
        #expect(isAlike(Self.picture.cropped(left: 19, top: 14, right: 19, bottom: 14)))
        #expect(isAlike(Self.picture.cropped(left: 0, top: 24)))
        #expect(isAlike(Self.picture.cropped(left: 32, top: 24)))
    }

    /// A fence whose wires lie about as close as the samples of the grid: sampled without a blur they make another
    /// pattern in each crop.
    @Test(arguments: [6, 13, 19]) func aCropOfAFinePatternIsAlike(_ edge: Int) {
        let fence = Self.picture.changed { x, y, rgb in
            (x * 10 + y * 3) % 97 < 40 || (x * 10 - y * 3 + 10_000) % 97 < 40 ? rgb.map { $0 / 3 } : rgb
        }
        let cropped = fence.cropped(left: edge, top: edge * 3 / 4, right: edge, bottom: edge * 3 / 4)
        let isAlike = LookAlikeCheck.areAlike(fence.grid, cropped.grid)
        #expect(isAlike)
    }

    @Test func aCaptionMakesNoOtherPicture() {
        #expect(
            isAlike(
                Self.picture.changed { x, y, rgb in y < 432 ? rgb : [UInt8](repeating: x % 40 < 20 ? 255 : 0, count: 3)
                }))
    }

    /// The caption darkens a tenth of a bright and even picture: its coarse picture is another one, unless the caption
    /// is moved out of sight.
    @Test func aCaptionMakesNoOtherPictureInEitherOrder() {
        let field = DrawnPicture(width: 640, height: 480, seed: 5, grain: 12).changed { _, _, rgb in
            rgb.map { 160 + $0 / 4 }
        }
        let captioned = field.changed { _, y, rgb in y < 432 ? rgb : [0, 0, 0] }
        let orders = [(field.grid, captioned.grid), (captioned.grid, field.grid)].map(LookAlikeCheck.areAlike)
        #expect(orders == [true, true])
    }

    /// The frame after: a part of the scene lies somewhere else.
    @Test func whatHasMovedMakesAnotherPicture() {
        let (picture, source) = (Self.picture, Self.picture.rgb)
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(source[(3 * (y * 640 + x))..<(3 * (y * 640 + x) + 3)]) }
        let moved = picture.changed { x, y, rgb in
            if (300..<430).contains(x), (200..<330).contains(y) { return pixel(x - 70, y - 40) }
            return (230..<300).contains(x) && (160..<290).contains(y) ? pixel(x - 100, y) : rgb
        }
        #expect(!isAlike(moved))
    }

    /// Gray text on a dark screen: its contrast is that of noise in a photo.
    @Test func textOfLittleContrastIsSeen() {
        func screen(_ seed: UInt64) -> DrawnPicture {
            let text = DrawnPicture.rectangles(seed: seed, width: 640, height: 480)
            return text.changed { _, _, rgb in rgb.map { 30 + $0 / 16 } }
        }
        let areAlike = [(1, 2), (3, 4), (5, 6), (7, 7)].map { pair in
            LookAlikeCheck.areAlike(screen(UInt64(pair.0)).grid, screen(UInt64(pair.1)).grid)
        }
        #expect(areAlike == [false, false, false, true])
    }

    @Test func anotherPictureInTheLowestQuarterIsNoCaption() {
        let (picture, other) = (Self.picture, DrawnPicture.rectangles(seed: 99, width: 640, height: 480))
        let replaced = picture.changed { x, y, rgb in
            y < 360 ? rgb : (0..<3).map { other.rgb[3 * (y * 640 + x) + $0] }
        }
        let isAlike = LookAlikeCheck.areAlike(picture.grid, replaced.grid)
        #expect(!isAlike)
    }

    @Test func strangersAreNotAlike() {
        for seed in 20..<30 { #expect(!isAlike(DrawnPicture.rectangles(seed: UInt64(seed), width: 640, height: 480))) }
    }

    @Test(arguments: Orientation.allCases) func turnedPicturesAreConfirmed(_ orientation: Orientation) {
        #expect(Self.picture.signature.isConfirmed(by: Self.picture.stored(for: orientation).signature))
    }

    @Test func oddBlocksOfACaptionDoNotCount() {
        var odd = [Bool](repeating: false, count: 64)
        for column in 1..<7 { odd[56 + column] = true }
        #expect(LookAlikeCheck.oddBlocks(odd) == 0)
        odd[27] = true
        #expect(LookAlikeCheck.oddBlocks(odd) == 1)
        for row in 0..<8 { odd[8 * row] = true }
        #expect(LookAlikeCheck.oddBlocks(odd) > 1)
    }

    @Test func coloursOfOtherPicturesAreApart() {
        func color(_ blue: UInt8, _ red: UInt8) -> ColorSignature {
            ColorSignature(blue: [UInt8](repeating: blue, count: 9), red: [UInt8](repeating: red, count: 9))
        }
        #expect(!color(100, 180).isCompatible(with: color(110, 100)))
        #expect(color(100, 180).isCompatible(with: color(110, 170)))
        #expect(color(100, 180).isCompatible(with: .gray))
    }
}
