/// Y, Cb and Cr planes of full density, or luma alone, filled row by row from RGB pixels (JFIF 1.02: BT.601 matrix,
/// full range).
final class PlaneBuilder {
    let width: Int
    let height: Int
    private let luma: Plane
    /// Cb and Cr; nil for a gray picture.
    private let chroma: (blue: Plane, red: Plane)?

    init(width: Int, height: Int, isGray: Bool = false) throws(PictureError) {
        self.width = width
        self.height = height
        luma = try Plane(width: width, height: height)
        if isGray {
            chroma = nil
        } else {
            chroma = (try Plane(width: width, height: height), try Plane(width: width, height: height))
        }
    }

    var planes: Planes {
        let all = [luma] + (chroma.map { [$0.blue, $0.red] } ?? [])
        return Planes(width: width, height: height, components: all.map { Planes.Component($0) })
    }

    /// Fills the rows from `y` on with white: a damaged source has no data for them.
    func clearRows(from y: Int) {
        for row in y..<max(y, height) {
            luma.row(row).update(repeating: 255, count: width)
            chroma?.blue.row(row).update(repeating: 128, count: width)
            chroma?.red.row(row).update(repeating: 128, count: width)
        }
    }

    /// - Parameter rgb: 3 bytes a pixel.
    func setRow(_ y: Int, rgb: [UInt8]) {
        rgb.withUnsafeBufferPointer { setRow(y, pixels: $0.baseAddress!, step: 3) }
    }

    /// Blends RGBA pixels with white. Stored values are blended, not light, as browsers and viewers do.
    func setRow(_ y: Int, rgba: UnsafePointer<UInt8>) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * width) { row in
            let target = row.baseAddress!
            for x in 0..<width {
                let alpha = Int32(rgba[4 * x + 3])
                for channel in 0..<3 {
                    target[3 * x + channel] = Self.onWhite(rgba[4 * x + channel], alpha)
                }
            }
            setRow(y, pixels: target, step: 3)
        }
    }

    /// - Parameter step: bytes from one pixel to the next; the first three are red, green and blue. A gray picture uses
    ///   the first.
    func setRow(_ y: Int, pixels: UnsafePointer<UInt8>, step: Int) {
        let luma = luma.row(y)
        var pixel = pixels
        guard let chroma else {
            for x in 0..<width {
                luma[x] = pixel[0]
                pixel += step
            }
            return
        }
        let (blue, red) = (chroma.blue.row(y), chroma.red.row(y))
        for x in 0..<width {
            let (r, g, b) = (Int32(pixel[0]), Int32(pixel[1]), Int32(pixel[2]))
            // 16-bit fixed point; the coefficients of each row add up to 65536 or 0.
            luma[x] = UInt8(truncatingIfNeeded: (19595 &* r &+ 38470 &* g &+ 7471 &* b &+ 32768) >> 16)
            blue[x] = Self.clamp((-11058 &* r &- 21710 &* g &+ 32768 &* b &+ (128 << 16) &+ 32767) >> 16)
            red[x] = Self.clamp((32768 &* r &- 27439 &* g &- 5329 &* b &+ (128 << 16) &+ 32767) >> 16)
            pixel += step
        }
    }

    @inline(__always) static func onWhite(_ sample: UInt8, _ alpha: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: (Int32(sample) * alpha + 255 * (255 - alpha) + 127) / 255)
    }

    @inline(__always) private static func clamp(_ value: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: max(0, min(255, value)))
    }
}

extension Planes {
    /// The pixels of one row as RGB; all planes must have full density.
    func getRow(_ y: Int, rgb: inout [UInt8]) {
        let (luma, blue, red) = (components[0].plane.row(y), components[1].plane.row(y), components[2].plane.row(y))
        func clamp(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: max(0, min(255, value))) }
        for x in 0..<width {
            let l = Int32(luma[x]) << 16 &+ 32768
            let (b, r) = (Int32(blue[x]) &- 128, Int32(red[x]) &- 128)
            rgb[3 * x] = clamp((l &+ 91881 &* r) >> 16)
            rgb[3 * x + 1] = clamp((l &- 22554 &* b &- 46802 &* r) >> 16)
            rgb[3 * x + 2] = clamp((l &+ 116130 &* b) >> 16)
        }
    }
}
