/// The colours of a picture as code points of ITU-T H.273: the `nclx` of HEIF and the `cICP` of PNG.
struct CodedColor: Equatable {
    /// ColourPrimaries: 1 is BT.709 and sRGB, 9 BT.2020, 12 Display P3.
    var primaries: Int
    /// TransferCharacteristics: 13 is sRGB, 16 PQ, 18 HLG.
    var transfer: Int

    /// PQ and HLG encode more light than white paper reflects.
    var isHighDynamicRange: Bool { transfer == 16 || transfer == 18 }

    /// An RGB profile for the conversion of a high dynamic range to what a JPEG can show; nil for the standard range.
    var conversionToStandardRange: [UInt8]? {
        guard isHighDynamicRange else { return nil }
        let curve = transfer == 16 ? HighDynamicRange.perceptualQuantizer : HighDynamicRange.hybridLogGamma
        return ICCProfile.rgb(Chromaticities(primaries: primaries) ?? .sRGB, .table(curve))
    }

    /// An equivalent ICC profile. Nil for sRGB, which is assumed for pictures without a profile, and for a high dynamic
    /// range, which is converted.
    var profile: [UInt8]? {
        if isHighDynamicRange { return nil }
        let chromaticities = Chromaticities(primaries: primaries) ?? .sRGB
        // 1, 6, 14 and 15 are the curves of cameras; displays use that of sRGB.
        let curve: ICCProfile.Curve =
            switch transfer {
            case 4: .gamma(2.2)
            case 5: .gamma(2.8)
            case 8: .gamma(1)
            default: .sRGB
            }
        if chromaticities == .sRGB, curve == .sRGB { return nil }
        return ICCProfile.rgb(chromaticities, curve)
    }
}

/// Primaries and white point in CIE 1931 x and y.
struct Chromaticities: Equatable {
    struct Point: Equatable {
        var x: Double
        var y: Double
    }

    var red: Point
    var green: Point
    var blue: Point
    var white: Point

    init(_ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double), white: (Double, Double)) {
        self.red = Point(x: red.0, y: red.1)
        self.green = Point(x: green.0, y: green.1)
        self.blue = Point(x: blue.0, y: blue.1)
        self.white = Point(x: white.0, y: white.1)
    }

    static let d65 = (0.3127, 0.3290)
    static let sRGB = Chromaticities((0.640, 0.330), (0.300, 0.600), (0.150, 0.060), white: d65)

    /// Nil for unspecified and reserved code points (H.273, table 2).
    init?(primaries: Int) {
        switch primaries {
        case 1: self = .sRGB
        case 4: self.init((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), white: (0.310, 0.316))
        case 5: self.init((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), white: Self.d65)
        case 6, 7: self.init((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), white: Self.d65)
        case 8: self.init((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), white: (0.310, 0.316))
        case 9: self.init((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), white: Self.d65)
        case 11: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: (0.314, 0.351))
        case 12: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: Self.d65)
        case 22: self.init((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), white: Self.d65)
        default: return nil
        }
    }

    /// Equal except for the rounding in files.
    func isClose(to other: Chromaticities) -> Bool {
        zip([red, green, blue, white], [other.red, other.green, other.blue, other.white]).allSatisfy {
            abs($0.x - $1.x) < 0.005 && abs($0.y - $1.y) < 0.005
        }
    }
}
