/// A TIFF file of any kind that matters to a decoder, uncompressed, little-endian (TIFF 6.0).
package struct DrawnTIFF: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case gray, rgb, palette, cmyk, bilevel
    }

    package var kind = Kind.rgb
    /// Of a sample: 8 or 16; bilevel has 1, a palette 8.
    package var depth = 8
    /// Each component in a strip of its own (PlanarConfiguration 2).
    package var isPlanar = false
    /// The edge of square tiles; nil for strips.
    package var tileEdge: Int?
    /// BigTIFF, whose offsets have 64 bits.
    package var isBig = false
    /// Values that replace those of the picture, by tag.
    package var replaced: [Int: Int] = [:]
    /// The offset of the next directory: 0 ends the chain.
    package var next = 0
    private let picture: DrawnPicture

    package init(_ picture: DrawnPicture, _ kind: Kind = .rgb) {
        self.picture = picture
        self.kind = kind
    }

    private var samplesPerPixel: Int { kind == .rgb ? 3 : kind == .cmyk ? 4 : 1 }
    private var bits: Int { kind == .bilevel ? 1 : kind == .palette ? 8 : depth }

    /// The samples of a pixel, 0…255.
    private func samples(_ x: Int, _ y: Int) -> [UInt8] {
        let at = 3 * (min(y, picture.height - 1) * picture.width + min(x, picture.width - 1))
        let (red, green, blue) = (picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2])
        let sum: Int = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
        let gray = UInt8(sum / 1000)
        switch kind {
        case .rgb: return [red, green, blue]
        case .cmyk: return [255 - red, 255 - green, 255 - blue, 0]
        case .gray, .palette: return [gray]
        case .bilevel: return [gray > 127 ? 1 : 0]
        }
    }

    /// The rows of a part of the picture, packed.
    private func rows(_ xs: Range<Int>, _ ys: Range<Int>, component: Int?) -> [UInt8] {
        var bytes: [UInt8] = []
        for y in ys {
            var (held, count) = (0, 0)
            for x in xs {
                let all = samples(x, y)
                for sample in component.map({ [all[$0]] }) ?? all {
                    switch bits {
                    case 1:
                        held = held << 1 | Int(sample)
                        count += 1
                        if count == 8 {
                            bytes.append(UInt8(held))
                            (held, count) = (0, 0)
                        }
                    case 16: bytes += [sample, sample]
                    default: bytes.append(sample)
                    }
                }
            }
            if count > 0 { bytes.append(UInt8(held << (8 - count) & 255)) }
        }
        return bytes
    }

    /// Strips or tiles, in the order of the file.
    private var parts: [[UInt8]] {
        let components: [Int?] = isPlanar ? (0..<samplesPerPixel).map { $0 } : [nil]
        return components.flatMap { component -> [[UInt8]] in
            guard let edge = tileEdge else {
                return [rows(0..<picture.width, 0..<picture.height, component: component)]
            }
            return stride(from: 0, to: picture.height, by: edge).flatMap { y in
                stride(from: 0, to: picture.width, by: edge).map { x in
                    rows(x..<x + edge, y..<y + edge, component: component)
                }
            }
        }
    }

    package var bytes: [UInt8] {
        var data: [UInt8] = []
        let head = isBig ? 16 : 8
        func place(_ content: [UInt8]) -> Int {
            defer { data += content + [UInt8](repeating: 0, count: content.count & 1) }
            return head + data.count
        }
        let parts = parts
        let offsets = parts.map { place($0) }
        var entries: [(tag: Int, type: Int, values: [Int])] = [
            (256, 4, [picture.width]), (257, 4, [picture.height]),
            (258, 3, [Int](repeating: bits, count: samplesPerPixel)), (259, 3, [1]),
            (262, 3, [["gray": 1, "bilevel": 1, "rgb": 2, "palette": 3, "cmyk": 5][kind.rawValue]!]),
            (277, 3, [samplesPerPixel]), (284, 3, [isPlanar ? 2 : 1]),
        ]
        if let tileEdge {
            entries += [(322, 3, [tileEdge]), (323, 3, [tileEdge]), (324, 4, offsets), (325, 4, parts.map(\.count))]
        } else {
            entries += [(273, 4, offsets), (278, 4, [picture.height]), (279, 4, parts.map(\.count))]
        }
        if kind == .palette { entries.append((320, 3, (0..<768).map { ($0 & 255) * 257 })) }
        entries.sort { $0.tag < $1.tag }
        var directory = isBig ? le64(entries.count) : le16(entries.count)
        for entry in entries {
            let values = replaced[entry.tag].map { [$0] } ?? entry.values
            let content = values.flatMap { entry.type == 3 ? le16($0) : le32($0) }
            let field = isBig ? 8 : 4
            directory += le16(entry.tag) + le16(entry.type) + (isBig ? le64(values.count) : le32(values.count))
            if content.count <= field {
                directory += content + [UInt8](repeating: 0, count: field - content.count)
            } else {
                directory += isBig ? le64(place(content)) : le32(place(content))
            }
        }
        directory += isBig ? le64(next) : le32(next)
        let start = head + data.count
        let header =
            isBig
            ? Array("II".utf8) + le16(43) + le16(8) + le16(0) + le64(start) : Array("II".utf8) + le16(42) + le32(start)
        return header + data + directory
    }
}

func le16(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
func le32(_ value: Int) -> [UInt8] { le16(value) + le16(value >> 16) }
private func le64(_ value: Int) -> [UInt8] { le32(value) + le32(value >> 32) }
