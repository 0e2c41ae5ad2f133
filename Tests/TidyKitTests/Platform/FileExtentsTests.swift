import Testing

@testable import TidyKit

/// When two files share all their blocks.
@Suite struct FileExtentsTests {
    private typealias Extent = FileExtents.Extent

    private func extent(
        _ logical: UInt64, at physical: UInt64, _ length: UInt64 = 4096, isShared: Bool = true, isPlaced: Bool = true
    ) -> Extent {
        Extent(logical: logical, physical: physical, length: length, isShared: isShared, isPlaced: isPlaced)
    }

    private func areShared(_ left: [Extent], _ right: [Extent]) -> Bool {
        let (left, right) = (FileExtents(left), FileExtents(right))
        #expect(left.areAllShared(with: right) == right.areAllShared(with: left))
        return left.areAllShared(with: right)
    }

    @Test func sameBlocksAreSharedHoweverTheyAreDivided() {
        let whole = [extent(0, at: 1 << 20, 8192), extent(8192, at: 1 << 24)]
        #expect(areShared(whole, whole))
        let divided = [extent(0, at: 1 << 20), extent(4096, at: (1 << 20) + 4096), extent(8192, at: 1 << 24)]
        #expect(areShared(whole, divided))
    }

    @Test func oneBlockOfItsOwnIsEnoughToFreeSomething() {
        let shared = [extent(0, at: 1 << 20), extent(4096, at: 1 << 24)]
        #expect(!areShared(shared, [extent(0, at: 1 << 20), extent(4096, at: 1 << 25)]))
        #expect(!areShared(shared, [extent(0, at: 1 << 20)]))
        #expect(!areShared(shared, [extent(0, at: 1 << 20), extent(8192, at: 1 << 24)]))
        #expect(!areShared(shared, [extent(0, at: 1 << 20), extent(4096, at: 1 << 24, isShared: false)]))
    }

    /// Equal places mean nothing without the flag: an unplaced extent says 0, on whatever file.
    @Test func whatHasNoPlaceIsNotShared() {
        #expect(!areShared([], []))
        for (isShared, isPlaced) in [(false, true), (true, false), (false, false)] {
            let extents = [extent(0, at: 0, isShared: isShared, isPlaced: isPlaced)]
            #expect(!areShared(extents, extents))
        }
        #expect(!areShared([extent(0, at: 4096, 0)], [extent(0, at: 4096, 0)]))
    }

    /// Only then is a file written to the disk to look again.
    @Test func whatIsNeitherSharedNorDelayedIsNoClone() {
        var own = extent(0, at: 4096, isShared: false)
        #expect(!FileExtents([]).mayBeShared && !FileExtents([own]).mayBeShared)
        #expect(FileExtents([own, extent(4096, at: 1 << 20)]).mayBeShared)
        own.isDelayed = true
        #expect(FileExtents([own]).mayBeShared)
    }
}
