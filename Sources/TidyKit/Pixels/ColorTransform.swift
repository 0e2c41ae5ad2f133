internal import CLCMS

/// A conversion to sRGB by Little CMS from the space that an ICC profile describes.
struct ColorTransform: ~Copyable {
    private let handle: cmsHTRANSFORM

    deinit { cmsDeleteTransform(handle) }

    /// Returns nil if the profile is broken or describes another kind of pixel.
    /// - Parameter format: the layout of the source pixels, one of Little CMS's `TYPE_…_8`.
    init?(profile: [UInt8], format: UInt32) {
        guard let source = cmsOpenProfileFromMem(profile, UInt32(profile.count)) else { return nil }
        defer { cmsCloseProfile(source) }
        guard let target = cmsCreate_sRGBProfile() else { return nil }
        defer { cmsCloseProfile(target) }
        let channels = Self.channels(format)
        guard cmsChannelsOf(cmsGetColorSpace(source)) == channels,
            let handle = cmsCreateTransform(source, format, target, CLCMS_RGB_8, 0, UInt32(cmsFLAGS_NOCACHE))
        else { return nil }
        self.handle = handle
    }

    static func fromRGB(_ profile: [UInt8]) -> ColorTransform? { ColorTransform(profile: profile, format: CLCMS_RGB_8) }

    /// Maps the gray values 0…255 to sRGB. Nil if the profile cannot be used. A profile of RGB pixels can: editors
    /// leave it in pictures that they convert to gray.
    static func tones(_ profile: [UInt8]) -> [UInt8]? {
        let gray = [UInt8](0...255)
        var rgb = [UInt8](repeating: 0, count: 3 * gray.count)
        if let transform = ColorTransform(profile: profile, format: CLCMS_GRAY_8) {
            transform.convert(gray, to: &rgb, count: gray.count)
        } else if let transform = fromRGB(profile) {
            transform.convert(gray.flatMap { [$0, $0, $0] }, to: &rgb, count: gray.count)
        } else {
            return nil
        }
        return gray.indices.map { rgb[3 * $0 + 1] }
    }

    /// Maps the gray values 0…65535 to sRGB. Nil if the profile is not one of gray pixels, or is broken.
    static func wideTones(_ profile: [UInt8]) -> [UInt8]? {
        guard let transform = ColorTransform(profile: profile, format: CLCMS_GRAY_16) else { return nil }
        let gray = [UInt16](0...65535)
        var rgb = [UInt8](repeating: 0, count: 3 * gray.count)
        gray.withUnsafeBytes { tones in
            if let base = tones.baseAddress { transform.convert(base, to: &rgb, count: gray.count) }
        }
        return gray.indices.map { rgb[3 * $0 + 1] }
    }

    private static func channels(_ format: UInt32) -> UInt32 { format >> 3 & 15 }

    /// - Parameter pixels: interleaved, `count` of them; `rgb` gets 3 bytes each.
    borrowing func convert(_ pixels: [UInt8], to rgb: inout [UInt8], count: Int) {
        cmsDoTransform(handle, pixels, &rgb, UInt32(count))
    }

    /// As `convert(_:to:count:)`, for samples of any width.
    borrowing func convert(_ pixels: UnsafeRawPointer, to rgb: inout [UInt8], count: Int) {
        cmsDoTransform(handle, pixels, &rgb, UInt32(count))
    }
}

/// Converts CMYK rows to sRGB with the profile in the file or, without one, by a simple model of ink.
struct CMYKConversion: ~Copyable {
    private let transform: ColorTransform?
    private let isInverted: Bool

    /// - Parameter isInverted: 255 means no ink, as Adobe writes it.
    init(profile: [UInt8]?, isInverted: Bool) {
        transform = profile.flatMap {
            ColorTransform(profile: $0, format: isInverted ? CLCMS_CMYK_8_INVERTED : CLCMS_CMYK_8)
        }
        self.isInverted = isInverted
    }

    borrowing func convert(_ cmyk: [UInt8], to rgb: inout [UInt8]) {
        let count = cmyk.count / 4
        switch transform {
        case .some(let transform): transform.convert(cmyk, to: &rgb, count: count)
        case .none:
            let flip: UInt8 = isInverted ? 0 : 255
            for pixel in 0..<count {
                let key = UInt32(cmyk[4 * pixel + 3] ^ flip)
                for ink in 0..<3 {
                    rgb[3 * pixel + ink] = UInt8((UInt32(cmyk[4 * pixel + ink] ^ flip) * key + 127) / 255)
                }
            }
        }
    }
}

extension Planes {
    /// Converts the picture to sRGB. Returns it unchanged if the profile cannot be used.
    func convertedToSRGB(from profile: [UInt8]) throws(PictureError) -> Planes {
        if isGray { return try grayConvertedToSRGB(from: profile) }
        guard let transform = ColorTransform.fromRGB(profile) else { return self }
        let full = try Resampler.resize(self, to: Resampler.Target(width: width, height: height, chroma: .full))
        let builder = try PlaneBuilder(width: width, height: height)
        var row = [UInt8](repeating: 0, count: 3 * width)
        var converted = row
        for y in 0..<height {
            full.getRow(y, rgb: &row)
            transform.convert(row, to: &converted, count: width)
            builder.setRow(y, rgb: converted)
        }
        return builder.planes
    }

    /// Gray stays gray: only its tones change.
    private func grayConvertedToSRGB(from profile: [UInt8]) throws(PictureError) -> Planes {
        guard let tones = ColorTransform.tones(profile) else { return self }
        let gray = components[0]
        let target = try Plane(width: gray.plane.width, height: gray.plane.height)
        for y in 0..<target.height {
            let (from, to) = (gray.plane.row(y), target.row(y))
            for x in 0..<target.width { to[x] = tones[Int(from[x])] }
        }
        return Planes(
            width: width, height: height,
            components: [
                Component(target, coveredWidth: gray.coveredWidth, coveredHeight: gray.coveredHeight)
            ])
    }
}
