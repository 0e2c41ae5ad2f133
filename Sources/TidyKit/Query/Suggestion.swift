/// Finds the word that a user probably meant.
package enum Suggestion {
    /// The candidate nearest to `word`: one that begins with it, or differs in at most a third of its letters. Nil if
    /// none is near enough.
    /// - Parameter synonyms: for each candidate, other words that mean it.
    package static func nearest(
        to word: String, in candidates: [String], synonyms: [String: [String]]? = nil
    ) -> String? {
        let word = candidates.contains(word) ? word : word.lowercased()
        let bytes = Array(word.utf8)
        if let meaning = (synonyms ?? fieldSynonyms)[word]?.first(where: candidates.contains) { return meaning }
        if let same = candidates.first(where: { $0.lowercased() == word }) { return same }
        let limit = max(1, (bytes.count + 1) / 3)
        let ranked = candidates.map { candidate in
            let distance =
                bytes.count >= 2 && candidate.utf8.starts(with: bytes) ? 1 : distance(bytes, Array(candidate.utf8))
            return (candidate: candidate, distance: distance)
        }
        return ranked.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.candidate
    }

    /// The names of our fields and orders in other programs.
    private static let fieldSynonyms: [String: [String]] = [
        "date": ["taken"], "time": ["taken"], "created": ["taken"], "bytes": ["size"], "filesize": ["size"],
        "name": ["path"], "filename": ["name", "path"], "file": ["path"], "mtime": ["modified"], "stars": ["rating"],
        "resolution": ["megapixels", "pixels"], "pixels": ["megapixels"], "type": ["format"], "gps": ["latitude"],
    ]

    /// The restricted Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbours.
    package static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [[Int]](repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
        for row in 0...left.count { rows[row][0] = row }
        for column in 0...right.count { rows[0][column] = column }
        for row in 0..<left.count {
            for column in 0..<right.count {
                let replaced = rows[row][column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, rows[row][column + 1] + 1, rows[row + 1][column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                rows[row + 1][column + 1] = best
            }
        }
        return rows[left.count][right.count]
    }
}
