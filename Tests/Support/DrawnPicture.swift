internal import CTurboJPEG
package import TidyKit

/// A landscape drawn by arithmetic: sky, sun, ridges of hills and grain. Every seed gives another one; the sun stands in
/// the upper left, so that one look tells which way is up.
package struct DrawnPicture: Sendable {
    package let width: Int
    package let height: Int
    /// Interleaved R, G, B; `width * height * 3` bytes, top row first.
    package let rgb: [UInt8]

    /// - Parameter grain: amplitude of the noise, 0…255; more of it makes larger JPEGs.
    package init(width: Int, height: Int, seed: UInt64 = 1, grain: Int = 6) {
        self.width = width
        self.height = height
        var random = SeededRandom(seed: seed)
        let hue = Int(random.next() % 3)
        let ridges = (0..<4).map { index in
            Ridge(
                base: 0.45 + 0.13 * Double(index), height: 0.10 - 0.015 * Double(index),
                phase: Double(random.next() % 1000) / 100)
        }
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        let (sunX, sunY, radius) = (0.22 * Double(width), 0.2 * Double(height), 0.07 * Double(min(width, height)))
        let outlines = ridges.map { ridge in (0..<width).map { ridge.top(at: Double($0) / Double(max(width, 1))) } }
        for y in 0..<height {
            let v = (Double(y) + 0.5) / Double(height)
            for x in 0..<width {
                var colour = (70 + 110 * v, 130 + 70 * v, 220 - 40 * v)
                let (dx, dy) = (Double(x) - sunX, Double(y) - sunY)
                if dx * dx + dy * dy < radius * radius { colour = (255, 236, 170) }
                for (index, outline) in outlines.enumerated() where v > outline[x] {
                    let depth = Double(index + 1)
                    colour = (95 - 14 * depth, 150 - 22 * depth, 110 - 20 * depth)
                }
                let noise = grain == 0 ? 0 : Double(Int(random.next() % UInt64(2 * grain + 1)) - grain)
                let channels = [colour.0 + noise, colour.1 + noise, colour.2 + noise]
                for channel in 0..<3 {
                    let value = channels[(channel + hue) % 3]
                    pixels[(y * width + x) * 3 + channel] = UInt8(max(0, min(255, value)))
                }
            }
        }
        rgb = pixels
    }

    package init(width: Int, height: Int, rgb: [UInt8]) {
        self.width = width
        self.height = height
        self.rgb = rgb
    }

    /// The pixels as a camera stores them that writes `orientation`: a viewer that obeys the tag shows this picture.
    package func stored(for orientation: Orientation) -> DrawnPicture {
        let (storedWidth, storedHeight) = orientation.swapsAxes ? (height, width) : (width, height)
        var stored = [UInt8](repeating: 0, count: rgb.count)
        for y in 0..<storedHeight {
            for x in 0..<storedWidth {
                let (right, down) = (storedWidth - 1 - x, storedHeight - 1 - y)
                let (u, v) =
                    switch orientation {
                    case .upright: (x, y)
                    case .mirrored: (right, y)
                    case .upsideDown: (right, down)
                    case .flipped: (x, down)
                    case .transposed: (y, x)
                    case .rotatedRight: (down, x)
                    case .transversed: (down, right)
                    case .rotatedLeft: (y, right)
                    }
                for channel in 0..<3 {
                    stored[(y * storedWidth + x) * 3 + channel] = rgb[(v * width + u) * 3 + channel]
                }
            }
        }
        return DrawnPicture(width: storedWidth, height: storedHeight, rgb: stored)
    }

    /// How the chroma planes of a JPEG are thinned out, in TurboJPEG's words.
    package enum Subsampling: Sendable {
        case s444, s422, s420, s440, s411, gray

        var rawValue: TJSAMP {
            switch self {
            case .s444: TJSAMP_444
            case .s422: TJSAMP_422
            case .s420: TJSAMP_420
            case .s440: TJSAMP_440
            case .s411: TJSAMP_411
            case .gray: TJSAMP_GRAY
            }
        }
    }

    /// The picture as a JPEG without metadata (`tjCompress2`).
    package func jpeg(quality: Int = 90, subsampling: Subsampling = .s420, isProgressive: Bool = false) -> [UInt8] {
        guard let compressor = tjInitCompress() else { return [] }
        defer { tjDestroy(compressor) }
        var buffer: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        let result = rgb.withUnsafeBufferPointer { pixels in
            tjCompress2(
                compressor, pixels.baseAddress, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &buffer,
                &size,
                Int32(subsampling.rawValue.rawValue), Int32(quality), isProgressive ? TJFLAG_PROGRESSIVE : 0)
        }
        defer { tjFree(buffer) }
        guard result == 0, let buffer else { return [] }
        return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
    }

    private struct Ridge {
        let base: Double
        let height: Double
        let phase: Double

        /// A triangle wave with a smaller one on it: no trigonometry, the same on every machine.
        func top(at u: Double) -> Double {
            func wave(_ x: Double) -> Double {
                let fraction = x - x.rounded(.down)
                return abs(2 * fraction - 1)
            }
            return base - height * wave(1.7 * u + phase) - 0.4 * height * wave(7.3 * u + 2 * phase)
        }
    }
}
