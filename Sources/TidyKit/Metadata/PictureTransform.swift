/// The size and orientation of a picture after a sequence of crops, rotations and flips.
struct PictureTransform {
    private(set) var width: Int?
    private(set) var height: Int?
    /// The picture is first flipped horizontally, then rotated clockwise by this many quarter turns.
    private var isMirrored = false
    private var quarters = 0
    /// The rectangle that a crop leaves, in columns and rows of the stored picture; nil without a crop, and for a crop
    /// after a rotation.
    private(set) var crop: Crop?

    /// A rectangle in whole pixels.
    struct Crop: Equatable {
        var left: Int
        var top: Int
        var width: Int
        var height: Int
    }

    mutating func setSize(_ width: Int, _ height: Int) {
        self.width = width > 0 ? width : nil
        self.height = height > 0 ? height : nil
    }

    /// `irot`: counter-clockwise.
    mutating func turnLeft(quarters left: Int) { turnRight(quarters: 4 - left) }

    mutating func turnRight(quarters right: Int) {
        quarters = (quarters + right) & 3
        if right & 1 == 1 { swap(&width, &height) }
    }

    /// `imir`: axis 1 exchanges left and right, axis 0 top and bottom.
    mutating func mirror(leftAndRight: Bool) {
        isMirrored.toggle()
        quarters = ((leftAndRight ? 4 : 6) - quarters) & 3
    }

    /// `clap`: width and height as fractions (ISO 14496-12, section 12.1.4). An impossible crop is ignored.
    mutating func crop(_ clap: ByteView) {
        guard let width, let height, let over = clap.int32(0), let under = clap.int32(4),
            let overHeight = clap.int32(8),
            let underHeight = clap.int32(12), under > 0, underHeight > 0
        else { return }
        let cropped = (over / under, overHeight / underHeight)
        guard cropped.0 > 0, cropped.1 > 0, cropped.0 <= width, cropped.1 <= height else { return }
        (self.width, self.height) = cropped
        if orientation == .upright, crop == nil {
            crop = Crop(
                left: Self.start(clap, at: 16, of: cropped.0, in: width),
                top: Self.start(clap, at: 24, of: cropped.1, in: height), width: cropped.0, height: cropped.1)
        }
    }

    /// The start of a part whose centre is offset from the centre of the whole by a signed fraction.
    private static func start(_ clap: ByteView, at offset: Int, of part: Int, in whole: Int) -> Int {
        let over = clap.u32(offset).map { Int(Int32(bitPattern: $0)) } ?? 0
        let under = max(1, clap.int32(offset + 4) ?? 1)
        let start = Double(whole - part) / 2 + Double(over) / Double(under)
        return max(0, min(whole - part, Int(start.rounded(.down))))
    }

    var orientation: Orientation {
        switch (isMirrored, quarters) {
        case (false, 1): .rotatedRight
        case (false, 2): .upsideDown
        case (false, 3): .rotatedLeft
        case (true, 0): .mirrored
        case (true, 1): .transversed
        case (true, 2): .flipped
        case (true, _): .transposed
        default: .upright
        }
    }
}
