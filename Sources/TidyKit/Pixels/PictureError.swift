/// Why a picture could not be decoded or encoded.
package enum PictureError: Error, Equatable, Sendable {
    /// Not a readable picture: what it is instead, if known.
    case notAPicture(String)
    /// An unsupported kind of picture, such as 12-bit JPEG.
    case unsupported(String)
    /// The data end early or contradict themselves.
    case damaged(String)
    /// More pixels than the limit.
    case tooManyPixels(Int, limit: Int)
    /// Decoding needs more memory than the budget, in bytes.
    case needsMemory(Int64, limit: Int64)
    case file(POSIXError)

    /// A failed read or a lack of memory says nothing about the picture.
    var mayPass: Bool {
        switch self {
        case .file, .needsMemory: true
        default: false
        }
    }

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

/// Options of the decoders.
package struct DecodingOptions: Sendable, Equatable {
    /// Whether pictures keep the colour space of their profile or are converted to sRGB.
    package enum ColorRule: String, CaseIterable, Sendable { case keep, srgb }

    package var color = ColorRule.keep
    /// Decodes as much as possible of a damaged picture.
    package var allowsDamaged = false
    /// Larger pictures are refused before anything is allocated.
    package var maximumPixels = 500_000_000
    /// The memory for all pictures that are decoded at a time, in bytes.
    package var memory: Int64 = 2_000_000_000

    /// The longest file of which pictures are compared, as it is read into memory.
    package static let longestFile: Int64 = 1 << 29

    /// The defaults of the command line.
    package init() {}

    /// Refuses pictures with more pixels than the limit, before anything is allocated.
    func checkSize(_ width: Int, _ height: Int) throws(PictureError) {
        guard width > 0, height > 0 else { throw .damaged("no pixels") }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        if overflow || pixels > maximumPixels { throw .tooManyPixels(overflow ? .max : pixels, limit: maximumPixels) }
    }

    /// Whether deep pixels are converted from `profile` to sRGB, which must happen before they are rounded to 8 bits.
    func convertsWide(_ profile: [UInt8]?) -> Bool {
        guard let profile, color == .srgb || ICCProfile.isLinear(profile) else { return false }
        return PixelRows.canConvert(from: profile)
    }
}
