/// Puts look-alikes into groups around the one that stays, never by chains: each member is like that one.
package enum LookAlikes {
    package struct Group: Hashable, Sendable {
        /// Index of the photo that stays.
        package var keep: Int
        /// The others and how far they are from it, in the order given.
        package var members: [HashNeighbors.Neighbor]
    }

    /// Pairs whose hashes are close are confirmed by their grids.
    /// - Parameters:
    ///   - signatures: in the order in which they would stay, the first most surely; nil for what cannot be compared.
    ///   - mayJoin: false if the user has said that two are not alike, or if both must stay anyway. Asked last: it may
    ///     read both files.
    package static func groups(
        _ signatures: [PictureSignature?], within distance: Int, threads: Int,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
        mayJoin: @Sendable (Int, Int) -> Bool = { _, _ in true }
    ) -> [Group] {
        let known = signatures.indices.filter { signatures[$0] != nil }
        let compared = known.map { signatures[$0]! }
        var search = HashNeighbors(compared.map(HashNeighbors.Entry.init), within: distance)
        search.progress = progress
        let neighbors = search.smaller(threads: threads) { left, right, _ in
            compared[left].mayBeAlike(compared[right]) && compared[left].isConfirmed(by: compared[right])
                && mayJoin(known[left], known[right])
        }
        var members: [Int: [HashNeighbors.Neighbor]] = [:]
        var isMember = [Bool](repeating: false, count: known.count)
        for (index, near) in neighbors.enumerated() {
            // The nearest of those that stay.
            guard let keep = near.filter({ !isMember[$0.index] }).min(by: { $0.distance < $1.distance }) else {
                continue
            }
            isMember[index] = true
            members[keep.index, default: []].append(.init(index: known[index], distance: keep.distance))
        }
        return members.sorted { $0.key < $1.key }.map { Group(keep: known[$0.key], members: $0.value) }
    }

    /// How much further apart the hashes may be where one of the two is that of a thumbnail, up to `maximumDistance`,
    /// where strangers begin to meet: Docs/Similarity.md has the measurements.
    package static let thumbnailMargin = 30
    private static let maximumDistance = 90

    /// The pictures that may have another one within the distance, as far as thumbnails can tell.
    package static func candidates(
        _ signatures: [PictureSignature?], within distance: Int, threads: Int,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) -> [Int] {
        let known = signatures.indices.filter { signatures[$0] != nil }
        let compared = known.map { signatures[$0]! }
        let wide = max(distance, min(distance + thumbnailMargin, maximumDistance))
        let widest = compared.contains { $0.isOfThumbnail } ? wide : distance
        var search = HashNeighbors(compared.map(HashNeighbors.Entry.init), within: widest)
        search.progress = progress
        let neighbors = search.smaller(threads: threads) { left, right, apart in
            let (left, right) = (compared[left], compared[right])
            let most = left.isOfThumbnail || right.isOfThumbnail ? wide : distance
            return apart <= most && left.mayBeAlike(right) && left.mayShow(right)
        }
        var found: Set<Int> = []
        for (index, near) in neighbors.enumerated() where !near.isEmpty {
            found.insert(known[index])
            for neighbor in near { found.insert(known[neighbor.index]) }
        }
        return found.sorted()
    }
}

extension HashNeighbors.Entry {
    init(_ signature: PictureSignature) { self.init(whole: signature.whole, inner: signature.inner) }
}
