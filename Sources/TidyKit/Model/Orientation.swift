/// How stored pixels are turned upright: the EXIF tag Orientation (0x0112), values 1 to 8.
package enum Orientation: Int, CaseIterable, Sendable {
    case upright = 1
    /// Flip horizontally.
    case mirrored
    /// Rotate by 180°.
    case upsideDown
    /// Flip vertically.
    case flipped
    /// Transpose: mirror along the diagonal from top left to bottom right.
    case transposed
    /// Rotate clockwise by 90°: a phone held upright.
    case rotatedRight
    /// Transverse: mirror along the other diagonal.
    case transversed
    /// Rotate counter-clockwise by 90°.
    case rotatedLeft

    /// True if the upright picture is as wide as the stored one is high.
    package var swapsAxes: Bool { rawValue >= 5 }

    /// True if rotation alone does not turn the picture upright.
    var isMirrorImage: Bool { [.mirrored, .flipped, .transposed, .transversed].contains(self) }
}
