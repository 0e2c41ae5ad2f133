/// The first frame of a GIF (GIF89a specification, 1990). Written here: the format is small, and no C code then sees
/// the bytes.
enum GIFDecoder {
    /// What the frame does not cover, and what is transparent, is white. Damaged data leave the rest as it is.
    static func firstFrame(_ bytes: [UInt8], _ options: DecodingOptions) throws(PictureError) -> Planes {
        try bytes.withView { (view) throws(PictureError) in try Frame(view, options).planes() }
    }

    private struct Frame {
        private let width: Int
        private let height: Int
        private var left = 0
        private var top = 0
        private var columns = 0
        private var rows = 0
        private var isInterlaced = false
        private var transparent: Int?
        private var palette: ByteView
        private var indices: [UInt8] = []

        init(_ file: ByteView, _ options: DecodingOptions) throws(PictureError) {
            guard let width = file.int16(6, .little), let height = file.int16(8, .little), let flags = file[10] else {
                throw .damaged("GIF without a header")
            }
            try options.checkSize(width, height)
            (self.width, self.height) = (width, height)
            var at = 13
            palette = .empty
            if flags & 0x80 != 0 {
                palette = file.from(at).prefix(3 << (Int(flags & 7) + 1))
                at += 3 << (Int(flags & 7) + 1)
            }
            while let block = file[at] {
                switch block {
                case 0x21:
                    if file[at + 1] == 0xF9, let packed = file[at + 3], packed & 1 != 0 {
                        transparent = file[at + 6].map(Int.init)
                    }
                    at = Self.end(ofBlocksAt: at + 2, file)
                case 0x2C:
                    try readImage(file, at + 1, options)
                    return
                default: throw .damaged("GIF without a picture")
                }
            }
            throw .damaged("GIF without a picture")
        }

        private static func end(ofBlocksAt start: Int, _ file: ByteView) -> Int {
            var at = start
            while let length = file[at], length > 0 { at += Int(length) + 1 }
            return at + 1
        }

        private mutating func readImage(
            _ file: ByteView, _ start: Int, _ options: DecodingOptions
        ) throws(PictureError) {
            guard let left = file.int16(start, .little), let top = file.int16(start + 2, .little),
                let columns = file.int16(start + 4, .little), let rows = file.int16(start + 6, .little),
                let flags = file[start + 8]
            else { throw .damaged("GIF without a picture") }
            (self.left, self.top, self.columns, self.rows) = (left, top, columns, rows)
            try options.checkSize(columns, rows)
            isInterlaced = flags & 0x40 != 0
            var at = start + 9
            if flags & 0x80 != 0 {
                palette = file.from(at).prefix(3 << (Int(flags & 7) + 1))
                at += 3 << (Int(flags & 7) + 1)
            }
            guard let size = file[at], (2...11).contains(size) else { throw .damaged("GIF without a picture") }
            var data: [UInt8] = []
            at += 1
            while let length = file[at], length > 0, let block = file.slice(at + 1, Int(length)) {
                data.append(contentsOf: block.buffer)
                at += Int(length) + 1
            }
            indices = LZW(data, leastBits: Int(size)).decoded(most: columns * rows)
        }

        func planes() throws(PictureError) -> Planes {
            let builder = try PlaneBuilder(width: width, height: height)
            var row = [UInt8](repeating: 255, count: 3 * width)
            for y in 0..<height {
                for index in row.indices { row[index] = 255 }
                if y >= top, y < top + rows {
                    fill(&row, line: isInterlaced ? GIFDecoder.line(y - top, rows) : y - top)
                }
                builder.setRow(y, rgb: row)
            }
            return builder.planes
        }

        private func fill(_ row: inout [UInt8], line: Int) {
            for x in 0..<max(0, min(columns, width - left)) {
                let place = line * columns + x
                guard place < indices.count else { return }
                let index = Int(indices[place])
                guard index != transparent, let red = palette[3 * index], let green = palette[3 * index + 1],
                    let blue = palette[3 * index + 2]
                else { continue }
                let target = 3 * (left + x)
                (row[target], row[target + 1], row[target + 2]) = (red, green, blue)
            }
        }
    }

    /// Where row `y` of an interlaced picture is among the rows as stored: every 8th, every 8th from 4, every 4th
    /// from 2, every 2nd from 1 (appendix E).
    static func line(_ y: Int, _ rows: Int) -> Int {
        if y % 8 == 0 { return y / 8 }
        let first = (rows + 7) / 8
        if y % 8 == 4 { return first + y / 8 }
        let second = first + (rows + 3) / 8
        if y % 4 == 2 { return second + y / 4 }
        return second + (rows + 1) / 4 + y / 2
    }

    /// Variable-length codes (appendix F), the lowest bit first.
    struct LZW {
        private let data: [UInt8]
        private let leastBits: Int
        private var prefixes = [UInt16](repeating: 0, count: 4096)
        private var suffixes = [UInt8](repeating: 0, count: 4096)

        init(_ data: [UInt8], leastBits: Int) {
            self.data = data
            self.leastBits = leastBits
            for code in 0..<min(256, 1 << leastBits) { suffixes[code] = UInt8(code) }
        }

        /// - Parameter most: bytes that are wanted; no more are made.
        func decoded(most: Int) -> [UInt8] {
            var (prefixes, suffixes) = (prefixes, suffixes)
            let clear = 1 << leastBits
            var (next, bits) = (clear + 2, leastBits + 1)
            var (previous, first): (Int?, UInt8) = (nil, 0)
            var (held, count, at) = (0, 0, 0)
            var output: [UInt8] = []
            var stack: [UInt8] = []
            while output.count < most {
                while count < bits, at < data.count {
                    held |= Int(data[at]) << count
                    count += 8
                    at += 1
                }
                guard count >= bits else { break }
                let code = held & (1 << bits - 1)
                held >>= bits
                count -= bits
                if code == clear {
                    (next, bits, previous) = (clear + 2, leastBits + 1, nil)
                    continue
                }
                guard code != clear + 1, code < next || code == next && previous != nil else { break }
                var walk = code
                if code == next, let previous {
                    stack.append(first)
                    walk = previous
                }
                while walk >= clear {
                    stack.append(suffixes[walk])
                    walk = Int(prefixes[walk])
                }
                first = suffixes[walk]
                output.append(first)
                while let byte = stack.popLast() { output.append(byte) }
                if let previous, next < 4096 {
                    (prefixes[next], suffixes[next]) = (UInt16(previous), first)
                    next += 1
                    if next == 1 << bits, bits < 12 { bits += 1 }
                }
                previous = code
            }
            return output
        }
    }
}
