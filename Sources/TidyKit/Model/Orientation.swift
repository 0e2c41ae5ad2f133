/// How stored pixels become upright: the EXIF tag Orientation (0x0112), values 1 to 8.
package enum Orientation: Int, CaseIterable, Sendable {
    case upright = 1
    /// Flip left and right.
    case mirrored
    /// Turn by 180°.
    case upsideDown
    /// Flip top and bottom.
    case flipped
    /// Mirror along the diagonal from top left to bottom right.
    case transposed
    /// Turn clockwise by 90°: a phone held upright.
    case rotatedRight
    /// Mirror along the other diagonal.
    case transversed
    /// Turn counter-clockwise by 90°.
    case rotatedLeft

    /// True where the upright picture is as wide as the stored one is high.
    package var swapsAxes: Bool { rawValue >= 5 }

    /// True where turning alone does not bring the picture upright.
    var isMirrorImage: Bool { [.mirrored, .flipped, .transposed, .transversed].contains(self) }
}
