/// Finds the pairs of pictures whose hashes are close, in any of the eight turns.
///
/// Few pictures are all compared with each other. Of many, only those are that agree in some randomly chosen bits:
/// each round of choosing finds a pair with a known probability, and there are as many rounds as the wanted recall
/// takes.
package struct HashNeighbors: Sendable {
    /// The hashes of one picture.
    package struct Entry: Sendable {
        package var whole: PerceptualHash
        /// Of its inner parts: they meet the whole of a copy that was cropped.
        package var inner: [PerceptualHash]

        package init(whole: PerceptualHash, inner: [PerceptualHash] = []) {
            self.whole = whole
            self.inner = inner
        }
    }

    package struct Neighbor: Hashable, Sendable {
        /// Index of the other entry, always the smaller one.
        package var index: Int
        package var distance: Int
    }

    private let entries: [Entry]
    private let distance: Int
    /// Above this many entries, pairs are found by bits they share; nil where the cheaper way is taken.
    private let exhaustiveLimit: Int?
    /// Of a picture with more neighbours only the first are of use: what stays comes first.
    private static let mostNeighbors = 32
    /// Of a bucket that is fuller than any library of different pictures makes it, only the first are compared.
    private static let mostCompared = 1024

    /// - Parameter distance: in bits of 256.
    package init(_ entries: [Entry], within distance: Int, exhaustiveLimit: Int? = nil) {
        self.entries = entries
        self.distance = distance
        self.exhaustiveLimit = exhaustiveLimit
    }

    /// For each entry its neighbours of a smaller index, at most 32 and the smallest first.
    /// - Parameter accepts: asked about each pair that is close enough: the smaller index, the larger one, the
    ///   distance.
    package func smaller(
        threads: Int, accepts: @Sendable (Int, Int, Int) -> Bool = { _, _, _ in true }
    ) -> [[Neighbor]] {
        let plan = SamplingPlan(count: entries.count, distance: distance, queries: queriesPerEntry)
        if exhaustiveLimit.map({ entries.count <= $0 }) ?? !plan.paysOff { return compareAll(threads, accepts) }
        let wholes = entries.map(\.whole.words)
        let queries = QuerySets(entries)
        let rounds = (0..<plan.rounds).map { $0 }
        let found = Workers.map(
            rounds.chunked(threads), threads: threads, chunk: 1, worker: {},
            { _, rounds in
                var lists = NeighborLists(count: entries.count, most: Self.mostNeighbors)
                for round in rounds where !Interrupt.isRequested {
                    sample(BitSample(plan, round: round), wholes, queries, &lists, accepts)
                }
                return lists
            })
        guard var all = found.first else { return [] }
        for lists in found.dropFirst() { all.merge(lists) }
        return all.lists
    }

    /// Upright and transposed: a bucket holds what is alike in all four mirrorings.
    private var queriesPerEntry: Int { 2 * (1 + (entries.first?.inner.count ?? 0)) }

    private func compareAll(_ threads: Int, _ accepts: @Sendable (Int, Int, Int) -> Bool) -> [[Neighbor]] {
        let table = HashTable(entries)
        return Workers.map(
            entries.indices.map { $0 }, threads: threads, chunk: 64, worker: {},
            { _, index in
                var neighbors: [Neighbor] = []
                if index % 64 == 0, Interrupt.isRequested { return neighbors }
                table.compare(index, within: distance) { other, apart in
                    if accepts(other, index, apart) { neighbors.append(Neighbor(index: other, distance: apart)) }
                    return neighbors.count < Self.mostNeighbors
                }
                return neighbors
            })
    }

    /// One round: entries into buckets by some of their bits, then each query against its bucket.
    private func sample(
        _ bits: BitSample, _ wholes: [SIMD4<UInt64>], _ queries: QuerySets, _ lists: inout NeighborLists,
        _ accepts: (Int, Int, Int) -> Bool
    ) {
        let buckets = Buckets(wholes, bits)
        var sorted = SortedQueries(count: wholes.count, bits)
        for set in 0..<queries.count {
            sorted.sort(queries, set, bits)
            sorted.each { bucket, query, index in
                buckets.each(bucket, atMost: Self.mostCompared) { candidate, other in
                    let apart = PerceptualHash.mirroredDistance(query ^ candidate)
                    guard apart <= distance, other != index else { return }
                    let (low, high) = (min(index, other), max(index, other))
                    if lists.wants(low, of: high), accepts(low, high, apart) {
                        lists.add(Neighbor(index: low, distance: apart), to: high)
                    }
                }
            }
        }
    }
}

/// How many bits to choose and how often, so that a pair at the distance is found with the recall that is stated.
struct SamplingPlan {
    let bits: Int
    let rounds: Int
    let bucketBits: Int
    /// False where comparing all pairs takes less time.
    let paysOff: Bool

