extension Planes {
    /// The picture turned upright from what `orientation` says of it.
    func upright(from orientation: Orientation) throws(CompressionError) -> Planes {
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
    /// A copy turned upright. Works in tiles, so that reading along columns stays within the cache.
    func upright(from orientation: Orientation) throws(CompressionError) -> Plane {
        let swaps = orientation.swapsAxes
        let target = try Plane(width: swaps ? height : width, height: swaps ? width : height)
        // Where the upright sample (x, y) is stored, as an offset and a step for each axis.
        let (lastX, lastY) = (width - 1, height - 1)
        let (start, stepX, stepY): (Int, Int, Int) =
            switch orientation {
            case .upright: (0, 1, stride)
            case .mirrored: (lastX, -1, stride)
            case .upsideDown: (lastX + lastY * stride, -1, -stride)
            case .flipped: (lastY * stride, 1, -stride)
            case .transposed: (0, stride, 1)
            case .rotatedRight: (lastY * stride, -stride, 1)
            case .transversed: (lastX + lastY * stride, -stride, -1)
            case .rotatedLeft: (lastX, stride, -1)
            }
        let tile = 32
        for top in Swift.stride(from: 0, to: target.height, by: tile) {
            let bottom = min(top + tile, target.height)
            for left in Swift.stride(from: 0, to: target.width, by: tile) {
                let right = min(left + tile, target.width)
                for y in top..<bottom {
                    let row = target.row(y)
                    var from = start + left * stepX + y * stepY
                    for x in left..<right {
                        row[x] = data[from]
                        from += stepX
                    }
                }
            }
        }
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
