internal import CLCMS

/// ICC profiles as bytes.
enum ICCProfile {
    enum Curve: Equatable {
        case sRGB
        /// Light is the stored value to this power.
        case gamma(Double)
        /// Light at equal steps of the stored value, in units of 1/65535.
        case table([UInt16])
    }

    /// A matrix profile of version 2 or 4, as Little CMS chooses. Nil if the colours make no sense.
    static func rgb(_ chromaticities: Chromaticities, _ curve: Curve) -> [UInt8]? {
        func point(_ point: Chromaticities.Point) -> cmsCIExyY { cmsCIExyY(x: point.x, y: point.y, Y: 1) }
        let tone: OpaquePointer?
        switch curve {
        case .gamma(let gamma): tone = cmsBuildGamma(nil, gamma)
        case .table(let values): tone = cmsBuildTabulatedToneCurve16(nil, UInt32(values.count), values)
        // IEC 61966-2-1.
        case .sRGB: tone = cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        }
        guard let tone else { return nil }
        defer { cmsFreeToneCurve(tone) }
        var white = point(chromaticities.white)
        var primaries = cmsCIExyYTRIPLE(
            Red: point(chromaticities.red), Green: point(chromaticities.green), Blue: point(chromaticities.blue))
        var curves: [OpaquePointer?] = [tone, tone, tone]
        guard let profile = cmsCreateRGBProfile(&white, &primaries, &curves) else { return nil }
        defer { cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(profile, nil, &count) != 0, count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard cmsSaveProfileToMem(profile, &bytes, &count) != 0, bytes.count >= 128 else { return nil }
        // Little CMS writes the current time (ICC.1, the field at offset 24); runs must give equal bytes.
        bytes.replaceSubrange(24..<36, with: [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        return bytes
    }

    /// Whether stored values are proportional to light. In 8 bits that leaves too few values for shadows.
    static func isLinear(_ profile: [UInt8]) -> Bool {
        guard let handle = cmsOpenProfileFromMem(profile, UInt32(profile.count)) else { return false }
        defer { cmsCloseProfile(handle) }
        let tags = [cmsSigGreenTRCTag, cmsSigGrayTRCTag].filter { cmsIsTag(handle, $0) != 0 }
        guard let tag = tags.first, let curve = cmsReadTag(handle, tag).map(OpaquePointer.init) else { return false }
        // A lookup table takes precedence (ICC.1, section 8.3).
        if cmsIsTag(handle, cmsSigAToB0Tag) != 0 { return false }
        return [Float(0.25), 0.5, 0.75].allSatisfy { abs(cmsEvalToneCurveFloat(curve, $0) - $0) < 0.02 }
    }

    /// Returns the profile if it describes this kind of pixel (ICC.1, the field at offset 16). A broken profile, or one
    /// for another kind, would distort the colours: nil.
    static func checked(_ profile: [UInt8], isGray: Bool) -> [UInt8]? {
        guard profile.count >= 128, profile[36..<40].elementsEqual("acsp".utf8) else { return nil }
        return profile[16..<20].elementsEqual((isGray ? "GRAY" : "RGB ").utf8) ? profile : nil
    }
}