    /// Of pairs at the distance itself; closer ones are found more surely.
    static func recall(at distance: Int) -> Double { distance <= 31 ? 0.999999 : 0.995 }

    init(count: Int, distance: Int, queries: Int) {
        let share = 1 - Double(min(distance, 250)) / 256
        var best = (cost: Double.infinity, bits: 1, rounds: 1)
        var found = 1.0
        for bits in 1...30 {
            found *= share
            let rounds = Self.rounds(chance: found, recall: Self.recall(at: distance))
            // Of a lookup and of a comparison, in nanoseconds.
            let cost = Double(rounds) * (25 + 4 * Double(count) / Double(1 << max(0, bits - 4)))
            if cost < best.cost { best = (cost, bits, Int(rounds)) }
        }
        bits = best.bits
        rounds = best.rounds
        // Of a pair with all its turns, in nanoseconds.
        let all = Double(count) / 2 * Double(queries - 1) * 5
        paysOff = count > 1000 && best.cost * Double(queries) < all
        bucketBits = min(24, max(4, Int.bitWidth - count.leadingZeroBitCount))
    }

    /// The fewest rounds in which something of this chance happens once.
    private static func rounds(chance: Double, recall: Double) -> Double {
        var (missed, rounds) = (1.0, 0.0)
        while missed > 1 - recall, rounds < 5000 {
            missed *= 1 - chance
            rounds += 1
        }
        return rounds
    }
}

/// The bits of a hash that one round looks at, mixed into the number of a bucket. A word whose first such bit is set is
/// negated before: mirrored pictures, of which some words are negated, come into one bucket. That costs a bit of each
/// word and saves three of four queries.
private struct BitSample {
    private let mask: SIMD4<UInt64>
    /// The number of the first bit in each word of the mask.
    private let first: SIMD4<UInt64>
    private let shift: UInt64
    let bucketCount: Int

    init(_ plan: SamplingPlan, round: Int) {
        // Seeds that follow each other would give sequences that overlap.
        var seeds = SplitMix64(state: UInt64(round))
        var random = SplitMix64(state: seeds.next())
        var mask = SIMD4<UInt64>()
        var left = plan.bits
        while left > 0 {
            let bit = random.next() >> 58
            if mask[left % 4] >> bit & 1 == 0 {
                mask[left % 4] |= 1 << bit
                left -= 1
            }
        }
        self.mask = mask
        first = SIMD4((0..<4).map { UInt64(mask[$0].trailingZeroBitCount & 63) })
        shift = UInt64(64 - plan.bucketBits)
        bucketCount = 1 << plan.bucketBits
    }

    func bucket(of words: SIMD4<UInt64>) -> Int {
        let negation = SIMD4<UInt64>() &- (words &>> first & 1)
        let seen = (words ^ negation) & mask
        var mixed = seen[0] &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 32 ^ seen[1]) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 32 ^ seen[2]) &* 0x94D0_49BB_1331_11EB
        mixed = (mixed ^ mixed >> 32 ^ seen[3]) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: ((mixed ^ mixed >> 32) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }
}

/// The same numbers in each run, so that the same library gives the same groups.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

/// All hashes side by side, for comparing each with each.
private struct HashTable: Sendable {
    private let wholes: [SIMD4<UInt64>]
    private let transposed: [SIMD4<UInt64>]
    /// Of each inner part, as many as there are entries.
    private let inner: [(words: [SIMD4<UInt64>], transposed: [SIMD4<UInt64>])]

    init(_ entries: [HashNeighbors.Entry]) {
        wholes = entries.map(\.whole.words)
        transposed = entries.map(\.whole.transposed)
        inner = (0..<(entries.map(\.inner.count).min() ?? 0)).map { part in
            (entries.map { $0.inner[part].words }, entries.map { $0.inner[part].transposed })
        }
    }

    /// Calls `found` with each smaller index within the distance, until it returns false.
    func compare(_ index: Int, within distance: Int, _ found: (_ other: Int, _ apart: Int) -> Bool) {
        let own = (PerceptualHash(words: wholes[index]), transposed[index])
        let ownInner = inner.map { (PerceptualHash(words: $0.words[index]), $0.transposed[index]) }
        for other in 0..<index {
            let whole = PerceptualHash(words: wholes[other])
            var nearest = own.0.turnedDistance(to: whole, transposed: own.1)
            // The inner part of one against the whole of the other, both ways.
            for part in inner.indices {
                let mine = ownInner[part].0.turnedDistance(to: whole, transposed: ownInner[part].1)
                let theirs = own.0.turnedDistance(
                    to: PerceptualHash(words: inner[part].words[other]), transposed: own.1)
                nearest = min(nearest, mine, theirs)
            }
            if nearest <= distance, !found(other, nearest) { return }
        }
    }
}

