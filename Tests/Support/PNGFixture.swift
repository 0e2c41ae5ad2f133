/// A PNG written by hand: any colour type and depth, with stored (uncompressed) deflate blocks, so that a test knows
/// every byte of it.
package struct PNGFixture: Sendable {
    package var width: Int
    package var height: Int
    /// Bits of a sample: 1, 2, 4, 8 or 16.
    package var depth: Int
    /// 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6 RGBA.
    package var colorType: UInt8
    package var isInterlaced = false
    /// Written between IHDR and IDAT.
    package var chunks: [(type: String, data: [UInt8])] = []
    /// Written behind IDAT.
    package var lateChunks: [(type: String, data: [UInt8])] = []
    /// The samples of a pixel.
    private let pixel: @Sendable (_ x: Int, _ y: Int) -> [Int]

    package init(
        width: Int, height: Int, depth: Int = 8, colorType: UInt8 = 2,
        pixel: @escaping @Sendable (_ x: Int, _ y: Int) -> [Int]
    ) {
        self.width = width
        self.height = height
        self.depth = depth
        self.colorType = colorType
        self.pixel = pixel
    }

    /// An RGB picture of 8 bits.
    package init(_ picture: DrawnPicture) {
        let (rgb, stride) = (picture.rgb, picture.width * 3)
        self.init(width: picture.width, height: picture.height) { x, y in
            (0..<3).map { Int(rgb[y * stride + 3 * x + $0]) }
        }
    }

    package func with(_ type: String, _ data: [UInt8]) -> PNGFixture {
        var copy = self
        copy.chunks.append((type, data))
        return copy
    }

    package var bytes: [UInt8] {
        var bytes = Self.signature + Self.chunk("IHDR", header)
        for (type, data) in chunks { bytes += Self.chunk(type, data) }
        bytes += Self.chunk("IDAT", Self.zlib(scanlines))
        for (type, data) in lateChunks { bytes += Self.chunk(type, data) }
        return bytes + Self.chunk("IEND", [])
    }

    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private var header: [UInt8] {
        Self.bigEndian(width) + Self.bigEndian(height) + [UInt8(depth), colorType, 0, 0, isInterlaced ? 1 : 0]
    }

    private var scanlines: [UInt8] {
        guard isInterlaced else { return rows(x: 0, y: 0, stepX: 1, stepY: 1) }
        // Adam7 (section 8.1).
        let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        return passes.flatMap { rows(x: $0.0, y: $0.1, stepX: $0.2, stepY: $0.3) }
    }

    private func rows(x: Int, y: Int, stepX: Int, stepY: Int) -> [UInt8] {
        guard x < width else { return [] }
        var bytes: [UInt8] = []
        for row in stride(from: y, to: height, by: stepY) {
            bytes.append(0)
            var (bits, count) = (0, 0)
            for column in stride(from: x, to: width, by: stepX) {
                for sample in pixel(column, row) {
                    bits = bits << depth | sample
                    count += depth
                    while count >= 8 {
                        bytes.append(UInt8(truncatingIfNeeded: bits >> (count - 8)))
                        count -= 8
                    }
                    bits &= 1 << count - 1
                }
            }
            if count > 0 { bytes.append(UInt8(truncatingIfNeeded: bits << (8 - count))) }
        }
        return bytes
    }

    /// A chunk with its length and checksum.
    package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in content {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
        }
        return bigEndian(data.count) + content + bigEndian(Int(~sum))
    }

    /// A zlib stream of stored blocks (RFC 1950 and 1951).
    package static func zlib(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(start + 65535, data.count)
            let count = UInt16(end - start)
            stream += [end == data.count ? 1 : 0]
            for half in [count, ~count] { stream += [UInt8(half & 0xFF), UInt8(half >> 8)] }
            stream += data[start..<end]
            start = end
        } while start < data.count
        var (a, b) = (1, 0)
        for byte in data {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        return stream + bigEndian(b << 16 | a)
    }

    package static func bigEndian(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
