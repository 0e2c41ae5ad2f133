/// A perceptual hash (dHash) of a picture, in two times 64 bits: whether each part is brighter than its neighbour to
/// the right, and than the one below. Scaling, recompression and small changes of colour flip only a few bits.
package struct PerceptualHash: Hashable, Sendable {
    let across: UInt64
    let down: UInt64

    /// If the parts of a picture differ by less than this, there is nothing to compare: a wall, a sky, a black frame.
    private static let leastContrast = 12

    /// - Parameters:
    ///   - samples: brightness 0…255, row after row, as stored.
    ///   - orientation: turns them upright.
    /// - Returns: nil for a picture without enough contrast.
    init?(width: Int, height: Int, samples: [UInt8], orientation: Orientation?) {
        let grid = 72
        guard width > 0, samples.count == width * height else { return nil }
        var upright = [Int](repeating: 0, count: grid * grid)
        for y in 0..<grid {
            for x in 0..<grid {
                let (column, row) = Self.stored(x, y, grid - 1, orientation ?? .upright)
                let place = (
                    x: (2 * column + 1) * width / (2 * grid), y: (2 * row + 1) * height / (2 * grid)
                )
                upright[y * grid + x] = Int(samples[place.y * width + place.x])
            }
        }
        func cells(_ columns: Int, _ rows: Int) -> [Int] {
            let (width, height) = (grid / columns, grid / rows)
            return (0..<rows).flatMap { row in
                (0..<columns).map { column in
                    var sum = 0
                    for y in (row * height)..<((row + 1) * height) {
                        for x in (column * width)..<((column + 1) * width) { sum += upright[y * grid + x] }
                    }
                    return sum / (width * height)
                }
            }
        }
        let (wide, high) = (cells(9, 8), cells(8, 9))
        guard let darkest = wide.min(), let brightest = wide.max(), brightest - darkest >= Self.leastContrast else {
            return nil
        }
        var (across, down) = (UInt64(0), UInt64(0))
        for row in 0..<8 {
            for column in 0..<8 {
                across = across << 1 | (wide[row * 9 + column] > wide[row * 9 + column + 1] ? 1 : 0)
                down = down << 1 | (high[row * 8 + column] > high[(row + 1) * 8 + column] ? 1 : 0)
            }
        }
        self.across = across
        self.down = down
    }

    /// The larger of the two Hamming distances, each of 64 bits.
    package func distance(to other: PerceptualHash) -> Int {
        max((across ^ other.across).nonzeroBitCount, (down ^ other.down).nonzeroBitCount)
    }

    /// The index of the sample that is at (x, y) in the upright picture (EXIF 2.32, tag 0x0112); `last` is the largest
    /// coordinate.
    private static func stored(_ x: Int, _ y: Int, _ last: Int, _ orientation: Orientation) -> (Int, Int) {
        switch orientation {
        case .upright: (x, y)
        case .mirrored: (last - x, y)
        case .upsideDown: (last - x, last - y)
        case .flipped: (x, last - y)
        case .transposed: (y, x)
        case .rotatedRight: (y, last - x)
        case .transversed: (last - y, last - x)
        case .rotatedLeft: (last - y, x)
        }
    }
}

/// Decides which of several similar photos stay.
package enum Similarity {
    /// The indices of the photos that are similar to a better one, within `distance` of one that stays. Better means
    /// more pixels, then more bytes; ties are decided by the rules of `Duplicates`.
    package static func redundant(_ photos: [(photo: Photo, hash: PerceptualHash)], distance: Int) -> [Int] {
        let order = photos.indices.sorted { left, right in isBetter(photos[left].photo, photos[right].photo) }
        var kept: [PerceptualHash] = []
        var redundant: [Int] = []
        for index in order {
            let hash = photos[index].hash
            if kept.contains(where: { $0.distance(to: hash) <= distance }) {
                redundant.append(index)
            } else {
                kept.append(hash)
            }
        }
        return redundant.sorted()
    }

    private static func isBetter(_ left: Photo, _ right: Photo) -> Bool {
        if left.pixels != right.pixels { return (left.pixels ?? 0) > (right.pixels ?? 0) }
        if left.identity.bytes != right.identity.bytes { return left.identity.bytes > right.identity.bytes }
        return Duplicates.keeper(of: [left, right]) == 0
    }
}
