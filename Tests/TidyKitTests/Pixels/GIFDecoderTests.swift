internal import Support
import Testing

@testable import TidyKit

/// The first frame on its canvas, from files that say what no encoder would.
@Suite(.enabled(if: PictureReducer.obstacle(.gif) == nil, "libgif7 is not installed"))
struct GIFDecoderTests {
    private static let drawn = DrawnPicture(width: 120, height: 90, seed: 5, grain: 0)
    /// Where the descriptor of the picture begins, behind a palette of 256 colours.
    private static let descriptor = 13 + 3 * 256

    private func planes(_ bytes: [UInt8]) throws -> Planes {
        try GIFDecoder.picture(bytes, DecodingOptions()).decode(SourcePicture.Reduction())
    }

    private func luma(_ planes: Planes, _ x: Int, _ y: Int) -> UInt8 { planes.components[0].plane.row(y)[x] }

    /// The fields of the descriptor: left, top, width and height.
    private func changed(_ field: Int, to value: Int, in bytes: [UInt8]? = nil) -> [UInt8] {
        var bytes = bytes ?? Self.drawn.gif()
        bytes[Self.descriptor + 1 + 2 * field] = UInt8(value & 255)
        bytes[Self.descriptor + 2 + 2 * field] = UInt8(value >> 8)
        return bytes
    }

    /// Its codes grow to twelve bits, and stay so when the table is full.
    @Test func aFullTableOfCodesIsDecoded() throws {
        let (plain, full) = (try planes(Self.drawn.gif()), try planes(Self.drawn.gif(clears: false)))
        for y in 0..<Self.drawn.height {
            for x in 0..<Self.drawn.width { #expect(luma(plain, x, y) == luma(full, x, y)) }
        }
    }

    @Test func aFrameLiesWhereItSays() throws {
        let plain = try planes(Self.drawn.gif())
        let moved = try planes(changed(1, to: 30, in: changed(0, to: 20)))
        #expect(moved.width == 120 && moved.height == 90)
        #expect(luma(moved, 20, 30) == luma(plain, 0, 0))
        #expect(luma(moved, 119, 89) == luma(plain, 99, 59))
        #expect(luma(moved, 19, 30) == 255 && luma(moved, 20, 29) == 255)
    }

    @Test(arguments: [false, true]) func aFrameOutsideTheCanvasIsLeftOut(_ isInterlaced: Bool) throws {
        let gif = Self.drawn.gif(isInterlaced: isInterlaced)
        for field in 0...1 {
            let outside = try planes(changed(field, to: 65_000, in: gif))
            #expect((0..<90).allSatisfy { y in (0..<120).allSatisfy { luma(outside, $0, y) == 255 } })
        }
    }

    @Test func aFrameWithoutPixelsIsRefused() throws {
        for field in 2...3 {
            #expect(throws: PictureError.self) { try planes(changed(field, to: 0)) }
        }
    }

    /// 4 gigapixels on a canvas of 120 × 90.
    @Test func aFrameWithTooManyPixelsIsRefused() throws {
        let large = changed(3, to: 65_535, in: changed(2, to: 65_535))
        #expect(throws: PictureError.self) { try planes(large) }
    }

    @Test func whatIsTransparentIsWhite() throws {
        var bytes = Self.drawn.gif()
        let plain = try planes(bytes)
        let rgb = Self.drawn.rgb
        let first = 36 * (Int(rgb[0]) / 43) + 6 * (Int(rgb[1]) / 43) + Int(rgb[2]) / 43
        bytes.insert(contentsOf: [0x21, 0xF9, 4, 1, 0, 0, UInt8(first), 0], at: Self.descriptor)
        #expect(luma(plain, 0, 0) < 255)
        #expect(luma(try planes(bytes), 0, 0) == 255)
    }

    @Test func whatIsCutOffIsWhite() throws {
        let gif = Self.drawn.gif()
        let half = try planes(Array(gif[..<(Self.descriptor + (gif.count - Self.descriptor) / 2)]))
        let plain = try planes(gif)
        #expect(luma(half, 3, 3) == luma(plain, 3, 3))
        #expect(luma(half, 119, 89) == 255)
        for length in [0, 6, 12, 13, 700, Self.descriptor, Self.descriptor + 9] {
            #expect(throws: PictureError.self) { try planes(Array(gif[..<length])) }
        }
    }

    /// No code has more than eight bits for a pixel, and no index is beyond the palette's.
    @Test func codesThatNoneMayHaveAreRefused() throws {
        var bytes = Self.drawn.gif()
        for size: UInt8 in [9, 12, 40, 255] {
            bytes[Self.descriptor + 10] = size
            #expect(throws: PictureError.self) { try planes(bytes) }
        }
    }
}
