/// The hashes that each entry asks for: its own and those of its inner parts, upright and transposed.
struct QuerySets {
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
struct SortedQueries {
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
struct Buckets {
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
