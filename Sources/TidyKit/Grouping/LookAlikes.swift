/// Puts look-alikes into groups around the one that stays, never by chains: each member is like that one.
package enum LookAlikes {
    package struct Group: Hashable, Sendable {
        /// Index of the photo that stays.
        package var keep: Int
        /// The others and how far they are from it, in the order given.
        package var members: [HashNeighbors.Neighbor]
    }

    /// - Parameter signatures: in the order in which they would stay, the first most surely; nil for what cannot be
    ///   compared.
    /// - Parameter mayJoin: false where the user has said that two are not alike, and where both must stay anyway.
    package static func groups(
        _ signatures: [PictureSignature?], within distance: Int, threads: Int,
        mayJoin: @Sendable (Int, Int) -> Bool = { _, _ in true }
    ) -> [Group] {
        let known = signatures.indices.filter { signatures[$0] != nil }
        let compared = known.map { signatures[$0]! }
        let neighbors = HashNeighbors(compared.map(HashNeighbors.Entry.init), within: distance).smaller(
            threads: threads
        ) { left, right, _ in compared[left].mayBeAlike(compared[right]) && mayJoin(known[left], known[right]) }
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

    /// The pictures that have another one within the distance.
    package static func candidates(
        _ signatures: [PictureSignature?], within distance: Int, threads: Int
    ) -> [Int] {
        let known = signatures.indices.filter { signatures[$0] != nil }
        let compared = known.map { signatures[$0]! }
        let neighbors = HashNeighbors(compared.map(HashNeighbors.Entry.init), within: distance).smaller(
            threads: threads
        ) { left, right, _ in compared[left].color.isCompatible(with: compared[right].color) }
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
