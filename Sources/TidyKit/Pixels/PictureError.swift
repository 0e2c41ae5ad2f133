/// Why the pixels of one picture could not be had, or not be encoded.
package enum PictureError: Error, Equatable, Sendable {
    /// Not a picture that can be read: what it is instead, where that is known.
    case notAPicture(String)
    /// A picture of a kind that is not supported: 12 bit JPEG, say.
    case unsupported(String)
    /// The data end early or contradict themselves.
    case damaged(String)
    /// More pixels than the cap allows.
    case tooManyPixels(Int, limit: Int)
    /// Decoding it would need more memory than the budget, in bytes.
    case needsMemory(Int64, limit: Int64)
    case file(POSIXError)

    package var reason: String {
        switch self {
        case .notAPicture(let what): what
        case .unsupported(let what): what
        case .damaged(let what): "damaged: \(what); --allow-damaged takes what can be read"
        case .tooManyPixels(let pixels, let limit):
            "\(pixels / 1_000_000) megapixels are more than the \(limit / 1_000_000) allowed; raise --max-pixels"
        case .needsMemory(let need, let limit):
            "needs \(ByteSize.describe(need)) of memory, more than the \(ByteSize.describe(limit)) allowed; raise --memory"
        case .file(let error): (error.path.map { $0.displayText + ": " } ?? "") + error.reason
        }
    }
}

/// What decoders are asked for.
package struct DecodingOptions: Sendable, Equatable {
    /// Whether pictures keep the colour space of their profile or are converted to sRGB.
    package enum ColorRule: String, CaseIterable, Sendable { case keep, srgb }

    package var color = ColorRule.keep
    /// What can be read of a damaged picture is taken.
    package var allowsDamaged = false
    /// A picture of more is refused before anything is made for it.
    package var maximumPixels = 500_000_000
    /// Bytes of memory for all pictures in hand together.
    package var memory: Int64 = 2_000_000_000

    package init() {}

    /// Stops at pictures with more pixels than allowed, before anything is made for them.
    func checkSize(_ width: Int, _ height: Int) throws(PictureError) {
        guard width > 0, height > 0 else { throw .damaged("no pixels") }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        if overflow || pixels > maximumPixels { throw .tooManyPixels(overflow ? .max : pixels, limit: maximumPixels) }
    }

    /// Whether pixels of more than 8 bits are converted from `profile` to sRGB, which must come before they are rounded.
    func convertsWide(_ profile: [UInt8]?) -> Bool {
        guard let profile, color == .srgb || ICCProfile.isLinear(profile) else { return false }
        return PixelRows.canConvert(from: profile)
    }
}
