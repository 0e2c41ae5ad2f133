import Testing

@testable import TidyKit

@Suite struct VideoLengthsTests {
    @Test(
        arguments: [
            (100, 100, true), (100, 100.4, true), (100, 100.6, false), (10, 10.09, true), (10, 10.2, false),
            (7200, 7200.5, true), (7200, 7201, false), (0, 0, false), (nil, 10, false), (nil, nil, false),
        ] as [(Double?, Double?, Bool)])
    func lengthsAgreeWithinAPercentAndHalfASecond(_ left: Double?, _ right: Double?, _ agree: Bool) {
        #expect(VideoLengths.agree(left, right) == agree)
        #expect(VideoLengths.agree(right, left) == agree)
    }

    @Test func aVideoWithoutAnotherOfItsLengthIsLone() {
        #expect(VideoLengths([20, nil, 10, 300, 20.1, nil]).hasPartner == [true, false, false, false, true, false])
        #expect(VideoLengths([]).hasPartner == [])
    }
}
