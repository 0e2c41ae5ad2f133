/// A picture of any container that can be decoded as often as the search for a size needs.
struct SourcePicture {
    /// As stored, before `orientation`.
    var width: Int
    var height: Int
    var orientation = Orientation.upright
    var metadata = SourceMetadata()
    var isGray = false
    var hasFullChroma = true
    /// The expected bytes at full size and a quality; nil if the source gives no hint.
    var expectedBytes: ((_ quality: Double) -> Double)?
    /// Decoding at 1/2, 1/4 and 1/8 is cheaper than at full size.
    var decodesScaled = false
    /// The decoder keeps all coefficients in memory.
    var isProgressive = false
    /// The memory of the decoder in bytes, without the planes that it returns.
    var decoderBytes = 0
    /// False if the decoder has converted the colours to sRGB.
    var keepsProfile = true
    /// Notes for the user about a copy: "first frame of an animation".
    var notes: [String] = []
    let decode: (_ reduction: Reduction) throws(PictureError) -> Planes

    /// What a decoder may reduce, if it can. Others return the full picture.
    struct Reduction: Equatable {
        /// 1, 2, 4 or 8.
        var denominator = 1
        /// Halves chroma planes that would be as large as luma.
        var halvesChroma = false

        /// Whether planes decoded with `self` can be used in place of `other`.
        func serves(_ other: Reduction) -> Bool {
            denominator <= other.denominator && (!halvesChroma || other.halvesChroma)
        }
    }

    var uprightWidth: Int { orientation.swapsAxes ? height : width }
    var uprightHeight: Int { orientation.swapsAxes ? width : height }

    /// Whether the new pixels are in sRGB, because the decoder or `rule` converts them. A profile that cannot be used
    /// converts nothing, and is kept.
    func becomesSRGB(_ rule: DecodingOptions.ColorRule) -> Bool {
        guard keepsProfile else { return true }
        guard let profile = metadata.profile, rule == .srgb || ICCProfile.isLinear(profile) else { return false }
        if isGray { return ColorTransform.tones(profile) != nil }
        switch ColorTransform.fromRGB(profile) {
        case .some: return true
        case .none: return false
        }
    }

    /// The profile to convert the planes from; nil if they are not converted.
    func conversion(_ rule: DecodingOptions.ColorRule) -> [UInt8]? {
        guard keepsProfile, let profile = metadata.profile, rule == .srgb || ICCProfile.isLinear(profile) else {
            return nil
        }
        return profile
    }

    /// For pixels with a linear profile.
    static let linearNote = "converted from a linear profile to sRGB"

    /// The largest reduction that leaves a long edge of at least `reserve` times `edge`.
    func denominator(forEdge edge: Int) -> Int {
        guard decodesScaled else { return 1 }
        return [8, 4, 2].first { leavesEnough($0, forEdge: edge) } ?? 1
    }

    func leavesEnough(_ denominator: Int, forEdge edge: Int) -> Bool {
        Double(max(width, height)) / Double(denominator) >= Self.reserve * Double(edge)
    }

    /// A scaled decode must be this much larger than the final edge: otherwise the blur of the decoder's reduction
    /// would be visible.
    static let reserve = 1.3
}

extension SourcePicture {
    /// A JPEG in memory.
    static func jpeg(
        _ bytes: [UInt8], segments: JPEGFile, header: JPEGDecoder.Header, options: DecodingOptions
    ) -> SourcePicture {
        let metadata = SourceMetadata(segments, in: bytes, density: header.density)
        let isInk = header.model == .cmyk || header.model == .ycck
        var picture = SourcePicture(width: header.width, height: header.height) {
            (reduction) throws(PictureError) in
            var planes = try decodeJPEG(bytes, reduction, profile: metadata.profile, options: options)
            if options.allowsDamaged {
                planes.remarks.leftovers = JPEGLeftovers()
                return planes
            }
            let leftovers = try segments.checked(planes.remarks.leftovers, in: bytes)
            if leftovers.fillBytes > 0 {
                // Verifies that all blocks are present without the fill: the decoder may have taken some of it for the
                // last ones.
                _ = try decodeJPEG(
                    segments.whole(bytes, without: leftovers), Reduction(denominator: 8), profile: nil,
                    options: options)
            }
            planes.remarks.leftovers = leftovers
            return planes
        }
        picture.orientation = metadata.orientation
        picture.metadata = metadata
        picture.isGray = header.model == .gray
        picture.hasFullChroma = header.hasFullChroma
        picture.decodesScaled = true
        picture.isProgressive = header.isProgressive
        picture.keepsProfile = !isInk
        return picture
    }

    static func decodeJPEG(
        _ bytes: [UInt8], _ reduction: Reduction, profile: [UInt8]?, options: DecodingOptions
    ) throws(PictureError) -> Planes {
        try bytes.span.withUnsafeBytes { (raw) throws(PictureError) in
            let decoder = try JPEGDecoder.open(raw, memory: Int(clamping: options.memory))
            return try decoder.planes(reduction, profile: profile, allowDamaged: options.allowsDamaged)
        }
    }
}

extension JPEGFile {
    /// The bytes of the scans without headers.
    var imageBytes: Int {
        segments.reduce(0) { $0 + ($1.marker == Self.startOfScan ? $1.range.upperBound - $1.payload.upperBound : 0) }
    }
}