/// The hashes that each entry asks for: its own and those of its inner parts, upright and transposed.
private struct QuerySets {
    /// Upright and transposed, by the whole and the inner parts.
    private let bases: [[SIMD4<UInt64>]]
    var count: Int { bases.count }

    init(_ entries: [HashNeighbors.Entry]) {
        let inner = entries.map(\.inner.count).min() ?? 0
        bases = (0...inner).flatMap { part in
            let hashes = entries.map { part == 0 ? $0.whole : $0.inner[part - 1] }
            return [hashes.map(\.words), hashes.map(\.transposed)]
        }
    }

    func base(_ set: Int) -> [SIMD4<UInt64>] { bases[set] }
}

/// The queries of one set in the order of the part of the table that they will meet: a part fits into the
/// processor's cache, the table of a million does not.
private struct SortedQueries {
    private var words: [SIMD4<UInt64>]
    private var targets: [(bucket: UInt32, index: UInt32)]
    private let partShift: Int
    private let parts: Int

    init(count: Int, _ bits: BitSample) {
        words = Array(repeating: SIMD4(), count: count)
        targets = Array(repeating: (0, 0), count: count)
        partShift = 12
        parts = max(1, bits.bucketCount >> partShift)
    }

    mutating func sort(_ queries: QuerySets, _ set: Int, _ bits: BitSample) {
        let base = queries.base(set)
        var places = [Int](repeating: 0, count: parts + 1)
        let buckets = base.map { UInt32(bits.bucket(of: $0)) }
        for bucket in buckets { places[Int(bucket) >> partShift + 1] += 1 }
        for part in 0..<parts { places[part + 1] += places[part] }
        for (index, bucket) in buckets.enumerated() {
            let place = places[Int(bucket) >> partShift]
            places[Int(bucket) >> partShift] = place + 1
            words[place] = base[index]
            targets[place] = (bucket, UInt32(index))
        }
    }

    func each(_ body: (_ bucket: Int, _ query: SIMD4<UInt64>, _ index: Int) -> Void) {
        for (query, target) in zip(words, targets) { body(Int(target.bucket), query, Int(target.index)) }
    }
}

/// Entries by bucket, the smallest index first.
private struct Buckets {
    private var starts: [Int32]
    private var members: [Int32]
    private var words: [SIMD4<UInt64>]

    init(_ hashes: [SIMD4<UInt64>], _ bits: BitSample) {
        let buckets = hashes.map { UInt32(bits.bucket(of: $0)) }
        starts = [Int32](repeating: 0, count: bits.bucketCount + 1)
        for bucket in buckets { starts[Int(bucket) + 1] += 1 }
        for bucket in 0..<bits.bucketCount { starts[bucket + 1] += starts[bucket] }
        var places = starts
        members = [Int32](repeating: 0, count: hashes.count)
        words = hashes
        for (index, bucket) in buckets.enumerated() {
            let place = Int(places[Int(bucket)])
            members[place] = Int32(index)
            words[place] = hashes[index]
            places[Int(bucket)] += 1
        }
    }

    func each(_ bucket: Int, atMost most: Int, _ body: (_ words: SIMD4<UInt64>, _ index: Int) -> Void) {
        let start = Int(starts[bucket])
        for place in start..<min(Int(starts[bucket + 1]), start + most) { body(words[place], Int(members[place])) }
    }
}

/// The neighbours found so far, at most so many of each entry, the smallest index first.
private struct NeighborLists {
    private(set) var lists: [[HashNeighbors.Neighbor]]
    private let most: Int

    init(count: Int, most: Int) {
        lists = Array(repeating: [], count: count)
        self.most = most
    }

    /// False where the neighbour is too far down the list to be of use.
    func wants(_ index: Int, of entry: Int) -> Bool {
        lists[entry].count < most || lists[entry].last.map { index <= $0.index } ?? true
    }

    mutating func add(_ neighbor: HashNeighbors.Neighbor, to entry: Int) {
        if let place = lists[entry].firstIndex(where: { $0.index >= neighbor.index }) {
            if lists[entry][place].index == neighbor.index {
                lists[entry][place].distance = min(lists[entry][place].distance, neighbor.distance)
                return
            }
            lists[entry].insert(neighbor, at: place)
            if lists[entry].count > most { lists[entry].removeLast() }
        } else if lists[entry].count < most {
            lists[entry].append(neighbor)
        }
    }

    mutating func merge(_ other: NeighborLists) {
        for (entry, list) in other.lists.enumerated() {
            for neighbor in list { add(neighbor, to: entry) }
        }
    }
}

extension Array {
    /// The elements dealt out to `count` arrays.
    fileprivate func chunked(_ count: Int) -> [[Element]] {
        (0..<Swift.max(1, count)).map { start in
            Swift.stride(from: start, to: self.count, by: Swift.max(1, count)).map { self[$0] }
        }
    }
}
