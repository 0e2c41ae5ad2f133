internal import CGIF

/// All frames of a GIF, to compare two files by what they show.
extension GIFDecoder {
    /// The most pixels that all frames may have together.
    private static let maximumPixels = 1 << 28

    /// Adds size, frames, their times and all extensions but comments and XMP. False for damaged files, and for those
    /// with a frame of more pixels than the canvas, for which no memory is reserved.
    static func samples(
        _ bytes: ByteView, _ options: DecodingOptions, _ digest: inout PictureDigest
    ) throws(PictureError) -> Bool {
        try open(bytes) { (file, canvas) throws(PictureError) in
            let (width, height) = (Int(canvas.canvas_width), Int(canvas.canvas_height))
            try options.checkSize(width, height)
            digest.add(width)
            digest.add(height)
            var (frame, extra, pixels) = (canvas, cgif_extension(), 0)
            while !Interrupt.isRequested {
                switch cgif_next(file, &frame, &extra) {
                case CGIF_END: return pixels > 0
                case CGIF_EXTENSION: add(extra, &digest)
                case CGIF_FRAME:
                    let count = Int(frame.width) * Int(frame.height)
                    pixels += count
                    guard count > 0, count <= width * height, pixels <= maximumPixels, add(frame, of: file, &digest)
                    else { return false }
                default: return false
                }
            }
            return false
        }
    }

    private static func add(_ extra: cgif_extension, _ digest: inout PictureDigest) {
        let blocks = ByteView(UnsafeRawBufferPointer(start: extra.blocks, count: extra.count))
        // The first byte is the length of the first block.
        if extra.label == 0xFE || extra.label == 0xFF && blocks.starts(with: "XMP DataXMP", at: 1) { return }
        digest.add([extra.label])
        digest.add(blocks)
    }

    /// Adds one frame as red, green, blue and alpha, row by row from the top. False if it is damaged.
    private static func add(_ frame: cgif_frame, of file: OpaquePointer, _ digest: inout PictureDigest) -> Bool {
        let (columns, rows) = (Int(frame.width), Int(frame.height))
        var indices = [UInt8](repeating: 0, count: columns * rows)
        let isWhole = indices.withUnsafeMutableBufferPointer { indices in
            order(of: rows, isInterlaced: frame.is_interlaced != 0).allSatisfy { y in
                cgif_read_row(file, indices.baseAddress?.advanced(by: y * columns), frame.width) != 0
            }
        }
        guard isWhole else { return false }
        for value in [
            frame.left, frame.top, frame.width, frame.height, frame.delay, frame.disposal, frame.waits,
        ] { digest.add(Int(value)) }
        let colors = withUnsafeBytes(of: frame.colors) { Array($0.prefix(3 * Int(frame.color_count))) }
        var row = [UInt8](repeating: 0, count: 4 * columns)
        for y in 0..<rows {
            for x in 0..<columns {
                let index = Int(indices[y * columns + x])
                if index == Int(frame.transparent) {
                    for part in 0..<4 { row[4 * x + part] = 0 }
                    continue
                }
                guard index < Int(frame.color_count) else { return false }
                for part in 0..<3 { row[4 * x + part] = colors[3 * index + part] }
                row[4 * x + 3] = 255
            }
            digest.add(row)
        }
        return true
    }
}
