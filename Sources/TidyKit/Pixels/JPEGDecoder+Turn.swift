internal import CJPEG

extension JPEGDecoder.Header {
    /// True where turning the picture upright moves whole blocks only, so that it can be done without loss: what is cut
    /// at the right or at the bottom must stay there.
    func turnsWhole(from orientation: Orientation) -> Bool {
        (!orientation.reversesColumns || width % unit.width == 0)
            && (!orientation.reversesRows || height % unit.height == 0)
    }
}

extension JPEGDecoder {
    /// The picture turned upright by its coefficients: a stream without APP markers, with optimised Huffman tables. Nil
    /// where it would be `capacity` bytes long or longer, where blocks would be cut, and where the library finds
    /// anything wrong.
    consuming func turned(from orientation: Orientation, isProgressive: Bool, capacity: Int) -> [UInt8]? {
        guard header.turnsWhole(from: orientation) else { return nil }
        let turn = cjpeg_turn(
            swaps_axes: orientation.swapsAxes, reverses_columns: orientation.reversesColumns,
            reverses_rows: orientation.reversesRows)
        let handle = handle
        let stream = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var error = cjpeg_error()
            let code = cjpeg_decoder_write_turned(
                handle, turn, isProgressive, buffer.baseAddress, capacity, &count, &error)
            if code != CJPEG_OK { count = 0 }
        }
        return stream.isEmpty ? nil : stream
    }
}
