internal import CGIF

/// giflib, opened when the first GIF is decoded.
struct GIFLibrary {
    private static let missing: String? = cgif_open_library().map { String(cString: $0) }

    static func shared() throws(PictureError) -> GIFLibrary {
        if let missing { throw .unsupported("GIF needs \(missing), which the package libgif7 brings") }
        return GIFLibrary()
    }
}

/// The frames of a GIF, decoded by giflib.
enum GIFDecoder {
    /// The first frame on its canvas. Whatever it does not cover, and whatever is transparent or damaged, is white.
    static func picture(_ bytes: [UInt8], _ options: DecodingOptions) throws(PictureError) -> SourcePicture {
        let frame = try bytes.withView { (view) throws(PictureError) in
            try open(view) { (file, frame) throws(PictureError) in try first(of: file, frame) }
        }
        let (width, height) = (Int(frame.canvas_width), Int(frame.canvas_height))
        try options.checkSize(width, height)
        try options.checkSize(Int(frame.width), Int(frame.height))
        return SourcePicture(width: width, height: height) { (_) throws(PictureError) in
            try bytes.withView { (view) throws(PictureError) in
                try open(view) { (file, frame) throws(PictureError) in try planes(file, first(of: file, frame)) }
            }
        }
    }

    /// - Parameter body: gets a frame of which only the canvas is known.
    static func open<Result>(
        _ bytes: ByteView, _ body: (OpaquePointer, cgif_frame) throws(PictureError) -> Result
    ) throws(PictureError) -> Result {
        _ = try GIFLibrary.shared()
        var frame = cgif_frame()
        let start = bytes.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let file = cgif_open(start, bytes.buffer.count, &frame) else { throw .damaged("not a GIF") }
        defer { cgif_close(file) }
        return try body(file, frame)
    }

    private static func first(of file: OpaquePointer, _ canvas: cgif_frame) throws(PictureError) -> cgif_frame {
        var (frame, extra) = (canvas, cgif_extension())
        while true {
            switch cgif_next(file, &frame, &extra) {
            case CGIF_FRAME: return frame
            case CGIF_EXTENSION: continue
            default: throw .damaged("GIF without a picture")
            }
        }
    }

    private static func planes(_ file: OpaquePointer, _ frame: cgif_frame) throws(PictureError) -> Planes {
        let (width, height) = (Int(frame.canvas_width), Int(frame.canvas_height))
        let builder = try PlaneBuilder(width: width, height: height)
        builder.clearRows(from: 0)
        let palette = Palette(frame)
        var indices = [UInt8](repeating: 0, count: Int(frame.width))
        var row = [UInt8](repeating: 255, count: 3 * width)
        for y in order(of: Int(frame.height), isInterlaced: frame.is_interlaced != 0) {
            guard cgif_read_row(file, &indices, frame.width) != 0 else { break }
            let line = Int(frame.top) + y
            guard line < height else {
                // Nothing that follows lies on the canvas.
                if frame.is_interlaced == 0 { break }
                continue
            }
            palette.fill(&row, from: Int(frame.left), with: indices)
            builder.setRow(line, rgb: row)
        }
        return builder.planes
    }

    /// The rows in the order in which they are stored. Interlaced: every 8th, every 8th from 4, every 4th from 2, every
    /// 2nd from 1 (GIF89a, appendix E).
    static func order(of height: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }

    private struct Palette {
        /// Red, green and blue of each index; white where the file has no colour or a transparent one.
        private var colors: [UInt8]

        init(_ frame: cgif_frame) {
            colors = withUnsafeBytes(of: frame.colors) { Array($0.prefix(3 * Int(frame.color_count))) }
            colors += [UInt8](repeating: 255, count: 3 * 256 - colors.count)
            if (0..<256).contains(frame.transparent) {
                let start = 3 * Int(frame.transparent)
                colors.replaceSubrange(start..<start + 3, with: [255, 255, 255])
            }
        }

        /// What lies beyond the canvas is left out.
        func fill(_ row: inout [UInt8], from left: Int, with indices: [UInt8]) {
            for x in 0..<max(0, min(indices.count, row.count / 3 - left)) {
                let (source, target) = (3 * Int(indices[x]), 3 * (left + x))
                for channel in 0..<3 { row[target + channel] = colors[source + channel] }
            }
        }
    }
}
