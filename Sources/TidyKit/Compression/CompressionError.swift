/// Why one picture could not be compressed. The text is the item's `reason` in the report.
public enum CompressionError: Error, Equatable, Sendable {
    /// Not a picture that can be read: what it is instead, where that is known.
    case notAPicture(String)
    /// A picture of a kind that is not supported: 12 bit JPEG, say.
    case unsupported(String)
    /// The data end early or contradict themselves.
    case damaged(String)
    /// More pixels than the cap allows.
    case tooManyPixels(Int, limit: Int)
    /// Decoding it would need more memory than the budget.
    case needsMemory(Int64, limit: Int64)
    /// No allowed size and quality fits; the smallest number of bytes that was reached. The target may be the size of the
    /// source, where that is smaller than what was asked for.
    case unreachable(target: Int64, smallest: Int64, isSizeOfSource: Bool = false, ballast: [Ballast] = [])
    /// The output's name is taken by other bytes.
    case outputExists
    /// Something that is not replaced has the output's name, or that of a folder above it.
    case outputBlocked(by: FilePath, isAbove: Bool)
    case file(POSIXError)
    /// The original could not be replaced; it stands as it stood.
    case kept(String, isFull: Bool = false)
    /// Without a journal no original can be replaced.
    case journal(JournalError)
    case interrupted

    /// What takes a good part of the target and is no pixel, and the option that leaves it out.
    public struct Ballast: Equatable, Sendable {
        var what: String
        var bytes: Int
        var advice: String?
    }

    /// There was no space on the disk, or the journal could not be written.
    var isFull: Bool {
        switch self {
        case .file(let error): error.isFull
        case .kept(_, let isFull): isFull
        case .journal: true
        default: false
        }
    }

    public var reason: String {
        switch self {
        case .notAPicture(let what): what
        case .unsupported(let what): what
        case .damaged(let what): "damaged: \(what); --allow-damaged takes what can be read"
        case .tooManyPixels(let pixels, let limit):
            "\(pixels / 1_000_000) megapixels are more than the \(limit / 1_000_000) allowed; raise --max-pixels"
        case .needsMemory(let need, let limit):
            "needs \(ByteSize.describe(need)) of memory, more than the \(ByteSize.describe(limit)) allowed; raise --memory"
        case .unreachable(let target, let smallest, let isSizeOfSource, let ballast):
            "unreachable: \(target) bytes\(isSizeOfSource ? ", the size of the source, which no output exceeds" : "")"
                + "; the smallest size reached is \(smallest) bytes"
                + ballast.map { part in
                    ", of which \(part.what) takes \(part.bytes)"
                        + (part.advice.map { " (\($0) leaves it out)" } ?? "")
                }.joined()
        case .outputExists: "the output exists with other content; --overwrite replaces it"
        case .outputBlocked(let path, let isAbove):
            isAbove
                ? "nothing can be written below \(path.displayText): it is no folder"
                : "\(path.displayText) is no regular file: nothing replaces it"
        case .file(let error): (error.path.map { $0.displayText + ": " } ?? "") + error.reason
        case .kept(let reason, _): "not replaced: \(reason)"
        case .journal(let error): "not replaced: \(error)"
        case .interrupted: "interrupted"
        }
    }
}
