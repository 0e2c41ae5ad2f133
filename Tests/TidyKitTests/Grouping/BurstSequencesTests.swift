import Testing

@testable import TidyKit

/// Which shots are a burst, and which belong together so that none may go.
@Suite struct BurstSequencesTests {
    private static let start = WallClock(year: 2024, month: 5, day: 1, hour: 10)!

    /// Shots at these times, in seconds; whole ones have no fraction.
    private func shots(
        _ times: [Double], model: String? = "One", wholeSeconds: Bool = false,
        _ change: (Int, inout ShotTraits) -> Void = { _, _ in }
    ) -> [BurstShot] {
        times.enumerated().map { index, time in
            let second = time.rounded(.down)
            let hundredths = Int(((time - second) * 100).rounded())
            let digits = (hundredths < 10 ? "0" : "") + "\(hundredths)"
            let taken = CaptureDate(
                wall: WallClock(seconds: Self.start.seconds + Int64(second)), subseconds: wholeSeconds ? nil : digits,
                source: .dateTimeOriginal)
            var traits = ShotTraits()
            change(index, &traits)
            let name = "IMG_\(1000 + index).JPG"
            return BurstShot(path: FilePath(name), make: "Acme", model: model, taken: taken, traits: traits)
        }
    }

    private func sets(_ shots: [BurstShot], seconds: Double = 1) -> [ShotSet?] {
        BurstSequences.find(in: shots, seconds: seconds).map(\.set)
    }

    private func members(_ shots: [BurstShot], seconds: Double = 1) -> [[Int]] {
        BurstSequences.find(in: shots, seconds: seconds).map(\.members)
    }

    @Test func shotsWithinTheTimeOfTheOneBefore() {
        #expect(members(shots([0, 0.4, 0.9, 5, 5.5, 60])) == [[0, 1, 2], [3, 4]])
        #expect(members(shots([0, 1, 2.01])) == [[0, 1]])
        #expect(members(shots([0, 3, 6]), seconds: 3) == [[0, 1, 2]])
        #expect(members(shots([5, 0, 0.5])) == [[1, 2]])
    }

    @Test func anotherCameraIsNoPartOfIt() {
        var shots = shots([0, 0.1, 0.2]) { index, traits in traits.serial = index == 1 ? "B" : "A" }
        #expect(members(shots) == [[0, 2]])
        shots[2].model = "Two"
        #expect(members(shots) == [])
        #expect(members(self.shots([0, 0.1], model: nil)) == [])
    }

    /// Telephones say it themselves, however long it took.
    @Test func aBurstIdentifierJoinsAndSeparates() {
        let shots = shots([0, 9, 9.1, 9.2]) { index, traits in traits.burst = index < 2 ? "a" : "b" }
        #expect(members(shots) == [[0, 1], [2, 3]])
    }

    @Test func bracketsAreKept() {
        #expect(
            sets(shots([0, 0.3, 0.6]) { index, traits in traits.exposureBias = [0, -2000, 2000][index] }) == [
                .exposureBracket
            ])
        #expect(sets(shots([0, 0.3, 0.6]) { index, traits in traits.isBracketed = index == 1 }) == [.exposureBracket])
        #expect(sets(shots([0, 0.3, 0.6]) { _, traits in traits.exposureBias = -333 }) == [nil])
    }

    @Test func focusStacksAreKept() {
        #expect(
            sets(shots([0, 0.3, 0.6]) { index, traits in traits.subjectDistance = 300 + 20 * index }) == [.focusStack])
        #expect(
            sets(shots([0, 0.3, 0.6]) { index, traits in traits.subjectDistance = [300, 320, 310][index] }) == [nil])
        #expect(sets(shots([0, 0.3]) { index, traits in traits.subjectDistance = 300 + 20 * index }) == [nil])
        #expect(sets(shots([0, 0.3]) { _, traits in traits.isFocusBracketed = true }) == [.focusStack])
    }

    @Test func panoramasAreKept() {
        #expect(sets(shots([0, 0.9]) { _, traits in traits.isPanoramaPart = true }) == [.panorama])
        var parts = shots([0, 0.9])
        parts[0].path = FilePath("STA_1.JPG")
        parts[1].path = FilePath("STB_2.JPG")
        #expect(sets(parts) == [.panorama])
    }

    @Test func timelapsesAreKeptByTheirRegularity() {
        #expect(sets(shots((0..<12).map { 1.5 * Double($0) }), seconds: 2) == [.timelapse])
        #expect(
            sets(shots((0..<12).map { Double(Int(1.5 * Double($0))) }, wholeSeconds: true), seconds: 2) == [.timelapse])
        // Too few, too fast, and by hand.
        #expect(sets(shots((0..<7).map { 1.5 * Double($0) }), seconds: 2) == [nil])
        #expect(sets(shots((0..<12).map { 0.2 * Double($0) }), seconds: 2) == [nil])
        #expect(sets(shots([0, 1, 3, 4.2, 6, 7, 7.3, 9, 11, 11.4]), seconds: 2.5) == [nil])
    }

    @Test func whatHasNoTimeOfDayIsInNone() {
        var shots = shots([0, 0.1, 0.2])
        shots[0].taken = nil
        shots[1].taken = CaptureDate(wall: Self.start, source: .dateTimeOriginal, precision: .minute)
        shots[2].taken = CaptureDate(wall: Self.start, source: .modified)
        #expect(members(shots) == [])
    }

    /// Some cameras leave out a fraction of zero: an order of pairs alone would be a circle.
    @Test func theOrderIsOneForAllPermutations() {
        let fractions: [(name: String, fraction: String?)] = [
            ("IMG_3", "1"), ("IMG_2", nil), ("IMG_1", "2"), ("x", nil), ("IMG_4", "1"),
        ]
        let all = fractions.map { name, fraction in
            let taken = CaptureDate(wall: Self.start, subseconds: fraction, source: .dateTimeOriginal)
            return BurstShot(
                path: FilePath(name + ".jpg"), make: "Acme", model: "One", taken: taken, traits: ShotTraits())
        }
        for order in Self.permutations(Array(all.indices)) {
            let shots = order.map { all[$0] }
            let names = members(shots).map { $0.map { shots[$0].path.displayText } }
            #expect(names == [["x.jpg", "IMG_2.jpg", "IMG_3.jpg", "IMG_4.jpg", "IMG_1.jpg"]])
        }
    }

    private static func permutations(_ items: [Int]) -> [[Int]] {
        if items.count < 2 { return [items] }
        return items.flatMap { first in permutations(items.filter { $0 != first }).map { [first] + $0 } }
    }
}
