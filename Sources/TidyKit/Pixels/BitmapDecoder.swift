/// Windows bitmaps (BITMAPINFOHEADER and its successors, OS/2's BITMAPCOREHEADER), without run lengths, which hardly
/// any photo has.
enum BitmapDecoder {
    static func picture(_ bytes: [UInt8], _ options: DecodingOptions) throws(PictureError) -> SourcePicture {
        let header = try bytes.withView { (view) throws(PictureError) in try Header(view) }
        try options.checkSize(header.width, header.height)
        return SourcePicture(width: header.width, height: header.height) { (_) throws(PictureError) in
            try bytes.withView { (view) throws(PictureError) in try header.planes(view) }
        }
    }

    private struct Header {
        var width: Int
        var height: Int
        private let isTopDown: Bool
        private let depth: Int
        private let pixels: Int
        private let palette: (start: Int, step: Int)
        /// Of red, green and blue.
        private var masks: [UInt32]

        init(_ file: ByteView) throws(PictureError) {
            guard let pixels = file.int32(10, .little), let size = file.int32(14, .little), size >= 12, size <= 1 << 16
            else { throw .damaged("a bitmap without a header") }
            let isCore = size == 12
            let wide = isCore ? file.int16(18, .little) : file.int32(18, .little)
            let high =
                isCore
                ? file.int16(20, .little) : file.u32(22, .little).map { Int(Int32(bitPattern: $0)) }
            guard let wide, let high, high != 0, let depth = file.int16(isCore ? 24 : 28, .little) else {
                throw .damaged("a bitmap without a size")
            }
            let compression = isCore ? 0 : file.int32(30, .little) ?? 0
            guard [0, 3, 6].contains(compression), [1, 4, 8, 16, 24, 32].contains(depth) else {
                throw .unsupported("a bitmap of this kind")
            }
            (width, height, self.depth, self.pixels) = (wide, abs(high), depth, pixels)
            isTopDown = high < 0
            palette = (14 + size, isCore ? 3 : 4)
            masks = depth == 16 ? [0x7C00, 0x3E0, 0x1F] : [0xFF_0000, 0xFF00, 0xFF]
            if compression != 0 { masks = (0..<3).map { file.u32(54 + 4 * $0, .little) ?? 0 } }
        }

        /// Rows that are missing are white.
        func planes(_ file: ByteView) throws(PictureError) -> Planes {
            let builder = try PlaneBuilder(width: width, height: height)
            let stride = (width * depth + 31) / 32 * 4
            var row = [UInt8](repeating: 255, count: 3 * width)
            builder.clearRows(from: 0)
            for y in 0..<height {
                guard let line = file.slice(pixels + stride * y, stride) else { break }
                for x in 0..<width { setPixel(&row, x, line, file) }
                builder.setRow(isTopDown ? y : height - 1 - y, rgb: row)
            }
            return builder.planes
        }

        private func setPixel(_ row: inout [UInt8], _ x: Int, _ line: ByteView, _ file: ByteView) {
            var color: (red: UInt8, green: UInt8, blue: UInt8) = (0, 0, 0)
            switch depth {
            case 24: color = (line[3 * x + 2] ?? 0, line[3 * x + 1] ?? 0, line[3 * x] ?? 0)
            case 16, 32:
                let value = depth == 16 ? UInt32(line.u16(2 * x, .little) ?? 0) : line.u32(4 * x, .little) ?? 0
                color = (Self.part(value, masks[0]), Self.part(value, masks[1]), Self.part(value, masks[2]))
            default:
                let perByte = 8 / depth
                let shift = 8 - depth * (x % perByte + 1)
                let index = Int((line[x / perByte] ?? 0) >> UInt8(shift)) & (1 << depth - 1)
                let entry = palette.start + palette.step * index
                color = (file[entry + 2] ?? 0, file[entry + 1] ?? 0, file[entry] ?? 0)
            }
            (row[3 * x], row[3 * x + 1], row[3 * x + 2]) = color
        }

        /// The bits of a mask, scaled to 0…255.
        private static func part(_ value: UInt32, _ mask: UInt32) -> UInt8 {
            guard mask != 0 else { return 0 }
            let shift = UInt32(mask.trailingZeroBitCount)
            return UInt8(UInt64((value & mask) >> shift) * 255 / UInt64(mask >> shift))
        }
    }
}
