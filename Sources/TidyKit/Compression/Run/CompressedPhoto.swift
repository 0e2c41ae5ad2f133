/// Why a picture could not be compressed. The text is the item's `reason` in the report.
package enum CompressionError: Error, Equatable, Sendable {
    /// It could not be read, decoded, encoded or written.
    case picture(PictureError)
    /// No allowed size and quality fits. `smallest` is the shortest output that was reached. The target may be the size
    /// of the source, if that is below the requested one.
    case unreachable(target: Int64, smallest: Int64, isSizeOfSource: Bool = false, overhead: [Overhead] = [])
    /// A file with other content has the output's name.
    case outputExists
    /// Something that is never replaced has the output's name or that of a folder above it.
    case outputBlocked(by: FilePath, isAbove: Bool)
    /// The original could not be replaced, and is unchanged.
    case kept(String, isFull: Bool = false)
    /// Without a journal no original can be replaced.
    case journal(JournalError)
    case interrupted

    /// A large part of the target that is not pixels, and the option that drops it.
    package struct Overhead: Equatable, Sendable {
        var what: String
        var bytes: Int
        var advice: String?
    }

    /// The disk is full, or the journal could not be written.
    var isFull: Bool {
        switch self {
        case .picture(.file(let error)): error.isFull
        case .kept(_, let isFull): isFull
        case .journal: true
        default: false
        }
    }

    package var reason: String {
        switch self {
        case .picture(let error): error.reason
        case .unreachable(let target, let smallest, let isSizeOfSource, let overhead):
            "unreachable: \(target) bytes\(isSizeOfSource ? ", the size of the source, which no output exceeds" : "")"
                + "; the smallest size reached is \(smallest) bytes"
                + overhead.map { part in
                    ", of which \(part.what) takes \(part.bytes)"
                        + (part.advice.map { " (\($0) leaves it out)" } ?? "")
                }.joined()
        case .outputExists: "the output exists with other content; --overwrite replaces it"
        case .outputBlocked(let path, let isAbove):
            isAbove
                ? "nothing can be written below \(path.displayText): it is not a folder"
                : "\(path.displayText) is not a regular file: nothing replaces it"
        case .kept(let reason, _): "not replaced: \(reason)"
        case .journal(let error): "not replaced: \(error)"
        case .interrupted: "interrupted"
        }
    }

    static func file(_ error: POSIXError) -> CompressionError { .picture(.file(error)) }

    /// Runs code that decodes or encodes.
    static func wrapping<Result: ~Copyable>(
        _ body: () throws(PictureError) -> Result
    ) throws(CompressionError) -> Result {
        do throws(PictureError) { return try body() } catch { throw .picture(error) }
    }
}

/// The result for one source: the bytes of a JPEG, and how they were made.
package struct CompressedPhoto: Sendable {
    package var bytes: [UInt8]
    package var action: CompressionItem.Action
    /// Upright, in pixels.
    package var sourceWidth: Int
    package var sourceHeight: Int
    package var width: Int
    package var height: Int
    /// IJG scale; nil if the pixels are unchanged.
    package var quality: Double?
    /// Why pixels were kept, what the copy drops, and other notes for the user.
    package var notes: [String] = []
    /// In place: the file keeps its name in any format.
    var staysAsItIs = false

    var reason: String? { notes.isEmpty ? nil : notes.joined(separator: "; ") }
}
