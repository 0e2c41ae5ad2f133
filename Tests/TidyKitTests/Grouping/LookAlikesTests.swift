internal import Support
import Testing

@testable import TidyKit

@Suite struct LookAlikesTests {
    private static func signature(
        _ bits: [Int], quality: Int = 100, color: ColorSignature = .gray
    ) -> PictureSignature {
        var words = SIMD4<UInt64>(
            0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, 0x0F1E_2D3C_4B5A_6978, 0x1122_3344_5566_7788)
        for bit in bits { words[bit / 64] ^= 1 << UInt64(bit % 64) }
        return PictureSignature(whole: PerceptualHash(words: words), inner: [], quality: quality, color: color)
    }

    @Test("Each member is like the one that stays: a chain makes no group")
    func groupsAreNoChains() {
        // 8 bits from one to the next, 16 from the first to the third.
        let signatures = [[], Array(0..<8), Array(0..<16)].map { Self.signature($0) }
        let groups = LookAlikes.groups(signatures, within: 10, threads: 1)
        #expect(groups == [.init(keep: 0, members: [.init(index: 1, distance: 8)])])
    }

    @Test func aMemberJoinsTheNearestOfThoseThatStay() {
        let signatures = [[], Array(0..<12), Array(0..<8)].map { Self.signature($0) }
        let groups = LookAlikes.groups(signatures, within: 10, threads: 1)
        #expect(groups == [.init(keep: 1, members: [.init(index: 2, distance: 4)])])
    }

    @Test func picturesWithoutDetailAreLikeNothing() {
        let signatures = [Self.signature([]), Self.signature([], quality: 3)]
        #expect(LookAlikes.groups(signatures, within: 60, threads: 1).isEmpty)
    }

    @Test func otherColoursAreOtherPicturesAndGrayIsAny() {
        let sunset = ColorSignature(blue: 90, red: 190, chroma: 60)
        let lawn = ColorSignature(blue: 100, red: 100, chroma: 40)
        func areAlike(_ left: ColorSignature, _ right: ColorSignature) -> Bool {
            let signatures = [Self.signature([], color: left), Self.signature([], color: right)]
            return !LookAlikes.groups(signatures, within: 60, threads: 1).isEmpty
        }
        #expect(!areAlike(sunset, lawn))
        #expect(areAlike(sunset, sunset))
        #expect(areAlike(sunset, .gray))
    }

    @Test func whatCannotBeComparedAndWhatMayNotJoinStaysAlone() {
        let one = Self.signature([])
        #expect(LookAlikes.groups([one, nil, one], within: 5, threads: 1).map(\.keep) == [0])
        #expect(LookAlikes.groups([one, one], within: 5, threads: 1, mayJoin: { _, _ in false }).isEmpty)
    }

    /// Two thumbnails whose hashes are close by chance: their pictures need not be decoded.
    @Test func thumbnailsOfDifferentOutlineAreNoCandidates() {
        let picture = DrawnPicture.rectangles(seed: 11, width: 160, height: 120)
        let copy = picture.cropped(left: 4, top: 3, right: 4, bottom: 3).stored(for: .rotatedLeft)
        let stranger = DrawnPicture.rectangles(seed: 12, width: 160, height: 120)
        func thumbnail(_ picture: DrawnPicture) -> PictureSignature {
            var signature = PictureSignature(picture.luma, color: .gray, isOfThumbnail: true)
            signature.whole = Self.signature([]).whole
            signature.inner = []
            return signature
        }
        let own = PictureSignature(picture.luma, color: .gray, isOfThumbnail: true)
        let turned = PictureSignature(copy.luma, color: .gray, isOfThumbnail: true)
        #expect(LookAlikes.candidates([own, turned], within: 90, threads: 1) == [0, 1])
        #expect(LookAlikes.candidates([thumbnail(picture), thumbnail(stranger)], within: 90, threads: 1) == [])
        #expect(LookAlikes.candidates([thumbnail(picture), thumbnail(picture)], within: 90, threads: 1) == [0, 1])
    }
}
