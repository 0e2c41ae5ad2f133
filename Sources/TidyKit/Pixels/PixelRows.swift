internal import CLCMS
internal import Glibc

/// Converts rows of 8-bit or 16-bit RGBA pixels to planes: to sRGB if necessary, laid on white, and rounded to 8 bits.
final class PixelRows {
    private let builder: PlaneBuilder
    private let hasAlpha: Bool
    private let conversion: ColorConversion?
    private var rgb: [UInt8]

    /// At least one pixel is not opaque.
    private var showsWhite = false

    /// The conversions from 8-bit and 16-bit RGBA to sRGB. A profile of gray pixels becomes a table of all 16-bit
    /// values.
    private enum ColorConversion {
        case colors(narrow: Transform, wide: Transform)
        case tones([UInt8])

        final class Transform {
            let transform: ColorTransform
            init(_ transform: consuming ColorTransform) { self.transform = transform }
        }

        init?(profile: [UInt8]) {
            if let tones = ColorTransform.wideTones(profile) {
                self = .tones(tones)
                return
            }
            guard let narrow = ColorTransform(profile: profile, format: CLCMS_RGBA_8),
                let wide = ColorTransform(profile: profile, format: CLCMS_RGBA_16)
            else { return nil }
            self = .colors(narrow: Transform(narrow), wide: Transform(wide))
        }
    }

    /// Whether a profile can be converted to sRGB.
    static func canConvert(from profile: [UInt8]) -> Bool { ColorConversion(profile: profile) != nil }

    /// - Parameters:
    ///   - isGray: red, green and blue are equal; the result has one component.
    ///   - profile: the profile of RGB or gray pixels to convert from.
    init(
        width: Int, height: Int, isGray: Bool, hasAlpha: Bool, convertingFrom profile: [UInt8]? = nil
    ) throws(PictureError) {
        builder = try PlaneBuilder(width: width, height: height, isGray: isGray)
        self.hasAlpha = hasAlpha
        conversion = profile.flatMap { ColorConversion(profile: $0) }
        rgb = [UInt8](repeating: 0, count: 3 * width)
    }

    var planes: Planes {
        var planes = builder.planes
        planes.remarks.liesOnWhite = showsWhite
        return planes
    }

    /// Fills the rows that a damaged source lacks.
    func clearRows(from first: Int) { builder.clearRows(from: first) }

    /// - Parameter rgba: 4 bytes a pixel, colours not multiplied by alpha.
    func set(_ y: Int, rgba: UnsafePointer<UInt8>) {
        noteAlpha { rgba[4 * $0 + 3] < 255 }
        switch conversion {
        case .colors(let narrow, _):
            narrow.transform.convert(rgba, to: &rgb, count: builder.width)
            if hasAlpha { blend { rgba[4 * $0 + 3] } }
            builder.setRow(y, rgb: rgb)
        case .tones(let tones):
            setTones(tones) { Int(rgba[4 * $0]) * 257 }
            if hasAlpha { blend { rgba[4 * $0 + 3] } }
            builder.setRow(y, rgb: rgb)
        case nil where hasAlpha: builder.setRow(y, rgba: rgba)
        case nil: builder.setRow(y, pixels: rgba, step: 4)
        }
    }

    /// - Parameter rgba: 4 samples of 16 bits a pixel, in the machine's byte order.
    func set(_ y: Int, rgba: UnsafePointer<UInt16>) {
        noteAlpha { rgba[4 * $0 + 3] < 65535 }
        switch conversion {
        case .colors(_, let wide):
            wide.transform.convert(rgba, to: &rgb, count: builder.width)
            if hasAlpha { blend { UInt8((UInt32(rgba[4 * $0 + 3]) + 128) / 257) } }
        case .tones(let tones):
            setTones(tones) { Int(rgba[4 * $0]) }
            if hasAlpha { blend { UInt8((UInt32(rgba[4 * $0 + 3]) + 128) / 257) } }
        case nil:
            // Blended before rounding, so that values are rounded only once.
            let whole: UInt64 = 65535 * 65535
            for x in 0..<builder.width {
                let alpha = hasAlpha ? UInt64(rgba[4 * x + 3]) : 65535
                for channel in 0..<3 {
                    let value = UInt64(rgba[4 * x + channel]) * alpha + 65535 * (65535 - alpha)
                    rgb[3 * x + channel] = UInt8((value * 255 + whole / 2) / whole)
                }
            }
        }
        builder.setRow(y, rgb: rgb)
    }

    private func noteAlpha(_ canBeSeenThrough: (Int) -> Bool) {
        if hasAlpha, !showsWhite { showsWhite = (0..<builder.width).contains(where: canBeSeenThrough) }
    }

    private func setTones(_ tones: [UInt8], _ value: (Int) -> Int) {
        for x in 0..<builder.width {
            let tone = tones[value(x)]
            for channel in 0..<3 { rgb[3 * x + channel] = tone }
        }
    }

    private func blend(_ alpha: (Int) -> UInt8) {
        for x in 0..<builder.width {
            let alpha = Int32(alpha(x))
            for channel in 0..<3 { rgb[3 * x + channel] = PlaneBuilder.onWhite(rgb[3 * x + channel], alpha) }
        }
    }
}

/// Rows of pixels in memory, zero at first.
final class RowBuffer {
    let rowBytes: Int
    private let base: UnsafeMutableRawPointer

    init(rows: Int, rowBytes: Int) throws(PictureError) {
        guard let base = calloc(max(rows, 1), max(rowBytes, 1)) else {
            throw .needsMemory(Int64(rows) * Int64(rowBytes), limit: 0)
        }
        self.base = base
        self.rowBytes = rowBytes
    }

    deinit { free(base) }

    func row(_ y: Int) -> UnsafeMutableRawPointer { base + y * rowBytes }
}
