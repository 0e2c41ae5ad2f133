/// Photos that come in batches until all are there. Each is copied once for a library of common size, and a million of
/// them never fit twice.
struct PhotoPile {
    /// Full ones, then the one that is being filled.
    private var parts: [[Photo]] = []
    private static let partLength = 1 << 16

    /// Takes the rows that match.
    mutating func append(_ outcomes: [GroupOutcome]) {
        for outcome in outcomes {
            for row in outcome.rows where row.isMatch {
                if parts.last.map({ $0.count == Self.partLength }) ?? true {
                    parts.append([])
                    // Memory that is not written to costs nothing.
                    parts[parts.count - 1].reserveCapacity(Self.partLength)
                }
                parts[parts.count - 1].append(row.subject.photo)
            }
        }
    }

    /// All of them in the order of their coming; the pile is empty afterwards.
    mutating func takeAll() -> [Photo] {
        if parts.count < 2 { return parts.popLast() ?? [] }
        var photos: [Photo] = []
        photos.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for index in parts.indices {
            photos.append(contentsOf: parts[index])
            parts[index] = []
        }
        parts = []
        return photos
    }
}
