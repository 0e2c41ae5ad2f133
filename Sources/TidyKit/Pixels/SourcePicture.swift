/// A source that can be decoded as often as the search for a size needs, whatever its container.
struct SourcePicture {
    /// As stored, before `orientation`.
    var width: Int
    var height: Int
    var orientation = Orientation.upright
    var metadata = SourceMetadata()
    var isGray = false
    var hasFullChroma = true
    /// What the picture would take at full size and a quality, in bytes; nil where the source tells nothing.
    var expectedBytes: ((_ quality: Double) -> Double)?
    /// 1/2, 1/4 and 1/8 can be had for less than the full size.
    var decodesScaled = false
    /// The decoder keeps the coefficients of the whole picture.
    var isProgressive = false
    /// What the decoder takes in bytes beside the planes that come out of it.
    var decoderBytes = 0
    /// False where decoding has turned the colours into sRGB.
    var keepsProfile = true
    /// What the user should know of a copy: "first frame of an animation".
    var notes: [String] = []
    let decode: (_ reduction: Reduction) throws(PictureError) -> Planes

    /// What a decoder that can may leave out on the way. Others give the picture whole.
    struct Reduction: Equatable {
        /// 1, 2, 4 or 8.
        var denominator = 1
        /// Chroma that would come out as large as luma at half its width and height.
        var halvesChroma = false

        /// True where planes decoded with `self` serve whoever asks for `other`.
        func serves(_ other: Reduction) -> Bool {
            denominator <= other.denominator && (!halvesChroma || other.halvesChroma)
        }
    }

    var uprightWidth: Int { orientation.swapsAxes ? height : width }
    var uprightHeight: Int { orientation.swapsAxes ? width : height }

    /// True where new pixels are in sRGB whatever the old ones were: decoding or `rule` has converted them. A profile that
    /// is of no use converts nothing, and stays.
    func becomesSRGB(_ rule: DecodingOptions.ColorRule) -> Bool {
        guard keepsProfile else { return true }
        guard let profile = metadata.profile, rule == .srgb || ICCProfile.isLinear(profile) else { return false }
        if isGray { return ColorTransform.tones(profile) != nil }
        switch ColorTransform.fromRGB(profile) {
        case .some: return true
        case .none: return false
        }
    }

    /// The profile to convert decoded planes from; nil where they stay as they are.
    func conversion(_ rule: DecodingOptions.ColorRule) -> [UInt8]? {
        guard keepsProfile, let profile = metadata.profile, rule == .srgb || ICCProfile.isLinear(profile) else {
            return nil
        }
        return profile
    }

    /// Of pixels that were in a profile of light.
    static let linearNote = "converted from a linear profile to sRGB"

    /// The largest reduction that leaves enough pixels for a long edge of `edge`.
    func denominator(forEdge edge: Int) -> Int {
        guard decodesScaled else { return 1 }
        return [8, 4, 2].first { leavesEnough($0, forEdge: edge) } ?? 1
    }

    func leavesEnough(_ denominator: Int, forEdge edge: Int) -> Bool {
        Double(max(width, height)) / Double(denominator) >= Self.reserve * Double(edge)
    }

    /// How many times the final edge a scaled decode must leave: below this, what the decoder's reduction has blurred
    /// would show.
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
            let leftovers = try segments.judged(planes.remarks.leftovers, in: bytes)
            if leftovers.fillBytes > 0 {
                // The blocks are all there without the fill, or the decoder has taken some of it for the last ones.
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
    /// Bytes of the scans alone.
    var imageBytes: Int {
        segments.reduce(0) { $0 + ($1.marker == Self.startOfScan ? $1.range.upperBound - $1.payload.upperBound : 0) }
    }
}
