internal import CJPEG

extension Planes {
    /// Returns the picture turned upright.
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
        let source = cjpeg_plane(samples: data, stride: stride, width: Int32(width), height: Int32(height))
        cjpeg_turn_plane(source, orientation.turn, target.data, target.stride)
        return target
    }
}

extension Orientation {
    /// What makes a stored picture upright.
    fileprivate var turn: cjpeg_turn {
        cjpeg_turn(swaps_axes: swapsAxes, reverses_columns: reversesColumns, reverses_rows: reversesRows)
    }

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

extension JPEGDecoder.Header {
    /// Whether the picture can be turned without loss, which moves whole blocks: incomplete MCUs at the right or bottom
    /// must stay there.
    func turnsWhole(from orientation: Orientation) -> Bool {
        (!orientation.reversesColumns || width % unit.width == 0)
            && (!orientation.reversesRows || height % unit.height == 0)
    }
}

extension JPEGDecoder {
    /// The picture turned upright by its coefficients: a stream without APP markers, with optimised Huffman tables. Nil
    /// if it would take `capacity` bytes or more, if blocks would be cut, or if the library reports a problem.
    consuming func turned(from orientation: Orientation, isProgressive: Bool, capacity: Int) -> [UInt8]? {
        guard header.turnsWhole(from: orientation) else { return nil }
        let (handle, turn) = (handle, orientation.turn)
        let stream = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var error = cjpeg_error()
            var output = cjpeg_buffer(bytes: buffer.baseAddress, capacity: capacity, count: 0)
            let code = cjpeg_decoder_write_turned(handle, turn, isProgressive, &output, &error)
            count = code == CJPEG_OK ? output.count : 0
        }
        return stream.isEmpty ? nil : stream
    }
}
