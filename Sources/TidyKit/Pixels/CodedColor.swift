/// What numbers mean as colours, in the code points of ITU-T H.273: the `nclx` of HEIF and the `cICP` of PNG.
struct CodedColor: Equatable {
    /// ColourPrimaries: 1 is BT.709 and sRGB, 9 BT.2020, 12 Display P3.
    var primaries: Int
    /// TransferCharacteristics: 13 is sRGB, 16 PQ, 18 HLG.
    var transfer: Int

    /// PQ and HLG encode more than the light that paper reflects.
    var isHighDynamicRange: Bool { transfer == 16 || transfer == 18 }

    /// An RGB profile to convert from where the range is high: brightness is laid into what a JPEG can show.
    var conversionToStandardRange: [UInt8]? {
        guard isHighDynamicRange else { return nil }
        let curve = transfer == 16 ? HighDynamicRange.perceptualQuantizer : HighDynamicRange.hybridLogGamma
        return ICCProfile.rgb(Chromaticities(primaries: primaries) ?? .sRGB, .table(curve))
    }

    /// An ICC profile that says the same; nil where sRGB does, which is what pictures without a profile are taken for, and
    /// for high dynamic range, which is converted.
    var profile: [UInt8]? {
        if isHighDynamicRange { return nil }
        let chromaticities = Chromaticities(primaries: primaries) ?? .sRGB
        // The curves of 1, 6, 14 and 15 are those of cameras: pictures are shown by sRGB's.
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
