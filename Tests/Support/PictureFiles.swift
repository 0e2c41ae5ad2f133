/// Drawn pictures in the formats for which this program has no encoder: written by hand, uncompressed.
extension DrawnPicture {
    /// BITMAPINFOHEADER, 24 bits, bottom row first.
    package var bitmap: [UInt8] {
        let stride = (3 * width + 3) / 4 * 4
        var bytes = Array("BM".utf8) + le32(54 + stride * height) + le32(0) + le32(54)
        bytes += le32(40) + le32(width) + le32(height) + le16(1) + le16(24) + le32(0)
        bytes += le32(stride * height) + le32(2835) + le32(2835) + le32(0) + le32(0)
        for y in (0..<height).reversed() {
            var row: [UInt8] = []
            for x in 0..<width { row += rgb[(3 * (y * width + x))..<(3 * (y * width + x) + 3)].reversed() }
            bytes += row + [UInt8](repeating: 0, count: stride - row.count)
        }
        return bytes
    }

    /// GIF89a in 216 colours. Every pixel is a code of its own.
    /// - Parameter clears: codes are cleared before they grow; otherwise they grow to twelve bits, and the table is full.
    package func gif(isInterlaced: Bool = false, clears: Bool = true) -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + le16(width) + le16(height) + [0xF7, 0, 0]
        for index in 0..<256 {
            let color = min(index, 215)
            bytes += [UInt8(color / 36 * 51), UInt8(color / 6 % 6 * 51), UInt8(color % 6 * 51)]
        }
        bytes += [0x2C] + le16(0) + le16(0) + le16(width) + le16(height) + [isInterlaced ? 0x40 : 0, 8]
        let order = (0..<height).map { $0 }
        let rows =
            isInterlaced
            ? order.filter { $0 % 8 == 0 } + order.filter { $0 % 8 == 4 } + order.filter { $0 % 4 == 2 }
                + order.filter { $0 % 2 == 1 } : order
        var (data, held, count) = ([UInt8](), 0, 0)
        var bits = 9
        func put(_ code: Int) {
            held |= code << count
            count += bits
            while count >= 8 {
                data.append(UInt8(held & 255))
                held >>= 8
                count -= 8
            }
        }
        var since = 0
        for y in rows {
            for x in 0..<width {
                if since == 0 || clears && since % 200 == 0 { put(256) }
                since += 1
                let place = 3 * (y * width + x)
                let (r, g, b) = (Int(rgb[place]) / 43, Int(rgb[place + 1]) / 43, Int(rgb[place + 2]) / 43)
                put(36 * r + 6 * g + b)
                // The table begins at 258 and gets an entry for each code but the first (appendix F).
                if !clears, bits < 12, 257 + since == 1 << bits { bits += 1 }
            }
        }
        put(257)
        data.append(UInt8(held & 255))
        for start in stride(from: 0, to: data.count, by: 255) {
            let block = data[start..<min(start + 255, data.count)]
            bytes += [UInt8(block.count)] + block
        }
        return bytes + [0, 0x3B]
    }

    /// Little-endian baseline RGB in one strip (TIFF 6.0, section 6).
    package var tiff: [UInt8] {
        let entries: [(tag: Int, type: Int, value: Int)] = [
            (256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 2), (273, 4, 8), (277, 3, 3),
            (278, 4, height), (279, 4, rgb.count),
        ]
        var bytes = Array("II".utf8) + le16(42) + le32(8 + rgb.count + rgb.count % 2) + rgb
        if rgb.count % 2 == 1 { bytes.append(0) }
        bytes += le16(entries.count)
        for entry in entries { bytes += le16(entry.tag) + le16(entry.type) + le32(1) + le32(entry.value) }
        return bytes + le32(0)
    }

    /// A JPEG whose EXIF block holds `thumbnail` (EXIF 2.32, section 4.6.9).
    package func jpeg(quality: Int = 90, thumbnail: [UInt8]) -> [UInt8] {
        var block = Array("Exif\0\0II".utf8) + le16(42) + le32(8) + le16(1)
        block += le16(0x112) + le16(3) + le32(1) + le32(1) + le32(26)
        block += le16(2) + le16(0x201) + le16(4) + le32(1) + le32(56)
        block += le16(0x202) + le16(4) + le32(1) + le32(thumbnail.count) + le32(0) + thumbnail
        return JPEGFixture(picture: jpeg(quality: quality)).with(0xE1, block).bytes
    }

    /// The picture at another size, each pixel the mean of those that it covers.
    package func resized(_ columns: Int, _ rows: Int) -> DrawnPicture {
        cut(0, 0, width, height, columns, rows)
    }

    /// A part of the picture in its own size.
    package func cropped(left: Int, top: Int, right: Int = 0, bottom: Int = 0) -> DrawnPicture {
        let (columns, rows) = (width - left - right, height - top - bottom)
        return cut(left, top, columns, rows, columns, rows)
    }

    private func cut(_ left: Int, _ top: Int, _ wide: Int, _ high: Int, _ columns: Int, _ rows: Int) -> DrawnPicture {
        var pixels: [UInt8] = []
        for y in 0..<rows {
            let ys = top + y * high / rows..<max(top + (y + 1) * high / rows, top + y * high / rows + 1)
            for x in 0..<columns {
                let xs = left + x * wide / columns..<max(left + (x + 1) * wide / columns, left + x * wide / columns + 1)
                for channel in 0..<3 {
                    var sum = 0
                    for v in ys { for u in xs { sum += Int(rgb[3 * (v * width + u) + channel]) } }
                    pixels.append(UInt8(sum / (xs.count * ys.count)))
                }
            }
        }
        return DrawnPicture(width: columns, height: rows, rgb: pixels)
    }

    /// Rectangles at random, with integer arithmetic only: other programs draw the same.
    package static func rectangles(seed: UInt64, width: Int = 512, height: Int = 384) -> DrawnPicture {
        var state = seed
        func next() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33)
        }
        var gray = [Int](repeating: 128, count: width * height)
        for _ in 0..<60 {
            let (x, y) = (next() % width, next() % height)
            let (wide, high, value) = (next() % (width / 3) + 8, next() % (height / 3) + 8, next() % 256)
            for v in y..<min(y + high, height) {
                for u in x..<min(x + wide, width) { gray[v * width + u] = (gray[v * width + u] + value) / 2 }
            }
        }
        return DrawnPicture(width: width, height: height, rgb: gray.flatMap { [UInt8($0), UInt8($0), UInt8($0)] })
    }

    /// The picture after `change` of each pixel: place and R, G, B.
    package func changed(_ change: (_ x: Int, _ y: Int, _ rgb: [UInt8]) -> [UInt8]) -> DrawnPicture {
        let pixels = (0..<width * height).flatMap { index in
            change(index % width, index / width, Array(rgb[(3 * index)..<(3 * index + 3)]))
        }
        return DrawnPicture(width: width, height: height, rgb: pixels)
    }
}
