internal import CLCMS

/// Rows of RGBA pixels of 8 or 16 bits on their way into planes: converted to sRGB where need be, laid on white,
/// rounded to 8 bits.
final class PixelRows {
    private let builder: PlaneBuilder
    private let hasAlpha: Bool
    private let conversion: ColorConversion?
    private var rgb: [UInt8]

    /// From 8-bit and from 16-bit RGBA to RGB of sRGB.
    private final class ColorConversion {
        let narrow: ColorTransform
        let wide: ColorTransform

        init?(profile: [UInt8]) {
            guard let narrow = ColorTransform(profile: profile, format: CLCMS_RGBA_8),
                let wide = ColorTransform(profile: profile, format: CLCMS_RGBA_16)
            else { return nil }
            self.narrow = narrow
            self.wide = wide
        }
    }

    /// - Parameters:
    ///   - isGray: red, green and blue are alike; one component comes out.
    ///   - profile: an RGB profile to convert from, to sRGB.
    init(
        width: Int, height: Int, isGray: Bool, hasAlpha: Bool, convertingFrom profile: [UInt8]? = nil
    ) throws(CompressionError) {
        builder = try PlaneBuilder(width: width, height: height, isGray: isGray)
        self.hasAlpha = hasAlpha
        conversion = profile.flatMap { ColorConversion(profile: $0) }
        rgb = [UInt8](repeating: 0, count: 3 * width)
    }

    var planes: Planes { builder.planes }

    /// Rows that a damaged source does not have any more.
    func clearRows(from first: Int) { builder.clearRows(from: first) }

    /// - Parameter rgba: 4 bytes a pixel, colours not multiplied by alpha.
    func set(_ y: Int, rgba: UnsafePointer<UInt8>) {
        if let conversion {
            conversion.narrow.convert(rgba, to: &rgb, count: builder.width)
            if hasAlpha { blend { rgba[4 * $0 + 3] } }
            builder.setRow(y, rgb: rgb)
        } else if hasAlpha {
            builder.setRow(y, rgba: rgba)
        } else {
            builder.setRow(y, pixels: rgba, step: 4)
        }
    }

    /// - Parameter rgba: 4 samples of 16 bits a pixel, in the machine's byte order.
    func set(_ y: Int, rgba: UnsafePointer<UInt16>) {
        if let conversion {
            conversion.wide.convert(rgba, to: &rgb, count: builder.width)
            if hasAlpha { blend { UInt8((UInt32(rgba[4 * $0 + 3]) + 128) / 257) } }
        } else {
            // Blended before it is rounded, once.
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

    private func blend(_ alpha: (Int) -> UInt8) {
        for x in 0..<builder.width {
            let alpha = Int32(alpha(x))
            for channel in 0..<3 { rgb[3 * x + channel] = PlaneBuilder.onWhite(rgb[3 * x + channel], alpha) }
        }
    }
}
