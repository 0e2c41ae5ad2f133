import Synchronization
import Testing

@testable import TidyKit

@Suite struct HashNeighborsTests {
    private static func random(_ count: Int, seed: UInt64) -> [PerceptualHash] {
        var random = SplitMix64(state: seed)
        return (0..<count).map { _ in
            PerceptualHash(words: SIMD4(random.next(), random.next(), random.next(), random.next()))
        }
    }

    private static func changed(_ hash: PerceptualHash, bits: Int, seed: UInt64) -> PerceptualHash {
        var random = SplitMix64(state: seed)
        var places: Set<Int> = []
        while places.count < bits { places.insert(Int(random.next() >> 56)) }
        var words = hash.words
        for place in places { words[place / 64] ^= 1 << UInt64(place % 64) }
        return PerceptualHash(words: words)
    }

    /// Hashes of strangers, then near copies of the first of them, every fourth one turned.
    private static func library(_ count: Int, near: Int, bits: Int) -> [HashNeighbors.Entry] {
        let strangers = random(count, seed: 7)
        let copies = (0..<near).map { index in
            let copy = changed(strangers[index], bits: bits, seed: UInt64(index))
            return index % 4 == 0 ? copy.turns[1 + index / 4 % 7] : copy
        }
        return (strangers + copies).map { HashNeighbors.Entry(whole: $0) }
    }

    @Test(
        "Near pairs are found and strangers are not, compared each with each and by sampled bits",
        arguments: [0, 10000])
    func nearPairsAreFound(exhaustiveLimit: Int) {
        let entries = Self.library(1000, near: 400, bits: 31)
        let lists = HashNeighbors(entries, within: 31, exhaustiveLimit: exhaustiveLimit).smaller(threads: 2)
        for index in 0..<400 {
            #expect(lists[1000 + index] == [HashNeighbors.Neighbor(index: index, distance: 31)])
        }
        let pairs = lists.reduce(0) { $0 + $1.count }
        #expect(pairs == 400)
    }

    @Test func aPairBeyondTheDistanceIsNotFound() {
        let entries = Self.library(100, near: 50, bits: 32)
        let lists = HashNeighbors(entries, within: 31).smaller(threads: 1)
        #expect(lists == Array(repeating: [], count: 150))
    }

    @Test("The recall that the plan states is the recall that is found")
    func recallAtALargeDistance() {
        let entries = Self.library(2000, near: 1000, bits: 60)
        let lists = HashNeighbors(entries, within: 60, exhaustiveLimit: 0).smaller(threads: 2)
        let found = (0..<1000).count { index in lists[2000 + index].contains { $0.index == index } }
        #expect(Double(found) / 1000 >= SamplingPlan.goal(at: 60).recall - 0.01)
    }

    @Test("The inner part of one picture meets the whole of its crop, whichever comes first", arguments: [true, false])
    func cropsAreFoundBothWays(cropComesFirst: Bool) {
        let hashes = Self.random(3, seed: 3)
        let original = HashNeighbors.Entry(whole: hashes[0], inner: [hashes[1]])
        let crop = HashNeighbors.Entry(whole: hashes[1], inner: [hashes[2]])
        for limit in [0, 100] {
            let lists = HashNeighbors(
                cropComesFirst ? [crop, original] : [original, crop], within: 10, exhaustiveLimit: limit
            ).smaller(threads: 1)
            #expect(lists == [[], [HashNeighbors.Neighbor(index: 0, distance: 0)]])
        }
    }

    @Test func ofManyThatAreAlikeTheFirstAreKept() {
        let hash = Self.random(1, seed: 9)[0]
        let entries = (0..<300).map { HashNeighbors.Entry(whole: Self.changed(hash, bits: 2, seed: $0)) }
        for limit in [0, 1000] {
            let lists = HashNeighbors(entries, within: 10, exhaustiveLimit: limit).smaller(threads: 2)
            #expect(lists[299].first?.index == 0)
            #expect(lists[299].count == 32)
        }
    }

    @Test func whatIsNotAcceptedIsNoNeighbour() {
        let entries = Self.library(20, near: 10, bits: 4)
        let lists = HashNeighbors(entries, within: 10).smaller(threads: 1) { low, _, _ in low % 2 == 0 }
        for index in 0..<10 { #expect(lists[20 + index].isEmpty == (index % 2 == 1)) }
    }

    /// The plan itself, whatever the number of photos: it must not be cheap by finding nothing.
    @Test(arguments: [1_000, 10_000, 61_001, 244_001, 1_000_000])
    func aPlanThatPaysOffHasTheStatedRecall(_ count: Int) {
        for distance in stride(from: 0, through: 128, by: 2) {
            let plan = SamplingPlan(count: count, distance: distance, queries: 6)
            guard plan.paysOff else { continue }
            var missed = 1.0
            for _ in 0..<plan.rounds { missed *= 1 - plan.chance }
            #expect(1 - missed >= SamplingPlan.goal(at: distance).recall, "\(count) photos at \(distance)")
        }
    }

    /// A timelapse: each frame is close to all others by its hash, and each pair is another picture.
    @Test func notEveryStrangerOfATimelapseIsLookedAt() {
        let entries = (0..<600).map { _ in HashNeighbors.Entry(whole: Self.random(1, seed: 7)[0]) }
        let looked = Mutex(0)
        let lists = HashNeighbors(entries, within: 10).smaller(threads: 2) { _, _, _ in
            looked.withLock { $0 += 1 }
            return false
        }
        #expect(lists == [[HashNeighbors.Neighbor]](repeating: [], count: 600))
        #expect(looked.withLock { $0 } < 600 * 129)
    }
}
