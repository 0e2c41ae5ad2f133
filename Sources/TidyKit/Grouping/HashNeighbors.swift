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
    /// Told how many of the comparisons are done.
    package var progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    /// Of a picture with more neighbours only the first are of use: what stays comes first.
    private static let mostNeighbors = 32
    /// Of a picture that is close to very many which turn out to be others, such as the frames of a timelapse, no more
    /// are looked at: it would take hours.
    private static let mostRejected = 128
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
        var lists: [[Neighbor]] = []
        lists.reserveCapacity(entries.count)
        // An entry is compared with those before it: the slices take about as long, the first ones less.
        let slice = max(256, entries.count / 64)
        for start in stride(from: 0, to: entries.count, by: slice) {
            let end = min(start + slice, entries.count)
            lists += Workers.map(
                (start..<end).map { $0 }, threads: threads, chunk: 16, worker: {},
                { _, index in Self.neighbors(of: index, in: table, within: distance, accepts) })
            progress(Int(Double(end) * Double(end) / Double(entries.count)), entries.count)
        }
        return lists
    }

    private static func neighbors(
        of index: Int, in table: HashTable, within distance: Int, _ accepts: (Int, Int, Int) -> Bool
    ) -> [Neighbor] {
        var (neighbors, rejected) = ([Neighbor](), 0)
        if Interrupt.isRequested { return neighbors }
        table.compare(index, within: distance) { other, apart in
            if accepts(other, index, apart) {
                neighbors.append(Neighbor(index: other, distance: apart))
            } else {
                rejected += 1
            }
            return neighbors.count < mostNeighbors && rejected < mostRejected
        }
        return neighbors
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
                    guard lists.wants(low, of: high) else { return }
                    if lists.holds(low, of: high) || accepts(low, high, apart) {
                        lists.add(Neighbor(index: low, distance: apart), to: high)
                    }
                }
            }
        }
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

    /// True where the pair was accepted before.
    func holds(_ index: Int, of entry: Int) -> Bool { lists[entry].contains { $0.index == index } }

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
