internal import CJPEG

extension Planes {
    /// The picture turned upright from what `orientation` says of it.
    func upright(from orientation: Orientation) throws(PictureError) -> Planes {
        guard orientation != .upright else { return self }
        var turned: [Component] = []
        for component in components {
            let swapped = orientation.swapsAxes
            turned.append(
                Component(
                    try component.plane.upright(from: orientation),
                    coveredWidth: swapped ? component.coveredHeight : component.coveredWidth,
                    coveredHeight: swapped ? component.coveredWidth : component.coveredHeight))
        }
        return Planes(
            width: orientation.swapsAxes ? height : width, height: orientation.swapsAxes ? width : height,
            components: turned)
    }
}

extension Plane {
    /// A copy turned upright.
    func upright(from orientation: Orientation) throws(PictureError) -> Plane {
        let swaps = orientation.swapsAxes
        let target = try Plane(width: swaps ? height : width, height: swaps ? width : height)
        let turn = cjpeg_turn(
            swaps_axes: swaps, reverses_columns: orientation.reversesColumns, reverses_rows: orientation.reversesRows)
        cjpeg_turn_plane(data, stride, Int32(width), Int32(height), turn, target.data, target.stride)
        return target
    }
}

extension Orientation {
    /// Whether the stored columns run from right to left, or from bottom to top, in the upright picture.
    var reversesColumns: Bool {
        switch self {
        case .mirrored, .upsideDown, .transversed, .rotatedLeft: true
        case .upright, .flipped, .transposed, .rotatedRight: false
        }
    }

    /// The same of the stored rows.
    var reversesRows: Bool {
        switch self {
        case .upsideDown, .flipped, .rotatedRight, .transversed: true
        case .upright, .mirrored, .transposed, .rotatedLeft: false
        }
    }
}
