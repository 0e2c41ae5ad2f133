/// Why the pixels of one picture could not be had, or not be encoded.
public enum PictureError: Error, Equatable, Sendable {
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

    public var reason: String {
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
