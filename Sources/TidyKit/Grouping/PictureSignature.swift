/// What pictures are compared by: hashes of the brightness, a coarse colour, and how sharp it is. Turned pictures have
/// turned hashes and the same colour, so that it is made of the picture as stored.
package struct PictureSignature: Hashable, Sendable {
    /// Of the whole picture.
    package var whole: PerceptualHash
    /// Of the inner 95 and 90 % of width and height: they are the whole of a copy that was cropped.
    package var inner: [PerceptualHash]
    /// 0…100: how much there is to see.
    package var quality: Int
    package var color: ColorSignature
    /// 0…100; nil where it was made from a thumbnail.
    package var sharpness: Double?
    /// True where it was made from the thumbnail that the file holds, not from the picture.
    package var isOfThumbnail = false
    /// What tells thumbnails apart whose hashes are close.
    package var outline: PictureOutline?
    /// What confirms that two pictures are alike; nil where it was made from a thumbnail.
    package var grid: PictureGrid?

    /// The parts that `inner` holds, as what is cut off at each edge.
    static let insets = [0.025, 0.05]

    package init(
        whole: PerceptualHash, inner: [PerceptualHash], quality: Int, color: ColorSignature, sharpness: Double? = nil
    ) {
        self.whole = whole
        self.inner = inner
        self.quality = quality
        self.color = color
        self.sharpness = sharpness
    }

    package init(_ luma: LumaView, color: ColorSignature, isOfThumbnail: Bool) {
        let grid = HashGrid(luma)
        self.init(
            whole: grid.hash, inner: Self.insets.map { HashGrid(luma, inset: $0).hash }, quality: grid.quality,
            color: color, sharpness: isOfThumbnail ? nil : Sharpness.measure(luma))
        self.isOfThumbnail = isOfThumbnail
        outline = PictureOutline(grid)
        if !isOfThumbnail { self.grid = PictureGrid(luma) }
    }

    /// Below this quality a picture looks like any other one: a wall, fog, a black frame.
    static let leastQuality = 5
    /// How much less a thumbnail may have: it is blurred.
    private static let thumbnailQuality = 3

    /// True where there is enough to see in the picture to compare it.
    package var hasDetail: Bool { quality >= Self.leastQuality - (isOfThumbnail ? Self.thumbnailQuality : 0) }

    /// True where two pictures may be alike, whatever their hashes say.
    package func mayBeAlike(_ other: PictureSignature) -> Bool {
        hasDetail && other.hasDetail && color.isCompatible(with: other.color)
    }

    /// True where the outlines of two pictures whose hashes are close may be those of one picture; also where one has
    /// none.
    func mayShow(_ other: PictureSignature) -> Bool {
        guard let outline, let others = other.outline else { return true }
        return turns(towards: other).contains { outline.mayShow(others, turn: $0) }
    }

    /// True where the grids of two pictures whose hashes are close show the same; also where one has none.
    func isConfirmed(by other: PictureSignature) -> Bool {
        guard let grid, let others = other.grid else { return true }
        return turns(towards: other).contains { LookAlikeCheck.areAlike(grid.turned($0), others) }
    }

    /// In a picture that is nearly symmetric, a mirrored turn may come as close as the right one.
    private static let ambiguity = 16

    /// The numbers of the turns, as in `PerceptualHash.turns`, that bring this picture closest to the other, the best
    /// one first.
    private func turns(towards other: PictureSignature) -> [Int] {
        let pairs =
            [(whole, other.whole)] + inner.map { ($0, other.whole) } + other.inner.map { (whole, $0) }
        var nearest = [Int](repeating: .max, count: 8)
        for (own, theirs) in pairs {
            for (turn, hash) in own.turns.enumerated() { nearest[turn] = min(nearest[turn], hash.distance(to: theirs)) }
        }
        let best = nearest.min() ?? 0
        return (0..<8).filter { nearest[$0] <= best + Self.ambiguity }.sorted { nearest[$0] < nearest[$1] }
    }
}

/// The mean colour of a picture, in the units of JFIF: 128 is neutral.
package struct ColorSignature: Hashable, Sendable {
    package var blue: UInt8
    package var red: UInt8
    /// How far the colours are from neutral on average.
    package var chroma: UInt8

    package static let gray = ColorSignature(blue: 128, red: 128, chroma: 0)

    package init(blue: UInt8, red: UInt8, chroma: UInt8) {
        self.blue = blue
        self.red = red
        self.chroma = chroma
    }

    /// - Parameters: samples of Cb and Cr, as many of each.
    package init(blue: some Collection<UInt8>, red: some Collection<UInt8>) {
        var (sum, blueSum, redSum, count) = (0, 0, 0, 0)
        for (blue, red) in zip(blue, red) {
            let (x, y) = (Int(blue) - 128, Int(red) - 128)
            sum += max(abs(x), abs(y)) + min(abs(x), abs(y)) / 2
            blueSum += Int(blue)
            redSum += Int(red)
            count += 1
        }
        self = .gray
        guard count > 0 else { return }
        self.init(
            blue: UInt8(blueSum / count), red: UInt8(redSum / count), chroma: UInt8(min(sum / count, 255)))
    }

    /// Colours this far apart are those of other pictures, however alike their brightness.
    private static let farthest = 24
    /// A picture in gray has no more chroma than what rounding leaves.
    private static let grayChroma = 3

    /// A copy in gray is like its original.
    func isCompatible(with other: ColorSignature) -> Bool {
        if min(chroma, other.chroma) <= Self.grayChroma { return true }
        return abs(Int(blue) - Int(other.blue)) <= Self.farthest && abs(Int(red) - Int(other.red)) <= Self.farthest
    }
}

/// How sharp a picture is, by what blurring it once more takes away: of a sharp one much, of a blurred one little (F.
/// Crété et al., "The blur effect: perception and estimation with a new no-reference perceptual blur metric", 2007).
enum Sharpness {
    /// The window of the second blur, in samples to either side.
    private static let reach = 4
    /// Smaller steps between neighbours are grain or rounding. They stay when a picture is blurred, and would make a
    /// very blurred one look sharper than a slightly blurred one.
    private static let leastStep = 4

    /// 0 (blurred, or nothing to see) to 100, of the direction that is blurred more.
    static func measure(_ luma: LumaView) -> Double {
        guard luma.width > 4 * reach, luma.height > 4 * reach else { return 0 }
        let across = share(lines: luma.height, length: luma.width, line: luma.stride, step: 1, luma.samples)
        let down = share(lines: luma.width, length: luma.height, line: 1, step: luma.stride, luma.samples)
        return 100 * min(across, down)
    }

    /// The share of the steps between neighbours that a box of nine samples takes away.
    private static func share(lines: Int, length: Int, line: Int, step: Int, _ samples: [UInt8]) -> Double {
        var (all, lost) = (0, 0)
        let width = 2 * reach + 1
        samples.withUnsafeBufferPointer { samples in
            for number in 0..<lines {
                let row = samples.baseAddress! + number * line
                var sum = 0
                for place in 0..<width { sum += Int(row[place * step]) }
                for place in reach..<(length - reach - 1) {
                    let next = sum + Int(row[(place + reach + 1) * step]) - Int(row[(place - reach) * step])
                    let original = abs(Int(row[(place + 1) * step]) - Int(row[place * step])) * width
                    if original >= leastStep * width {
                        all += original
                        lost += max(0, original - abs(next - sum))
                    }
                    sum = next
                }
            }
        }
        return all == 0 ? 0 : Double(lost) / Double(all)
    }
}
